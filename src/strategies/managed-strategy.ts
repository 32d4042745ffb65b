import type { Receipt } from "../compaction/receipt.js";
import type { View, ViewRequest } from "../compaction/view.js";
import { invalidOption, type VarveError } from "../errors.js";
import type { Log } from "../message/log.js";
import { isObject } from "../message/plain-value.js";
import type { AnyTool, Message } from "../message/types.js";
import { checkMessages, checkView } from "./check-view.js";
import { contextManager } from "./context-manager.js";
import { callFault, pluginFault } from "./plugin-fault.js";
import { slidingWindow } from "./sliding-window/sliding-window.js";
import type { ContextManager, Strategy, StrategyInput, Viewer, ViewOptions } from "./strategy.js";
import { windowStrategy } from "./window-strategy.js";

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
  typeof value === "object" &&
  value !== null &&
  "composePayload" in value &&
  typeof value.composePayload === "function";

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
  return windowStrategy(name, {}, (input) => new ManagedViewer(input, name, manager));
}

export class ManagedViewer implements Viewer {
  readonly cut = 0;
  readonly #input: StrategyInput;
  readonly #name: string;
  readonly #manager: BareContextManager;
  readonly #guard: ContextManager;
  #background: Promise<unknown> = Promise.resolve();
  /** Where what is pinned stands in what was composed. */
  #pinned: readonly number[] = [];
  #missing: ReadonlySet<number> = new Set();
  #receipts = 0;

  constructor(input: StrategyInput, name: string, manager: BareContextManager) {
    const { budget, counter, price } = input;
    this.#input = input;
    this.#name = name;
    this.#manager = manager;
    this.#guard = contextManager({ start: slidingWindow().start, budget, counter, price, pinned: () => this.#pinned });
  }

  /** Its failure shows in the next view. */
  turnComplete(): void {
    const background = this.#background.then(() => this.#manager.onTurnComplete?.(this.#history()));
    background.catch(() => undefined);
    this.#background = background;
  }

  async view(request: ViewRequest, { dry = false }: ViewOptions = {}): Promise<View> {
    const background = this.#background;
    this.#background = Promise.resolve();
    await background.catch((error: unknown) => {
      throw callFault(this.#name, "onTurnComplete", error);
    });
    const view = await this.#composed(request);
    const missing = this.#missingFrom(view.messages);
    const fresh = [...missing].filter((position) => !this.#missing.has(position));
    const receipt = fresh.length === 0 ? undefined : this.#receipt(view, fresh);
    if (!dry) await this.#leave(missing, fresh);
    const { log, budget } = this.#input;
    return { ...view, budget, leftOut: missing.size, entries: log.entries.length, receipt };
  }

  async #composed(request: ViewRequest): Promise<View> {
    const { system = "", tools = [] } = request;
    const messages = this.#withNeeded(await this.#payload(request));
    const prompted = messages.some(({ role, content }) => role === "system" && content === system);
    const view = await this.#guard.composePayload(prompted ? "" : system, messages, tools);
    return checkView(view, { strategy: this.#name, input: this.#input });
  }

  async #payload({ system = "", tools = [], context }: ViewRequest): Promise<readonly Message[]> {
    let payload: unknown;
    try {
      payload = await this.#manager.composePayload(system, this.#history(), tools, context);
    } catch (error) {
      throw callFault(this.#name, "composePayload", error);
    }
    const messages = isObject(payload) ? payload.messages : payload;
    const isNone = Array.isArray(messages) && messages.length === 0 && this.#input.log.lastVisible !== undefined;
    if (!Array.isArray(messages) || isNone) throw noPayload(this.#name);
    return checkMessages(messages, this.#name);
  }

  /** Puts in what every view shows and was left out: the latest request and what is pinned, each in its place. */
  #withNeeded(composed: readonly Message[]): readonly Message[] {
    const { log, pinned } = this.#input;
    const pins = pinned();
    const needed = new Set([...pins, ...log.requests.slice(-1)].toSorted((a, b) => a - b));
    const places = placesIn(log, composed);
    const placed = composed.map((message, at) => ({ message, position: places[at] ?? -1 }));
    for (const position of needed) {
      if (placed.some((each) => each.position === position)) continue;
      const before = placed.findLastIndex((each) => each.position >= 0 && each.position < position);
      const start = placed.findIndex(({ message }) => message.role !== "system");
      const at = before >= 0 ? before + 1 : start < 0 ? placed.length : start;
      placed.splice(at, 0, ...log.legal(log.exchangeHolding(position)).map((message) => ({ message, position })));
    }
    this.#pinned = pins.map((pin) => placed.findIndex(({ position }) => position === pin));
    return placed.map(({ message }) => message);
  }

  #history(): Message[] {
    return this.#input.log.entries.map(({ message }) => message);
  }

  /** Positions of the messages of the conversation that a view does not show as they are. */
  #missingFrom(shown: readonly Message[]): Set<number> {
    const { log } = this.#input;
    const places = new Set(placesIn(log, shown));
    const missing = new Set<number>();
    for (let position = log.start; position < log.entries.length; position++)
      if (!places.has(position) && !log.entries[position]!.blank) missing.add(position);
    return missing;
  }

  #receipt(view: View, fresh: readonly number[]): Receipt {
    const { log, counter } = this.#input;
    const positions = fresh.toSorted((a, b) => a - b);
    const tokens = positions.reduce((sum, position) => sum + counter.message(log.messageAt(position)), 0);
    const run = { from: log.entries[positions[0]!]!.id, to: log.entries[positions.at(-1)!]!.id, entries: fresh.length };
    const reason = `the context manager "${this.#name}" did not show it as it is`;
    const item = { ...run, fate: "left-out", reason, tokensBefore: tokens, tokensAfter: 0 } as const;
    return {
      id: `r${++this.#receipts}`,
      strategy: this.#name,
      reason,
      tokensBefore: view.tokens + tokens,
      tokensAfter: view.tokens,
      estimated: false,
      leftOut: run,
      items: [{ ...item, estimated: false, reach: "application" }],
      unreachable: [run],
      memory: { tokensBefore: 0, tokensAfter: 0 },
      replacedBy: undefined,
      recover: "The log keeps every entry whole: session.entries() returns them.",
    };
  }

  async #leave(missing: ReadonlySet<number>, fresh: readonly number[]): Promise<void> {
    const { archive, log } = this.#input;
    const positions = fresh.toSorted((a, b) => a - b);
    if (positions.length > 0) await archive?.(positions.map((position) => log.messageAt(position)));
    this.#missing = missing;
  }
}

/** The position in the log of each of these messages; undefined for one that is not there. Of equal ones the latest count. */
function placesIn(log: Log, messages: readonly Message[]): (number | undefined)[] {
  const byText = new Map<string, number[]>();
  for (const [at, message] of messages.entries()) {
    const text = JSON.stringify(message);
    byText.set(text, [...(byText.get(text) ?? []), at]);
  }
  const places: (number | undefined)[] = messages.map(() => undefined);
  for (let position = log.entries.length - 1; position >= log.start; position--) {
    const at = byText.get(JSON.stringify(log.messageAt(position)))?.pop();
    if (at !== undefined) places[at] = position;
  }
  return places;
}

const noPayload = (strategy: string): VarveError =>
  pluginFault({
    strategy,
    what: "composed no messages",
    hint: "composePayload returns a list of messages, or an object with one as its messages.",
  });
