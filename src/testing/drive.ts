import { VarveError } from "../errors.js";
import { entryOf } from "../message/entry.js";
import { Log } from "../message/log.js";
import { packMessage } from "../message/packed-message.js";
import type { Message } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { resolveBudget, resultCap } from "../view/budget.js";
import { makeView } from "../view/make-view.js";
import { freshState, type ViewState } from "../view/plan.js";
import { readingOf } from "../view/reading.js";
import type { Strategy } from "../view/strategy.js";
import type { View, ViewRequest } from "../view/view.js";

/** What a strategy is to be made with, so that it also works alone. */
export interface SubjectSettings {
  readonly window: number;
  readonly counter: TokenCounter;
}

export type MakeStrategy = (settings: SubjectSettings) => Strategy;

/** Makes views one after the other, each from the state that the one before left. */
export interface Viewer {
  state: ViewState;
  view(request: ViewRequest, options?: { readonly force?: boolean }): Promise<View>;
}

/** A strategy at work on a log of its own. */
export interface Subject {
  readonly log: Log;
  readonly viewer: Viewer;
}

export const counter = createTokenCounter();

export function startOn(make: MakeStrategy, window: number, messages: readonly Message[] = []): Subject {
  const log = new Log();
  const budget = resolveBudget({ window });
  const strategy = make({ window, counter });
  const reading = readingOf(log, counter, resultCap(budget, strategy.policy?.resultShare));
  const viewer: Viewer = {
    state: freshState(0, strategy.own),
    view: async (request, { force = false } = {}) => {
      const input = { reading, budget, state: viewer.state, request, pinned: [], force };
      const { view, next } = await makeView(strategy, input);
      viewer.state = next;
      return view;
    },
  };
  for (const message of messages) append(log, message);
  return { log, viewer };
}

export function append(log: Log, message: Message): void {
  const at = log.entries.length;
  log.push(entryOf(packMessage(message, at), at, { first: 0, after: -1, time: 0 }));
}

/** A view after each message of a history, or the error that says why there is none. */
export interface Step {
  readonly at: number;
  readonly messages: readonly Message[];
  readonly view: View | VarveError;
}

export interface Run {
  readonly name: string;
  readonly window: number;
  readonly steps: readonly Step[];
}

export async function drive(
  make: MakeStrategy,
  history: readonly Message[],
  given: { window: number; name: string },
): Promise<Run> {
  const { log, viewer } = startOn(make, given.window);
  const steps: Step[] = [];
  for (const [at, message] of history.entries()) {
    append(log, message);
    steps.push({ at, messages: history.slice(0, at + 1), view: await viewOrRefusal(viewer) });
  }
  return { ...given, steps };
}

/** A view, or the error that says that it cannot fit; any other error is the strategy's fault. */
export async function viewOrRefusal(viewer: Viewer, request: ViewRequest = {}): Promise<View | VarveError> {
  try {
    return await viewer.view(request);
  } catch (error) {
    if (VarveError.isInstance(error) && error.code === "floor-exceeds-window") return error;
    throw error;
  }
}

export const tokensOf = ({ messages, tools }: View): number =>
  messages.reduce((sum, message) => sum + counter.message(message), tools.length === 0 ? 0 : counter.tools(tools));

/** Fails a check, saying what was expected and where. */
export function demand(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new Error(fault);
}
