import type { Budget } from "../compaction/budget.js";
import type { Receipt } from "../compaction/receipt.js";
import { resolveSettings, type WindowSettings } from "../compaction/settings.js";
import type { Block, View, ViewRequest } from "../compaction/view.js";
import { VarveError } from "../errors.js";
import { type Entry, entryOf } from "../message/entry.js";
import { Log } from "../message/log.js";
import type { Message } from "../message/types.js";
import type { Store } from "../store/store.js";
import { resolveStrategy } from "../strategies/registry.js";
import type { Archive, Strategy, Viewer } from "../strategies/strategy.js";
import type { TokenCounter } from "../tokens/counter.js";
import { sealMessage } from "./seal-message.js";

export interface SessionOptions extends WindowSettings {
  readonly strategy?: string | Strategy;
  /** The long-term archive: gets the messages that a view no longer shows. */
  readonly archive?: Archive;
}

/** How a session stands: what its latest view took, and what is left. */
export interface SessionStatus {
  readonly id: string;
  readonly strategy: string;
  readonly counter: string;
  readonly budget: Budget;
  readonly entries: number;
  readonly turns: number;
  /** Entries that the latest view did not show. */
  readonly leftOut: number;
  readonly tokens: number;
  readonly blocks: readonly Block[];
  readonly percentUsed: number;
  readonly pins: readonly string[];
  readonly receipts: number;
}

export interface SessionPorts {
  readonly store: Store;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * One conversation: messages go in, views come out. The log keeps everything; a view shows what fits.
 *
 * @example
 * ```ts
 * const session = await varve.session("user:agent:1", { window: 128_000 });
 * await session.append(fromOpenAI(messages));
 * const view = await session.view({ system: "You are a helpful agent.", tools });
 * ```
 */
export class Session {
  readonly id: string;
  readonly #ports: SessionPorts;
  readonly #log = new Log();
  readonly #pins = new Map<string, number>();
  readonly #receipts: Receipt[] = [];
  #options: SessionOptions;
  #strategy: Strategy;
  #budget: Budget;
  #counter: TokenCounter;
  #viewer: Viewer;
  #latest: View | undefined;

  constructor(id: string, options: SessionOptions, ports: SessionPorts) {
    this.id = id;
    this.#ports = ports;
    this.#options = options;
    this.#strategy = resolveStrategy(options.strategy);
    ({ budget: this.#budget, counter: this.#counter } = resolveSettings(options));
    this.#viewer = this.#startViewer();
  }

  /** Takes in what the store already holds. */
  async load(): Promise<this> {
    for (const entry of await this.#ports.store.load(this.id)) this.#log.push(entry);
    return this;
  }

  /** Adds messages to the log. They are durable when it resolves; changing them afterwards has no effect. */
  async append(messages: Message | readonly Message[]): Promise<readonly Entry[]> {
    const list: readonly Message[] = Array.isArray(messages) ? messages : [messages as Message];
    const time = this.#ports.now();
    const start = this.#log.entries.length;
    const entries: Entry[] = [];
    for (let at = 0; at < list.length; at++) {
      const sequence = start + at;
      entries.push(entryOf(sealMessage(list[at]!, at), { sequence, after: sequence - 1, time }));
    }
    await this.#ports.store.append(this.id, entries);
    for (const entry of entries) this.#log.push(entry);
    return entries;
  }

  /** What to send to the model now. Reduces where the window demands it, and says so in the receipt. */
  async view(request: ViewRequest = {}): Promise<View> {
    const view = await this.#viewer.view(request);
    if (view.receipt !== undefined) this.#receipts.push(view.receipt);
    this.#latest = view;
    return view;
  }

  /** Goes on with another model, window or strategy. The log stays; the next view is planned anew. */
  configure(options: SessionOptions): void {
    const merged = mergeOptions(this.#options, options);
    const settings = resolveSettings(merged);
    if (settings.counter.name !== this.#counter.name) for (const entry of this.#log.entries) entry.tokens = undefined;
    if (options.strategy !== undefined) this.#strategy = resolveStrategy(options.strategy);
    this.#options = merged;
    ({ budget: this.#budget, counter: this.#counter } = settings);
    this.#viewer = this.#startViewer();
  }

  /** Keeps an entry, with its whole exchange, in every view from now on. */
  pin(entryId: string): void {
    const position = this.#log.entries.findIndex((entry) => entry.id === entryId);
    if (position < 0) throw notFound(entryId, this.id);
    this.#pins.set(entryId, position);
  }

  unpin(entryId: string): void {
    if (!this.#pins.delete(entryId)) throw notFound(entryId, this.id);
  }

  /** The log itself, oldest first. */
  entries(): readonly Entry[] {
    return this.#log.entries;
  }

  /** The accounts of all reductions, oldest first. */
  receipts(): readonly Receipt[] {
    return this.#receipts;
  }

  status(): SessionStatus {
    const latest = this.#latest;
    const tokens = latest?.tokens ?? 0;
    return {
      id: this.id,
      strategy: this.#strategy.name,
      counter: this.#counter.name,
      budget: this.#budget,
      entries: this.#log.entries.length,
      turns: this.#log.requests.length,
      leftOut: latest?.leftOut ?? 0,
      tokens,
      blocks: latest?.blocks ?? [],
      percentUsed: tokens / this.#budget.usable,
      pins: [...this.#pins.keys()],
      receipts: this.#receipts.length,
    };
  }

  #startViewer(): Viewer {
    const { archive } = this.#options;
    return this.#strategy.start({
      log: this.#log,
      budget: this.#budget,
      counter: this.#counter,
      pinned: () => [...this.#pins.values()],
      ...(archive && { archive }),
    });
  }
}

/** Naming another model means its window and its counter too, unless they are given with it. */
function mergeOptions(before: SessionOptions, after: SessionOptions): SessionOptions {
  if (after.model === undefined || after.model === before.model) return { ...before, ...after };
  const { window: _window, reserve: _reserve, counter: _counter, ...rest } = before;
  return { ...rest, ...after };
}

const notFound = (entryId: string, sessionId: string): VarveError =>
  new VarveError({
    code: "not-found",
    message: `The session "${sessionId}" has no such entry "${entryId}".`,
    hint: "Use an id from session.entries() or from what session.append() returned; pinned ones are in session.status().pins.",
    details: { entry: entryId },
  });
