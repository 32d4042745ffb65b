import type { Budget } from "../compaction/budget.js";
import { countMessages } from "../compaction/count-messages.js";
import { isCut, type Receipt } from "../compaction/receipt.js";
import { priceOf, resolveSettings } from "../compaction/settings.js";
import type { View, ViewRequest } from "../compaction/view.js";
import { VarveError } from "../errors.js";
import type { Entry } from "../message/entry.js";
import { Log } from "../message/log.js";
import { positionOf } from "../store/branch.js";
import { resolveStrategy } from "../strategies/registry.js";
import { startViewer } from "../strategies/start-viewer.js";
import type { Strategy, Viewer, ViewOptions } from "../strategies/strategy.js";
import { type Calibration, calibrate, NO_CALIBRATION } from "../tokens/calibration.js";
import type { TokenCounter } from "../tokens/counter.js";
import { Pins } from "./pins.js";
import { mergeOptions, type SessionOptions } from "./session-options.js";
import { withStrategySettings } from "./strategy-settings.js";

/** A view that was made and is not accepted yet: it counts once its session is durable. */
export interface MadeView {
  readonly view: View;
  readonly request: ViewRequest;
  /** The viewer's state before and after it. */
  readonly before: unknown;
  readonly after: unknown;
}

/** What a reduction can be taken back to. */
export interface UndoStep {
  readonly receipt: Receipt;
  /** The row of the store that holds the state; -1 for the state that a viewer starts with. */
  readonly row: number;
  readonly state: () => unknown;
}

const PIN_BUDGET = 0.25;
const CACHE_LIFETIME = 5 * 60 * 1_000;
/** A change of the error bound smaller than this is not worth a new plan. */
const BOUND_STEP = 0.02;

/** One branch of a session at work: its log, its pins and the strategy's viewer. It knows no store. */
export class Engine {
  readonly #now: () => number;
  #log = new Log();
  #pins: Pins;
  #receipts: Receipt[] = [];
  /** Latest last. */
  #undo: UndoStep[] = [];
  #request: ViewRequest = {};
  /** Time of the latest view. */
  #viewed: number | undefined;
  #calibration: Calibration = NO_CALIBRATION;
  #options: SessionOptions;
  #strategy: Strategy;
  #budget: Budget;
  #counter: TokenCounter;
  #viewer: Viewer;
  /** The state that the viewer started with. */
  #initial: unknown;
  #latest: View | undefined;

