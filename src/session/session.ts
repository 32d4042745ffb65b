import type { Budget } from "../compaction/budget.js";
import { checkViewRequest } from "../compaction/check-request.js";
import type { Receipt } from "../compaction/receipt.js";
import { resolveSettings, type WindowSettings } from "../compaction/settings.js";
import type { Block, View, ViewRequest } from "../compaction/view.js";
import { VarveError } from "../errors.js";
import { type Entry, entryOf } from "../message/entry.js";
import { Log } from "../message/log.js";
import { type PackedMessage, packMessage } from "../message/packed-message.js";
import type { Message } from "../message/types.js";
import type { Store } from "../store/store.js";
import { resolveStrategy } from "../strategies/registry.js";
import type { Archive, Strategy, Viewer, ViewOptions } from "../strategies/strategy.js";
import { type Calibration, calibrate, NO_CALIBRATION } from "../tokens/calibration.js";
import type { TokenCounter } from "../tokens/counter.js";
import { checkSessionOptions, checkUsage } from "./check-options.js";
import { type ExpandOptions, type Expansion, expandEntries } from "./expand.js";
import { LogSearch, type SearchHit } from "./search.js";
import { withStrategySettings } from "./strategy-settings.js";

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
  /** How far the true count may lie above the counted one, as a share of it. */
  readonly errorBound: number;
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

export interface CompactOptions extends ViewRequest {
  /** Reduces also where the view still fits; true unless given. */
  readonly force?: boolean;
}

