import type { Budget } from "../compaction/budget.js";
import { checkViewRequest } from "../compaction/check-request.js";
import { invalidOption } from "../errors.js";
import { type Batch, entryOf } from "../message/entry.js";
import { Log } from "../message/log.js";
import { packMessage } from "../message/packed-message.js";
import { sameValue } from "../message/plain-value.js";
import type { AnyTool, Message } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import type { ModelPrice } from "../tokens/models.js";
import type { Archive, BuiltInStrategy, ContextManager, LLMPayload, StrategyInput, Viewer } from "./strategy.js";

export interface ContextManagerOptions {
  readonly start: (input: StrategyInput) => Viewer;
  readonly budget: Budget;
  readonly counter: TokenCounter;
  readonly price?: ModelPrice | undefined;
  readonly archive?: Archive;
  /** Positions of the messages whose exchanges every payload shows; none unless given. */
  readonly pinned?: () => readonly number[];
}

export type AnyToolManager = Pick<BuiltInStrategy, keyof ContextManager>;

/**
 * Runs any strategy without a session: the caller hands over its whole history each time. As long as the history only
 * grows, a payload costs what is new; where it was rewritten, the log is built anew. Calls that overlap are carried out
 * one after the other, each with the history that it was given.
 */
export function contextManager(options: ContextManagerOptions): AnyToolManager {
  let log = new Log();
  let viewer = open(log, options);
  const inTurn = createTurns();
  const follow = (history: readonly Message[]) => {
    if (!continues(log, history)) {
      log = new Log();
      viewer = open(log, options);
    }
    for (let at = log.entries.length; at < history.length; at++) {
      log.push(entryOf(packMessage(history[at], at), at, BATCH));
    }
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
        follow(given);
        return (await viewer.view(request)) as LLMPayload<Tool>;
      });
    },
    onTurnComplete(newHistory) {
      return inTurn(newHistory, async (given) => {
        follow(given);
        viewer.turnComplete?.();
      });
    },
  };
}

type Turns = <T>(history: readonly Message[], work: (history: readonly Message[]) => Promise<T>) => Promise<T>;

/** Lets one call work at a time. One that has to wait keeps a copy: its history may change meanwhile. */
function createTurns(): Turns {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async (history, work) => {
    checkHistory(history);
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

const NOTHING_PINNED = (): readonly number[] => [];

const open = (log: Log, options: ContextManagerOptions): Viewer => {
  const { start, budget, counter, price, archive, pinned = NOTHING_PINNED } = options;
  return start({ log, budget, counter, price, pinned, ...(archive && { archive }) });
};

function checkHistory(history: unknown): void {
  if (!Array.isArray(history))
    throw invalidOption({ option: "history", value: history, allowed: "a list of messages" });
}

/**
 * Histories are compared message by message, from the end: that is where they are changed. The log has its own copies,
 * so a change in place is seen as well.
 */
function continues(log: Log, history: readonly Message[]): boolean {
  const { length } = log.entries;
  if (history.length < length) return false;
  for (let at = length - 1; at >= 0; at--) if (!sameValue(log.messageAt(at), history[at])) return false;
  return true;
}
