import fc from "fast-check";
import { z } from "zod";
import {
  entities,
  hierarchical,
  importance,
  type Message,
  type Strategy,
  slidingWindow,
  summarization,
  VarveError,
} from "../../src/index.js";
import { entryOf } from "../../src/message/entry.js";
import { isVisible } from "../../src/message/exchanges.js";
import { Log } from "../../src/message/log.js";
import { packMessage } from "../../src/message/packed-message.js";
import { freezeValue } from "../../src/message/plain-value.js";
import type { Position } from "../../src/message/positions.js";
import { findModel } from "../../src/tokens/models.js";
import { resultCap } from "../../src/view/budget.js";
import { freshState, type Plan, type ViewState } from "../../src/view/plan.js";
import type { PlanInput } from "../../src/view/policy.js";
import { type Reading, readingOf } from "../../src/view/reading.js";
import { render } from "../../src/view/render.js";
import { resolveSettings, type WindowSettings } from "../../src/view/settings.js";
import type { ViewRequest } from "../../src/view/view.js";
import { tools } from "./conduct.js";
import { text, unusualHistory } from "./histories.js";

/** Conversations, settings and requests under which plans of all strategies are made, and plans made without a session. */
export const STRATEGIES = {
  "sliding-window": () => slidingWindow(),
  summarization: () => summarization(),
  importance: () => importance({ threshold: 0.2 }),
  hierarchical: () => hierarchical(),
  entities: () => entities({ schema: z.object({ city: z.string(), port: z.number().optional() }), keepTurns: 2 }),
} satisfies Readonly<Record<string, () => Strategy>>;
export type StrategyName = keyof typeof STRATEGIES;

export const strategyName = fc.constantFrom<StrategyName[]>(
  "sliding-window",
  "summarization",
  "importance",
  "hierarchical",
  "entities",
);

/** The first two demand something of their own reasoning. */
const MODELS = ["claude-sonnet-5-5", "claude-opus-4-5", "gpt-4.1", undefined] as const;

export const windowSettings: fc.Arbitrary<WindowSettings> = fc
  .record({
    window: fc.oneof(
      { weight: 1, arbitrary: fc.integer({ min: 60, max: 300 }) },
      { weight: 4, arbitrary: fc.integer({ min: 300, max: 2_500 }) },
    ),
    model: fc.constantFrom(...MODELS),
    reserve: fc.constantFrom(0, 0, undefined),
    trigger: fc.constantFrom(undefined, undefined, 0.8, 0.5),
    target: fc.constantFrom(undefined, undefined, 0.4, 0.2),
    spent: fc.constantFrom(undefined, undefined, 0.3, 0.7),
  })
  .map(({ window, model, reserve, trigger, target, spent }) => {
    const cached = model && findModel(model)?.price?.cacheRead;
    return {
      window,
      ...(model && { model }),
      ...(reserve !== undefined && { reserve }),
      ...(trigger && { trigger }),
      ...(target && { target }),
      ...(spent && cached && { maxSpend: (spent * window * cached) / 1_000_000 }),
    };
  });

/** Tells where the user lives now and then, so that there is a state to keep. */
const sentence = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom("My city is Oslo.", "My city is Rome, port 5433.") },
);

/** A turn of an agent: a request, steps of signed thinking with a call, and at times an answer. */
const agentTurn: fc.Arbitrary<(at: number) => Message[]> = fc
  .record({
    request: sentence,
    steps: fc.array(fc.record({ words: fc.integer({ min: 1, max: 120 }), thinks: fc.boolean(), path: fc.nat(3) }), {
      maxLength: 6,
    }),
    answer: fc.option(text),
    rule: fc.option(text, { freq: 4 }),
  })
  .map(({ request, steps, answer, rule }) => (at: number): Message[] => [
    { role: "user", content: request },
    ...(rule === null ? [] : [{ role: "system" as const, content: rule }]),
    ...steps.flatMap(({ words, thinks, path }, step): Message[] => {
      const toolCallId = `call ${at} ${step}`;
      const providerOptions = { anthropic: { signature: `signed ${at} ${step}` } };
      const thought = { type: "reasoning" as const, text: `Step ${step} of ${at}.`, providerOptions };
      const call = { type: "tool-call" as const, toolCallId, toolName: "read", input: { path: `src/${path}.ts` } };
      const output = { type: "text" as const, value: `line ${step} of turn ${at} `.repeat(words) };
      return [
        { role: "assistant", content: thinks ? [thought, call] : [call] },
        { role: "tool", content: [{ type: "tool-result", toolCallId, toolName: "read", output }] },
      ];
    }),
    ...(answer === null ? [] : [{ role: "assistant" as const, content: answer }]),
  ]);

export const agentConversation: fc.Arbitrary<Message[]> = fc
  .array(agentTurn, { minLength: 1, maxLength: 6 })
  .map((turns) => turns.flatMap((make, at) => make(at)));

/** More messages than a log looks at first, of turns that come again and again. */
export const longConversation: fc.Arbitrary<Message[]> = fc
  .record({ turns: fc.array(agentTurn, { minLength: 1, maxLength: 5 }), size: fc.integer({ min: 550, max: 1_200 }) })
  .map(({ turns, size }) => {
    const messages: Message[] = [];
    for (let at = 0; messages.length < size; at++) messages.push(...turns[at % turns.length]!(at));
    return messages;
  });

