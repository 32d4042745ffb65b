/** Strategies without a session: the caller hands over its whole history each time. */
import { invalidOption } from "../errors.js";
import { type Batch, entryOf } from "../message/entry.js";
import { Log } from "../message/log.js";
import { packMessage } from "../message/packed-message.js";
import { sameValue } from "../message/plain-value.js";
import { sameMessage } from "../message/same-message.js";
import type { AnyTool, Message } from "../message/types.js";
import { handOver, NOTHING_ARCHIVED } from "./archive.js";
import { background } from "./background.js";
import { resultCap } from "./budget.js";
import { checkViewRequest } from "./check-request.js";
import { makeView } from "./make-view.js";
import { freshState, type ViewState } from "./plan.js";
import { planView } from "./plan-view.js";
import type { PlanInput } from "./policy.js";
import { readingOf } from "./reading.js";
import { resolveSettings, type WindowSettings } from "./settings.js";
import type { Archive, BuiltInStrategy, ContextManager, LLMPayload, Strategy } from "./strategy.js";

/** Settings that count where a strategy works alone; inside a session the session's own do. */
export interface AloneSettings extends WindowSettings {
  readonly archive?: Archive;
}

/** Brings a state up to date with its log when a turn is complete. */
type Advance = (input: Omit<PlanInput, "request">) => Promise<ViewState>;
type Parts = Required<Pick<Strategy, "policy">> & Partial<Pick<Strategy, "plan" | "work" | "own">>;

/** A strategy from its policy; it plans by itself where more than that is needed. */
export function strategyOf(
  name: string,
  settings: AloneSettings,
  { policy, plan = (input) => planView(input, policy), work, own, advance }: Parts & { readonly advance?: Advance },
): BuiltInStrategy {
  const strategy = { name, settings, policy, plan, ...(work && { work }), ...(own !== undefined && { own }) };
  return { ...strategy, ...contextManager(strategy as Strategy, settings, advance) };
}

/**
 * Runs a strategy as a context manager. As long as the history only grows, a payload costs what is new; where it was
 * rewritten, the log is built anew. Calls that overlap are carried out one after the other, each with the history that
 * it was given. This is the one place outside of sessions that keeps a state from view to view.
 */
export function contextManager(
  strategy: Strategy,
  settings: AloneSettings,
  advance?: Advance,
): Pick<BuiltInStrategy, keyof ContextManager> {
  let held: Held | undefined;
  const inTurn = createTurns();
  const following = (history: readonly Message[]): Held => {
    if (held === undefined || !continues(held.given.reading.log, history)) held = opened(strategy, settings);
    const { log } = held.given.reading;
    for (let at = log.entries.length; at < history.length; at++)
      log.push(entryOf(packMessage(history[at], at), at, BATCH));
    return held;
  };
  return {
    // biome-ignore lint/complexity/useMaxParams: the interface is given
    async composePayload<Tool extends AnyTool>(
      systemPrompt: string,
      history: readonly Message[],
      tools: readonly Tool[],
      ragContext?: string,
    ): Promise<LLMPayload<Tool>> {
      const context = ragContext === undefined ? {} : { context: ragContext };
      const request = checkViewRequest({ system: systemPrompt, tools, ...context });
      return inTurn(history, async (given) => {
        const now = following(given);
        await now.background.settled();
        const { view, next } = await makeView(strategy, { ...inputOf(now), request });
        const receipt = view.receipt && { ...view.receipt, id: `r${++now.receipts}` };
        const { archive } = settings;
        const { log } = now.given.reading;
        if (archive !== undefined) now.archived = await handOver(archive, now.archived, { plan: view.plan, log });
        now.state = next;
        begin(strategy, now);
        return { ...view, receipt } as LLMPayload<Tool>;
      });
    },
    onTurnComplete: (newHistory) =>
      inTurn(newHistory, async (given) => {
        const now = following(given);
        if (advance !== undefined) now.state = await advance(inputOf(now));
        begin(strategy, now);
      }),
  };
}

type Held = ReturnType<typeof opened>;

function opened(strategy: Strategy, settings: AloneSettings) {
  const { budget, counter, price, thinking } = resolveSettings(settings);
  const reading = readingOf(new Log(), counter, resultCap(budget, strategy.policy?.resultShare));
  return {
    given: { reading, budget, price, thinking, pinned: [] },
    state: freshState(0, strategy.own),
    archived: NOTHING_ARCHIVED,
    background: background(),
    receipts: 0,
  };
}

const inputOf = ({ given, state }: Held): Omit<PlanInput, "request"> => ({ ...given, state });

/** Begins what is to be done in the background; the views go on from what came of it. */
function begin(strategy: Strategy, held: Held): void {
  const { own } = held.state;
  const done = (made: unknown) => {
    if (held.state.own === own) held.state = { ...held.state, own: made };
  };
  held.background.begin(strategy, inputOf(held), { done });
}

/** Lets one call work at a time. One that has to wait keeps a copy: its history may change meanwhile. */
function createTurns() {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async <T>(history: readonly Message[], work: (history: readonly Message[]) => Promise<T>): Promise<T> => {
    if (!Array.isArray(history))
      throw invalidOption({ option: "history", value: history, allowed: "a list of messages" });
    const before = waiting === 0 ? undefined : { last, copy: history.map(copyOf) };
    const done = before === undefined ? work(history) : before.last.then(() => work(before.copy));
    waiting++;
    last = done.then(
      () => waiting--,
      () => waiting--,
    );
    return done;
  };
}

const copyOf = (message: Message, at: number): Message => packMessage(message, at).whole().message;

/** A history handed over whole has one branch and no times. */
const BATCH: Batch = { first: 0, after: -1, time: 0 };

/**
 * Histories are compared message by message, from the end: that is where they are changed. The log has its own copies,
 * so a change in place is seen as well.
 */
function continues(log: Log, history: readonly Message[]): boolean {
  const { length } = log.entries;
  if (history.length < length) return false;
  for (let at = length - 1; at >= 0; at--) {
    const [known, given] = [log.messageAt(at), history[at]!];
    // What differs at first sight may do so in what a log does not keep, or keeps as text.
    if (!sameValue(known, given) && !sameMessage(known, copyOf(given, at))) return false;
  }
  return true;
}
