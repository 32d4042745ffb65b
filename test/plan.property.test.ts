import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Message, PROVIDERS, VarveError, violations } from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { isVisible } from "../src/message/exchanges.js";
import type { Log } from "../src/message/log.js";
import type { ExchangeItem, Plan, PlanItem } from "../src/view/plan.js";
import { render } from "../src/view/render.js";
import {
  agentConversation,
  longConversation,
  type Planned,
  Planner,
  play,
  type Series,
  series,
  throughJSON,
} from "./support/plans.js";
import { runs } from "./support/runs.js";

/** A plan that was made, with what it was made from. */
type Made = Planned & { readonly plan: Plan };

const isMade = (planned: Planned): planned is Made => !(planned.plan instanceof VarveError);
const isExchange = (item: PlanItem): item is ExchangeItem => item.kind === "exchange";
/** All that a plan or a refusal says. */
const said = (plan: Plan | VarveError): unknown =>
  plan instanceof VarveError ? [plan.message, plan.details] : throughJSON(plan);
const sumOf = (list: readonly { readonly tokens: number }[]): number =>
  list.reduce((sum, { tokens }) => sum + tokens, 0);

const holds = (check: (planned: Planned, planner: Planner) => void | Promise<void>) =>
  fc.assert(
    fc.asyncProperty(series, async (given) => play(given, check)),
    { numRuns: runs(50) },
  );

describe("a plan of any strategy", () => {
  it("fits and counts itself right, or names what cannot fit", () =>
    holds(({ plan, input: { reading, budget, request }, messages }) => {
      if (plan instanceof VarveError) {
        expect(plan.details.needed).toBeGreaterThan(budget.usable);
        return;
      }
      const declared = request.tools === undefined ? 0 : reading.counter.tools(request.tools);
      const counted = messages.reduce((sum, message) => sum + reading.counter.message(message), declared);
      expect(counted).toBeLessThanOrEqual(budget.usable);
      expect([plan.tokens, sumOf(plan.blocks), sumOf(plan.items) + declared]).toEqual([counted, counted, counted]);
    }));

  it("is legal for all four providers", () =>
    holds(({ plan, messages }) => {
      if (plan instanceof VarveError) return;
      for (const provider of PROVIDERS) expect(violations(messages, provider)).toEqual([]);
    }));

  it("shows what is pinned, the latest request and all behind its cut, each once and in the order of the log", () =>
    holds((planned) => {
      if (!isMade(planned)) return;
      const { plan, input } = planned;
      const { log } = input.reading;
      const shown = plan.items.filter(isExchange);
      const places = shown.map(({ at }) => at);
      expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
      for (const pin of input.pinned) expect(shown.some(({ entries }) => entries.includes(pin))).toBe(true);
      const behind = log.exchanges.filter((exchange) => isVisible(exchange) && exchange.first >= plan.cut);
      expect(places.filter((at) => at >= plan.cut)).toEqual(behind.map(({ first }) => first));
      expectRequest(planned);
    }));

  it("is the same for the same input, also for a state that has been through JSON, and renders the same from JSON", () =>
    holds(async ({ plan, input, messages }, planner) => {
      expect(said(await planner.plan(input))).toEqual(said(plan));
      const again = { ...input, state: throughJSON(input.state) };
      expect(said(await planner.plan(again))).toEqual(said(plan));
      if (plan instanceof VarveError) return;
      expect(throughJSON(render(throughJSON(plan), planner.log))).toEqual(throughJSON(messages));
    }));

  it("is gone on from in another process, which knows the log and the state alone, at any step", () =>
    fc.assert(
      fc.asyncProperty(
        series,
        fc.array(fc.boolean(), { minLength: 1 }),
        async ({ messages, asks, ...given }, stops) => {
          const lasting = new Planner(given);
          let other = new Planner(given);
          for (const [at, message] of messages.entries()) {
            const ask = asks[at % asks.length]!;
            if (stops[at % stops.length]) other = other.reopened();
            for (const planner of [lasting, other]) planner.append(message);
            expect(said((await other.next(ask)).plan)).toEqual(said((await lasting.next(ask)).plan));
          }
        },
      ),
      { numRuns: runs(25) },
    ));

  it("is gone on from alike in logs longer than a first look at them takes in", () =>
    fc.assert(
      fc.asyncProperty(series, longConversation, fc.nat(12), async ({ asks, ...given }, messages, every) => {
        const lasting = new Planner({ ...given, settings: { ...given.settings, window: 2_500 } });
        for (const [at, message] of messages.entries()) {
          lasting.append(message);
          if (at % (100 + every) === 0) await lasting.next(asks[at % asks.length]!);
        }
        const other = lasting.reopened();
        for (const [at, message] of given.messages.slice(0, 20).entries()) {
          const ask = asks[at % asks.length]!;
          for (const planner of [lasting, other]) planner.append(message);
          expect(said((await other.next(ask)).plan)).toEqual(said((await lasting.next(ask)).plan));
        }
      }),
      { numRuns: runs(8) },
    ));
});

