import { invalidOption } from "../../errors.js";
import { type Log, logOf } from "../../message/log.js";
import { packMessage } from "../../message/packed-message.js";
import { isObject } from "../../message/plain-value.js";
import type { Position } from "../../message/positions.js";
import type { AnyTool, Message } from "../../message/types.js";
import { contextManager } from "../alone.js";
import { callFault, checkComposed, pluginFault } from "../check-plan.js";
import { freshState, type Plan, type ViewState } from "../plan.js";
import { placesIn, planMessages } from "../plan-messages.js";
import { planView } from "../plan-view.js";
import type { PlanInput } from "../policy.js";
import { readingOf } from "../reading.js";
import { render } from "../render.js";
import type { Strategy } from "../strategy.js";
import { slidingWindow } from "./sliding-window.js";

/** Something with the two methods of a context manager, whatever it returns: a list of messages, or an object with one. */
export interface BareContextManager {
  composePayload(
    systemPrompt: string,
    history: readonly Message[],
    tools: readonly AnyTool[],
    ragContext?: string,
  ): unknown;
  onTurnComplete?(newHistory: readonly Message[]): unknown;
}

export const isContextManager = (value: unknown): value is BareContextManager =>
  isObject(value) && typeof value.composePayload === "function";

/**
 * A context manager as a strategy. What it composes is taken as the view; a sliding window behind it sees to it that the
 * view fits and that every provider takes it, and what is missing from it is accounted for. What is pinned, and
 * the latest request of the user, it need not show itself.
 *
 * @example
 * ```ts
 * const lastTen = { composePayload: async (system, history) => history.slice(-10) };
 * const session = await varve.session("ann:1", { window: 8_000, strategy: managedStrategy("last-ten", lastTen) });
 * ```
 */
export function managedStrategy(name: string, manager: BareContextManager): Strategy {
  if (typeof name !== "string" || name === "")
    throw invalidOption({ option: "name", value: name, allowed: "a name for the strategy" });
  if (!isContextManager(manager))
    throw invalidOption({ option: "manager", value: manager, allowed: "an object with the method composePayload" });
  const plan = (input: PlanInput) => managedPlan(name, manager, input);
  const work: Strategy["work"] =
    manager.onTurnComplete &&
    (({ reading: { log }, state }) => ({
      id: `${log.entries.length}`,
      isAwaited: true,
      run: async () => {
        try {
          await manager.onTurnComplete!(historyOf(log));
          return state.own;
        } catch (error) {
          throw callFault(name, "onTurnComplete", error);
        }
      },
    }));
  const strategy = { name, plan, ...(work && { work }) };
  return { ...strategy, ...contextManager(strategy as Strategy, {}) };
}

const historyOf = (log: Log): Message[] => log.entries.map(({ message }) => message);

async function managedPlan(name: string, manager: BareContextManager, input: PlanInput): Promise<Plan> {
  const { messages, pinned } = withNeeded(await payload(name, manager, input), input);
  const { system = "" } = input.request;
  const prompted = messages.some(({ role, content }) => role === "system" && content.includes(system));
  const request = prompted ? { ...input.request, system: "" } : input.request;
  const { shown, own } = guarded(messages, pinned, { ...input, request });
  const plan = planMessages(name, shown, input);
  return { ...plan, next: { ...plan.next, own } };
}

/** Where the window behind a manager stands, and after which messages of the manager's. */
interface Guard {
  readonly composed: readonly number[];
  readonly state: ViewState;
}

/** What a sliding window makes of the messages: a view that fits, and that every provider takes. */
function guarded(messages: readonly Message[], pinned: readonly Position[], input: PlanInput) {
  // A manager may change its messages in place later: what is planned and counted is a copy.
  const log = logOf(messages.map((message, at) => packMessage(message, at).whole().message));
  const reading = readingOf(log, input.reading.counter, input.reading.cap);
  const composed = log.entries.map(({ message }) => reading.hash(message));
  const before = input.state.own as Guard | undefined;
  const goesOn = before?.composed.every((hash, at) => hash === composed[at]) === true;
  const state = goesOn ? before.state : freshState(0);
  const { context: _context, ...request } = input.request;
  const thinking = input.thinking === "bound" ? undefined : input.thinking;
  const plan = planView({ ...input, reading, request, pinned, state, thinking }, slidingWindow().policy!);
  const own: Guard | undefined = goesOn && plan.next.cut === state.cut ? before : { composed, state: plan.next };
  return { shown: render(plan, log), own };
}

async function payload(name: string, manager: BareContextManager, { request, reading }: PlanInput) {
  const { system = "", tools = [], context } = request;
  let composed: unknown;
  try {
    composed = await manager.composePayload(system, historyOf(reading.log), tools, context);
  } catch (error) {
    throw callFault(name, "composePayload", error);
  }
  const messages = isObject(composed) ? composed.messages : composed;
  const isNone = Array.isArray(messages) && messages.length === 0 && reading.log.requests.length > 0;
  if (!Array.isArray(messages) || isNone)
    throw pluginFault(name, {
      what: "composed no messages",
      hint: "composePayload returns a list of messages, or an object with one as its messages.",
    });
  return checkComposed(messages, name);
}

/** Puts in what every view shows and was left out: the latest request and what is pinned, each in its place. */
function withNeeded(composed: readonly Message[], { reading: { log }, pinned: pins }: PlanInput) {
  const needed = new Set([...pins, ...log.requests.slice(-1)].toSorted((a, b) => a - b));
  const places = placesIn(log, composed);
  const placed = composed.map((message, at) => ({ message, position: places[at] ?? -1 }));
  for (const position of needed) {
    if (placed.some((each) => each.position === position)) continue;
    const before = placed.findLastIndex((each) => each.position >= 0 && each.position < position);
    const start = placed.findIndex(({ message }) => message.role !== "system");
    const at = before >= 0 ? before + 1 : start < 0 ? placed.length : start;
    placed.splice(at, 0, ...log.legal(log.holding(position)!).map((message) => ({ message, position })));
  }
  const pinned = pins.map((pin) => placed.findIndex(({ position }) => position === pin));
  return { messages: placed.map(({ message }) => message), pinned };
}