export interface SessionPorts {
  readonly store: Store;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A change of the error bound smaller than this is not worth a new plan. */
const BOUND_STEP = 0.02;

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
  /** What each reduction can be taken back to, latest last. */
  #undo: { readonly state: unknown; readonly receipt: Receipt }[] = [];
  readonly #search = new LogSearch();
  #numbered = 0;
  #request: ViewRequest = {};
  #writing: Promise<unknown> = Promise.resolve();
  #calibration: Calibration = NO_CALIBRATION;
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
    this.#log.append(await this.#ports.store.load(this.id));
    return this;
  }

  /**
   * Adds messages to the log. They are durable when it resolves; changing them afterwards has no effect. Appends that
   * overlap are carried out one after the other, in the order of their calls.
   */
  append(messages: Message | readonly Message[]): Promise<readonly Entry[]> {
    const list: readonly Message[] = Array.isArray(messages) ? messages : [messages as Message];
    let packed: readonly PackedMessage[];
    try {
      packed = list.map(packMessage);
    } catch (error) {
      return Promise.reject(error);
    }
    const appended = this.#writing.then(() => this.#append(packed));
    this.#writing = appended.catch(() => undefined);
    return appended;
  }

  async #append(list: readonly PackedMessage[]): Promise<readonly Entry[]> {
    const first = this.#log.entries.length;
    const batch = { first, after: first - 1, time: this.#ports.now() };
    const entries = list.map((packed, at) => entryOf(packed, first + at, batch));
    await this.#ports.store.append(this.id, entries);
    this.#log.append(entries);
    return entries;
  }

  /** What to send to the model now. Reduces where the window demands it, and says so in the receipt. */
  async view(request: ViewRequest = {}): Promise<View> {
    return this.#view(checkViewRequest(request), {});
  }

  /**
   * Reduces the view now, down to the target, also where it still fits, and returns the receipt. Where nothing can be
   * left out that is an error with the reason, not a success.
   */
  async compact(options: CompactOptions = {}): Promise<Receipt> {
    const { force = true, ...request } = { ...this.#request, ...options };
    const { receipt } = await this.#view(checkViewRequest(request), { force });
    if (receipt?.leftOut !== undefined) return receipt;
    throw new VarveError({
      code: "nothing-removed",
      message: `The session "${this.id}" has nothing to leave out: the view holds no more than its last turn and what is pinned.`,
      hint: "Append more messages first, unpin something, or choose a smaller target.",
      details: { entries: this.#log.entries.length, leftOut: this.#latest?.leftOut ?? 0 },
    });
  }

  /** What `compact` would do: its receipt, without doing it. Undefined where it would do nothing. */
  async explain(request: ViewRequest = this.#request): Promise<Receipt | undefined> {
    const before = this.#stateOfViewer();
    try {
      return (await this.#viewer.view(checkViewRequest(request), { force: true, dry: true })).receipt;
    } finally {
      this.#viewer.restore?.(before);
    }
  }

  /** Takes the latest reduction back: the next view is the one before it, byte for byte, as long as that fits. */
  undo(): Receipt {
    const last = this.#undo.pop();
    if (last === undefined) {
      throw new VarveError({
        code: "not-found",
        message: "There is no reduction to undo.",
        hint: "session.receipts() lists those made.",
      });
    }
    this.#viewer.restore?.(last.state);
    this.#receipts.splice(this.#receipts.indexOf(last.receipt), 1);
    return last.receipt;
  }

  /** The original text behind a digest or of an entry, in pages; all pages together are the whole. */
  expand(id: string, options: ExpandOptions = {}): Expansion {
    const digest = this.#viewer.digest?.(id);
    if (digest !== undefined) return expandEntries(this.#log.entries.slice(digest.from, digest.to), options);
    const position = this.#position(id);
    return expandEntries([this.#log.entries[position]!], options);
  }

  /** Finds in everything ever said, best match first. */
  search(query: string, { limit = 5 }: { readonly limit?: number } = {}): SearchHit[] {
    return this.#search.find(query, this.#log.entries, limit);
  }

  async #view(request: ViewRequest, options: ViewOptions): Promise<View> {
    const state = this.#stateOfViewer();
    const made = await this.#viewer.view(request, options);
    const receipt = made.receipt && { ...made.receipt, id: `r${++this.#numbered}` };
    const view = { ...made, receipt };
    if (receipt !== undefined) this.#receipts.push(receipt);
    if (receipt?.leftOut !== undefined) this.#undo.push({ state, receipt });
    this.#request = request;
    this.#latest = view;
    return view;
  }

  #stateOfViewer(): unknown {
    return this.#viewer.state;
  }

  /**
   * Takes in what the provider counted for the latest view. Once a few reports agree, later views are counted with the
   * correction; a counter of your own is left alone.
   */
  reportUsage(usage: { readonly inputTokens: number }): void {
    checkUsage(usage);
    if (this.#latest === undefined || this.#options.counter !== undefined) return;
    const report = { estimated: this.#latest.tokens, reported: usage, factor: this.#counter.factor ?? 1 };
    this.#calibration = calibrate(this.#calibration, report);
    const { counter } = resolveSettings(this.#options, this.#calibration);
    const settled = Math.abs(counter.errorBound - this.#counter.errorBound) < BOUND_STEP;
    if (counter.name !== this.#counter.name || !settled) this.#adopt(this.#options, this.#viewer.cut);
  }

  /** Goes on with another model, window or strategy. The log stays; the next view is planned anew. */
  configure(options: SessionOptions): void {
    checkSessionOptions(options);
    const isOther = options.model !== undefined && options.model !== this.#options.model;
    const calibration = isOther ? NO_CALIBRATION : this.#calibration;
    const strategy = options.strategy === undefined ? this.#strategy : resolveStrategy(options.strategy);
    const merged = withStrategySettings(mergeOptions(this.#options, options));
    resolveSettings(merged, calibration);
    this.#calibration = calibration;
    this.#strategy = strategy;
    this.#adopt(merged);
  }

  /** Starts over with these options; a cut is given where the prefix of the views is to stay. */
  #adopt(options: SessionOptions, cut?: number): void {
    const settings = resolveSettings(options, this.#calibration);
    if (settings.counter.name !== this.#counter.name) for (const entry of this.#log.entries) entry.tokens = undefined;
    this.#options = options;
    ({ budget: this.#budget, counter: this.#counter } = settings);
    this.#viewer = this.#startViewer(cut);
    this.#undo = [];
  }

  /** Keeps an entry, with its whole exchange, in every view from now on. */
  pin(entryId: string): void {
    this.#pins.set(entryId, this.#position(entryId));
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
      errorBound: this.#counter.errorBound,
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

  #position(entryId: string): number {
    const position = this.#log.entries.findIndex((entry) => entry.id === entryId);
    if (position < 0) throw notFound(entryId, this.id);
    return position;
  }

  #startViewer(cut?: number): Viewer {
    const { archive } = this.#options;
    return this.#strategy.start({
      log: this.#log,
      budget: this.#budget,
      counter: this.#counter,
      pinned: () => [...this.#pins.values()],
      ...(cut !== undefined && { cut }),
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