/** Conversations of well-behaved agents, and histories of any kind. */
export const conversation: fc.Arbitrary<Message[]> = fc.oneof(agentConversation, unusualHistory);

/** How one plan of a series is asked for. */
export interface Ask {
  readonly request: ViewRequest;
  readonly force: boolean;
  readonly held: boolean;
  /** An entry to pin, or to unpin where it is pinned. */
  readonly pin: number | undefined;
}

const rarely = fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0);

/** Requests of one client: its system prompt and tools mostly stay. */
export const requests: fc.Arbitrary<ViewRequest[]> = fc
  .record({
    system: fc.option(text, { nil: undefined }),
    isTooled: fc.boolean(),
    contexts: fc.array(fc.option(text, { nil: undefined }), { minLength: 1, maxLength: 3 }),
    colds: fc.array(rarely, { minLength: 1, maxLength: 12 }),
  })
  .map(({ system, isTooled, contexts, colds }) =>
    Array.from({ length: contexts.length * colds.length }, (_, at): ViewRequest => {
      const context = contexts[at % contexts.length];
      return {
        ...(system !== undefined && { system }),
        ...(isTooled && { tools }),
        ...(context !== undefined && { context }),
        ...(colds[at % colds.length] && { cache: "cold" as const }),
      };
    }),
  );

const asks: fc.Arbitrary<Ask[]> = fc
  .tuple(
    requests,
    fc.array(fc.record({ force: rarely, held: rarely, pin: fc.option(fc.nat(), { nil: undefined, freq: 8 }) }), {
      minLength: 1,
      maxLength: 30,
    }),
  )
  .map(([all, others]) => others.map((other, at) => ({ ...other, request: all[at % all.length]! })));

/** A series of plans: one after each message. */
export interface Series {
  readonly name: StrategyName;
  readonly messages: readonly Message[];
  readonly settings: WindowSettings;
  readonly asks: readonly Ask[];
}

export const series: fc.Arbitrary<Series> = fc.record({
  name: strategyName,
  messages: conversation,
  settings: windowSettings,
  asks,
});

/** A plan with what it was made from, and the messages it shows; or the refusal of one. */
export interface Planned {
  readonly input: PlanInput;
  readonly plan: Plan | VarveError;
  readonly messages: readonly Message[];
}

/** A value as another process gets it. */
export const throughJSON = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Makes plans of a log by hand, and goes on from the state that each leaves, as a session does. */
export class Planner {
  readonly log = new Log();
  readonly #strategy: Strategy;
  readonly #settings: ReturnType<typeof resolveSettings>;
  readonly #reading: Reading;
  #state: ViewState;
  #pinned: readonly Position[] = [];

  constructor(
    readonly series: Pick<Series, "name" | "settings">,
    state?: ViewState,
  ) {
    this.#strategy = STRATEGIES[series.name]();
    this.#settings = resolveSettings(series.settings);
    const { budget, counter } = this.#settings;
    this.#reading = readingOf(this.log, counter, resultCap(budget, this.#strategy.policy?.resultShare));
    this.#state = state ?? freshState(0, this.#strategy.own);
  }

  append(message: Message): void {
    const at = this.log.entries.length;
    this.log.push(entryOf(packMessage(message, at), at, { first: 0, after: -1, time: 0 }));
  }

  /** The same in another process, which knows the log and the state alone. */
  reopened(): Planner {
    const again = new Planner(this.series, throughJSON(this.#state));
    for (const { message } of this.log.entries) again.append(message);
    again.#pinned = this.#pinned;
    return again;
  }

  async next(ask: Ask): Promise<Planned> {
    this.#pinned = this.#pinnedAfter(ask);
    const input = this.#input(ask);
    const plan = await this.plan(input);
    if (plan instanceof VarveError) return { input, plan, messages: [] };
    this.#state = plan.next;
    return { input, plan, messages: render(plan, this.log) };
  }

  async plan(input: PlanInput): Promise<Plan | VarveError> {
    try {
      return await this.#strategy.plan(input);
    } catch (error) {
      if (!VarveError.isInstance(error) || error.code !== "floor-exceeds-window") throw error;
      return error;
    }
  }

  /** Nothing of it can be changed but what is only kept at hand. */
  #input({ request, force, held }: Ask): PlanInput {
    const { budget, price, thinking } = this.#settings;
    const state = freezeValue(this.#state);
    const pinned = this.#pinned;
    return Object.freeze({
      ...{ reading: this.#reading, state, price, thinking, force, held },
      ...{ budget: freezeValue(budget), request: freezeValue(request), pinned: Object.freeze(pinned) },
    });
  }

  #pinnedAfter({ pin }: Ask): readonly Position[] {
    if (pin === undefined) return this.#pinned;
    const at = pin % this.log.entries.length;
    const exchange = at < this.log.start ? undefined : this.log.holding(at);
    if (this.#pinned.includes(at)) return this.#pinned.filter((each) => each !== at);
    return exchange !== undefined && isVisible(exchange) ? [...this.#pinned, at] : this.#pinned;
  }
}

/** Makes the plans of a series, one after each message, and shows each as long as its log is what it was made from. */
export async function play(
  { messages, asks, ...given }: Series,
  check: (planned: Planned, planner: Planner) => void | Promise<void>,
): Promise<void> {
  const planner = new Planner(given);
  for (const [at, message] of messages.entries()) {
    planner.append(message);
    await check(await planner.next(asks[at % asks.length]!), planner);
  }
}