describe("the plan of a model that signs its reasoning", () => {
  const thinking = (model: string) =>
    fc
      .tuple(series, agentConversation)
      .map(([given, messages]): Series => ({ ...given, messages, settings: { ...given.settings, model } }));

  it("shows reasoning that is bound to its prefix only under the very messages that it was written under", () =>
    fc.assert(
      fc.asyncProperty(thinking("claude-sonnet-5-5"), async (given) => {
        const written = new Map<unknown, string>();
        let request: string | undefined;
        await play(given, ({ plan, input, messages }, { log }) => {
          for (const signature of signaturesIn(log.entries.at(-1)!.message))
            if (request !== undefined) written.set(signature, request);
          const sent = (to: number) => JSON.stringify([input.request.tools, messages.slice(0, to)]);
          for (const [at, message] of messages.entries())
            for (const signature of signaturesIn(message)) expect(sent(at)).toBe(written.get(signature) ?? sent(at));
          request = plan instanceof VarveError ? undefined : sent(messages.length);
        });
      }),
      { numRuns: runs(50) },
    ));

  it("begins the running turn with its reasoning where the model demands that and it fits", () =>
    fc.assert(
      fc.asyncProperty(thinking("claude-opus-4-5"), async (given) =>
        play(given, (planned, { log }) => {
          const latest = log.requests.at(-1);
          if (!isMade(planned) || latest === undefined) return;
          const { plan, input } = planned;
          const opening = log.entries.findIndex(({ role, blank }, at) => at > latest && role === "assistant" && !blank);
          const shown = plan.items.filter(isExchange).find((item) => item.at > latest && answersIn(item, log));
          if (opening < 0 || shown === undefined || signaturesIn(log.messageAt(opening)).length === 0) return;
          const { tokens } = input.reading.inForm(log.holding(opening)!, undefined);
          if (shown.at !== opening) expect(plan.tokens + tokens).toBeGreaterThan(input.budget.usable);
        }),
      ),
      { numRuns: runs(50) },
    ));
});

const answersIn = (item: ExchangeItem, log: Log): boolean =>
  render({ items: [item] }, log).some(({ role }) => role === "assistant");

const signaturesIn = ({ role, content }: Message): unknown[] =>
  role !== "assistant" || typeof content === "string"
    ? []
    : content.flatMap((part) => (part.type === "reasoning" ? [part.providerOptions?.anthropic?.signature] : []));

/** The latest request is shown whole, or the plan says that it was shortened and begins as it did. */
function expectRequest({ plan, input, messages }: Made): void {
  const { log } = input.reading;
  const latest = log.requests.at(-1);
  if (latest === undefined) return;
  const request = log.messageAt(latest);
  if (messages.includes(request)) return;
  expect(plan.changes).toContainEqual(expect.objectContaining({ at: latest, fate: "shortened" }));
  const [first = ""] = [...new Intl.Segmenter().segment(messageText(request))].map(({ segment }) => segment);
  expect(messages.some((message) => message.role === "user" && messageText(message).startsWith(first))).toBe(true);
}