  constructor(options: SessionOptions, now: () => number) {
    this.#now = now;
    this.#options = options;
    this.#strategy = resolveStrategy(options.strategy);
    ({ budget: this.#budget, counter: this.#counter } = resolveSettings(options));
    this.#pins = this.#startPins();
    this.#viewer = this.#startViewer();
    this.#initial = this.#viewer.state;
  }

  get log(): Log {
    return this.#log;
  }

  get pins(): Pins {
    return this.#pins;
  }

  get options(): SessionOptions {
    return this.#options;
  }

  get strategy(): Strategy {
    return this.#strategy;
  }

  get budget(): Budget {
    return this.#budget;
  }

  get counter(): TokenCounter {
    return this.#counter;
  }

  get viewer(): Viewer {
    return this.#viewer;
  }

  get initial(): unknown {
    return this.#initial;
  }

  get latest(): View | undefined {
    return this.#latest;
  }

  /** The request of the latest view, but for the state of the cache. */
  get request(): ViewRequest {
    return this.#request;
  }

  get receipts(): readonly Receipt[] {
    return this.#receipts;
  }

  get calibration(): Calibration {
    return this.#calibration;
  }

  /** Says which settings states of the viewer belong to. */
  get signature(): string {
    const { usable, trigger, target } = this.#budget;
    return JSON.stringify([this.#strategy.name, usable, trigger, target, this.#counter.name]);
  }

  /** Takes in entries of before: nothing is begun in the background for them. */
  load(entries: readonly Entry[]): void {
    this.#log.append(entries);
  }

  append(entries: readonly Entry[]): void {
    this.#log.append(entries);
    if (entries.at(-1)?.role === "assistant") this.#viewer.turnComplete?.();
  }

  /** Goes on with another branch, from its beginning. */
  switchTo(entries: readonly Entry[]): void {
    const pins = this.#pins.state;
    this.#log = new Log();
    this.#log.append(entries);
    this.#pins = this.#startPins();
    this.#pins.restore({ ...pins, pins: pins.pins.filter(({ entry }) => positionOf(entries, entry) >= 0) });
    this.#restart();
  }

  /** Makes a view without accepting it. */
  async make(request: ViewRequest, options: ViewOptions): Promise<MadeView> {
    this.#pins.sweep();
    const before = this.#viewer.state;
    const made = await this.#viewer.view(this.#timed(request), options);
    return { view: this.#pins.reported(made, this.#strategy.name), request, before, after: this.#viewer.state };
  }

  /** What a reduction would do: its receipt, without doing it. */
  async explain(request: ViewRequest): Promise<Receipt | undefined> {
    return (await this.make({ ...this.#request, ...request }, { force: true, dry: true })).view.receipt;
  }

  /** Takes a view over: from here on it is the latest, and its receipt, under the id given to it, one of those made. */
  accept({ view: made, request, before }: MadeView, { id, row }: { id: string; row: number }): View {
    const receipt = made.receipt && { ...made.receipt, id };
    const view = { ...made, receipt };
    this.#pins.clearReport();
    if (receipt !== undefined) this.#receipts.push(receipt);
    if (receipt !== undefined && isCut(receipt)) this.#undo.push({ receipt, row, state: () => before });
    const { cache: _cache, ...rest } = request;
    this.#request = rest;
    this.#viewed = this.#now();
    this.#latest = view;
    return view;
  }

  /** Takes a view back that could not be made durable. */
  refuse({ before }: MadeView): void {
    this.#viewer.restore?.(before);
  }

  /** Takes the latest reduction back. */
  undo(): UndoStep {
    const last = this.#undo.pop();
    if (last === undefined) throw nothingToUndo();
    this.#viewer.restore?.(last.state());
    this.#receipts = this.#receipts.filter(({ id }) => id !== last.receipt.id);
    return last;
  }

  /** Goes on from a state of the viewer, with the receipts and the steps back that belong to it. */
  resume(state: unknown, receipts: readonly Receipt[], undo: readonly UndoStep[]): void {
    this.#viewer.restore?.(state);
    this.#receipts = receipts.slice();
    this.#undo = undo.slice();
  }

  /** Takes a provider's count for the latest view in; true where that changes how views are counted. */
  reportUsage(usage: { readonly inputTokens: number }): void {
    if (this.#latest === undefined || this.#options.counter !== undefined) return;
    const report = { estimated: this.#latest.tokens, reported: usage, factor: this.#counter.factor ?? 1 };
    this.calibrate(calibrate(this.#calibration, report));
  }

  /** Counts with a calibration from here on, where that makes a difference. */
  calibrate(calibration: Calibration): void {
    this.#calibration = calibration;
    const { counter } = resolveSettings(this.#options, this.#calibration);
    const settled = Math.abs(counter.errorBound - this.#counter.errorBound) < BOUND_STEP;
    if (counter.name !== this.#counter.name || !settled) this.#adopt(this.#options, this.#viewer.cut);
  }

  configure(options: SessionOptions): void {
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
    this.#restart(cut);
  }

  #restart(cut?: number): void {
    this.#viewer = this.#startViewer(cut);
    this.#initial = this.#viewer.state;
    this.#undo = [];
  }

  /** A request with what the time since the latest view says of the cache. */
  #timed(request: ViewRequest): ViewRequest {
    const { cacheLifetime = CACHE_LIFETIME } = this.#options;
    if (request.cache !== undefined || this.#viewed === undefined) return request;
    return this.#now() - this.#viewed > cacheLifetime ? { ...request, cache: "cold" } : request;
  }

  #startPins(): Pins {
    const tokensAt = (position: number): number =>
      this.#viewer.tokensAt?.(position) ??
      countMessages(this.#log.legal(this.#log.exchangeHolding(position)), this.#counter);
    const budget = () => Math.floor(this.#budget.usable * (this.#options.pinBudget ?? PIN_BUDGET));
    return new Pins({ log: this.#log, tokensAt, budget, now: this.#now });
  }

  #startViewer(cut?: number): Viewer {
    const { archive } = this.#options;
    return startViewer(this.#strategy, {
      log: this.#log,
      budget: this.#budget,
      counter: this.#counter,
      price: priceOf(this.#options),
      pinned: () => this.#pins.positions,
      ...(cut !== undefined && { cut }),
      ...(archive && { archive }),
    });
  }
}

const nothingToUndo = (): VarveError =>
  new VarveError({
    code: "not-found",
    message: "There is no reduction to undo.",
    hint: "session.receipts() lists those made.",
  });
