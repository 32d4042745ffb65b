import type { Receipt } from "../compaction/receipt.js";
import type { View, ViewRequest } from "../compaction/view.js";
import { VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import type { Message, ToolDefinition } from "../message/types.js";
import { contextManager } from "./context-manager.js";
import { slidingWindow } from "./sliding-window/sliding-window.js";
import type { ContextManager, Strategy, StrategyInput, Viewer, ViewOptions } from "./strategy.js";
import { windowStrategy } from "./window-strategy.js";

/** Something with the two methods of a context manager, whatever it returns: a list of messages, or an object with one. */
export interface BareContextManager {
  composePayload(
    systemPrompt: string,
    history: readonly Message[],
    tools: readonly ToolDefinition[],
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
 * view fits and that every provider takes it, and what is missing from it is accounted for.
 *
 * @example
 * ```ts
 * const lastTen = { composePayload: async (system, history) => history.slice(-10) };
 * const session = await varve.session("ann:1", { window: 8_000, strategy: managedStrategy("last-ten", lastTen) });
 * ```
 */
export function managedStrategy(name: string, manager: BareContextManager): Strategy {
  return windowStrategy(name, {}, (input) => new ManagedViewer(input, name, manager));
}

class ManagedViewer implements Viewer {
  readonly cut = 0;
  readonly #input: StrategyInput;
  readonly #name: string;
  readonly #manager: BareContextManager;
  readonly #guard: ContextManager;
  #background: Promise<unknown> = Promise.resolve();
  #missing: ReadonlySet<number> = new Set();
  #receipts = 0;

  constructor(input: StrategyInput, name: string, manager: BareContextManager) {
    const { budget, counter, price } = input;
    this.#input = input;
    this.#name = name;
    this.#manager = manager;
    this.#guard = contextManager({ start: slidingWindow().start, budget, counter, price });
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
    await background;
    const view = await this.#composed(request);
    const missing = this.#missingFrom(view.messages);
    const fresh = [...missing].filter((position) => !this.#missing.has(position));
    const receipt = fresh.length === 0 ? undefined : this.#receipt(view, fresh);
    if (!dry) await this.#leave(missing, fresh);
    const { log, budget } = this.#input;
    return { ...view, budget, leftOut: missing.size, entries: log.entries.length, receipt };
  }

  async #composed({ system = "", tools = [], context }: ViewRequest): Promise<View> {
    const payload: unknown = await this.#manager.composePayload(system, this.#history(), tools, context);
    const messages = isObject(payload) ? payload.messages : payload;
    if (!Array.isArray(messages)) throw noPayload(this.#name);
    const prompted = messages.some(({ role, content }: Message) => role === "system" && content === system);
    return this.#guard.composePayload(prompted ? "" : system, messages, tools);
  }

  #history(): Message[] {
    return this.#input.log.entries.map(({ message }) => message);
  }

  /** Positions of the messages of the conversation that a view does not show as they are. */
  #missingFrom(shown: readonly Message[]): Set<number> {
    const { log } = this.#input;
    const left = new Map<string, number>();
    for (const message of shown) left.set(JSON.stringify(message), (left.get(JSON.stringify(message)) ?? 0) + 1);
    const missing = new Set<number>();
    for (let position = log.entries.length - 1; position >= log.start; position--) {
      const key = JSON.stringify(log.messageAt(position));
      const count = left.get(key) ?? 0;
      if (count > 0) left.set(key, count - 1);
      else if (!log.entries[position]!.blank) missing.add(position);
    }
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

const noPayload = (name: string): VarveError =>
  new VarveError({
    code: "invalid-plugin",
    message: `The context manager "${name}" composed no messages.`,
    hint: "composePayload returns a list of messages, or an object with one as its messages.",
    details: { strategy: name },
  });
