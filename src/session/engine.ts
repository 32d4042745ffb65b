import type { Budget } from "../compaction/budget.js";
import { countMessages } from "../compaction/count-messages.js";
import { isCut, type Receipt } from "../compaction/receipt.js";
import { priceOf, resolveSettings } from "../compaction/settings.js";
import type { View, ViewRequest } from "../compaction/view.js";
import type { Summariser } from "../digest/summariser.js";
import { VarveError } from "../errors.js";
import type { Entry } from "../message/entry.js";
import { Log } from "../message/log.js";
import { positionOf } from "../store/branch.js";
import { resolveStrategy } from "../strategies/registry.js";
import { startViewer } from "../strategies/start-viewer.js";
import type { Strategy, Viewer, ViewOptions } from "../strategies/strategy.js";
import { type Calibration, calibrate, NO_CALIBRATION } from "../tokens/calibration.js";
import type { TokenCounter } from "../tokens/counter.js";
import { withMemoryShare } from "./memory/memory-options.js";
import { Pins } from "./pins.js";
import type { HeldOptions, SessionOptions } from "./session-options.js";
import { mergeOptions } from "./stored-options.js";
import { withStrategySettings } from "./strategy-settings.js";
import { type AccountFacts, type ViewAccount, ViewAccounts } from "./view-account.js";

/** A view that was made and is not accepted yet: it counts once its session is durable. */
export interface MadeView {
  readonly view: View;
  readonly request: ViewRequest;
  /** The viewer's state before and after it. */
  readonly before: unknown;
  readonly after: unknown;
  readonly account: ViewAccount;
}

/** What a reduction can be taken back to. */
export interface UndoStep {
  readonly receipt: Receipt;
  /** The row of the store that holds the state; -1 for the state that a viewer starts with. */
  readonly row: number;
  readonly state: () => unknown;
}

/** A state of the viewer to go on from, with the receipts and the steps back that belong to it. */
export interface Resumption {
  readonly state: unknown;
  readonly receipts: readonly Receipt[];
  readonly undo: readonly UndoStep[];
  /** Whether it is the latest state, rather than one that somebody went back to. */
  readonly isNews: boolean;
}

const PIN_BUDGET = 0.25;
const CACHE_LIFETIME = 5 * 60 * 1_000;
/** A change of the error bound smaller than this is not worth a new plan. */
const BOUND_STEP = 0.02;

export interface EnginePorts {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Writes the prose of strategies that show some and have no summariser of their own. */
  readonly summariser?: Summariser | undefined;
  /** Told that such prose is to be written, where somebody else writes it; else it is written here, in the background. */
  readonly onSummaryDue?: (() => void) | undefined;
  /** Adds to a view what is remembered beyond its log, where that fits. */
  readonly withMemories?: (view: View, options: ViewOptions) => Promise<View>;
}

/** One branch of a session at work: its log, its pins and the strategy's viewer. It knows no store. */
export class Engine {
  readonly accounts = new ViewAccounts();
  readonly #ports: EnginePorts;
  #log = new Log();
  #pins: Pins;
  #receipts: Receipt[] = [];
  /** Latest last. */
  #undo: UndoStep[] = [];
  #request: ViewRequest = {};
  /** Time of the latest view. */
  #viewed: number | undefined;
  #calibration: Calibration = NO_CALIBRATION;
  #options: HeldOptions;
  #strategy: Strategy;
  /** Whether the summariser of the strategy is not its own. */
  #isProvided = false;
  #budget: Budget;
  #counter: TokenCounter;
  #viewer: Viewer;
  /** The state that the viewer started with. */
  #initial: unknown;
  #latest: View | undefined;

  constructor(options: HeldOptions, ports: EnginePorts) {
    this.#ports = ports;
    this.#options = options;
    this.#strategy = this.#resolve(options);
    ({ budget: this.#budget, counter: this.#counter } = settingsOf(options));
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

  get options(): HeldOptions {
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
    const after = this.#viewer.state;
    const own = this.#pins.reported(made, this.#strategy.name);
    const view = (await this.#ports.withMemories?.(own, options)) ?? own;
    return { view, request, before, after, account: this.accounts.with(view, this.#facts()) };
  }

  #facts(): AccountFacts {
    const { name: counter, errorBound, factor = 1 } = this.#counter;
    const reports = this.#calibration.ratios.length;
    const head = this.#log.entries.at(-1)?.sequence ?? -1;
    return { time: this.#ports.now(), strategy: this.#strategy.name, counter, errorBound, factor, reports, head };
  }

  /** What a reduction would do: its receipt, without doing it. */
  async explain(request: ViewRequest): Promise<Receipt | undefined> {
    return (await this.make({ ...this.#request, ...request }, { force: true, dry: true })).view.receipt;
  }

  /** Takes a view over: from here on it is the latest, and its receipt, under the id given to it, one of those made. */
  accept({ view: made, request, before, account }: MadeView, { id, row }: { id: string; row: number }): View {
    const receipt = made.receipt && { ...made.receipt, id };
    const view = { ...made, receipt };
    this.#pins.clearReport();
    if (receipt !== undefined) this.#receipts.push(receipt);
    if (receipt !== undefined && isCut(receipt)) this.#undo.push({ receipt, row, state: () => before });
    const { cache: _cache, ...rest } = request;
    this.#request = rest;
    this.#viewed = this.#ports.now();
    this.#latest = view;
    this.accounts.take(account);
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
    this.accounts.restore(undefined);
    return last;
  }

  resume({ state, receipts, undo, isNews }: Resumption): void {
    this.#viewer.restore?.(state, isNews);
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
    const { counter } = settingsOf(this.#options, this.#calibration);
    const settled = Math.abs(counter.errorBound - this.#counter.errorBound) < BOUND_STEP;
    if (counter.name !== this.#counter.name || !settled) this.#adopt(this.#options, this.#viewer.cut);
  }

  configure(options: SessionOptions): void {
    const isOther = options.model !== undefined && options.model !== this.#options.model;
    const calibration = isOther ? NO_CALIBRATION : this.#calibration;
    const merged = withStrategySettings(mergeOptions(this.#options, options));
    const strategy = merged.strategy === this.#options.strategy ? this.#strategy : this.#resolve(merged);
    settingsOf(merged, calibration);
    this.#calibration = calibration;
    this.#strategy = strategy;
    this.#adopt(merged);
  }

  /** Starts over with these options; a cut is given where the prefix of the views is to stay. */
  #adopt(options: HeldOptions, cut?: number): void {
    const settings = settingsOf(options, this.#calibration);
    if (settings.counter.name !== this.#counter.name) for (const entry of this.#log.entries) entry.tokens = undefined;
    this.#options = options;
    ({ budget: this.#budget, counter: this.#counter } = settings);
    this.#restart(cut);
  }

  #restart(cut?: number): void {
    if (cut === undefined) this.accounts.restore(undefined);
    this.#viewer = this.#startViewer(cut);
    this.#initial = this.#viewer.state;
    this.#undo = [];
  }

  /** A request with what the time since the latest view says of the cache. */
  #timed(request: ViewRequest): ViewRequest {
    const { cacheLifetime = CACHE_LIFETIME } = this.#options;
    if (request.cache !== undefined || this.#viewed === undefined) return request;
    return this.#ports.now() - this.#viewed > cacheLifetime ? { ...request, cache: "cold" } : request;
  }

  #startPins(): Pins {
    const tokensAt = (position: number): number =>
      this.#viewer.tokensAt?.(position) ??
      countMessages(this.#log.legal(this.#log.exchangeHolding(position)), this.#counter);
    const budget = () => Math.floor(this.#budget.usable * (this.#options.pinBudget ?? PIN_BUDGET));
    return new Pins({ log: this.#log, tokensAt, budget, now: this.#ports.now });
  }

  #resolve({ strategy, strategyOptions }: HeldOptions): Strategy {
    const resolved = resolveStrategy(strategy, strategyOptions);
    const { summariser } = this.#ports;
    const provided = summariser && resolved.withSummariser?.(summariser);
    this.#isProvided = provided !== undefined;
    return provided ?? resolved;
  }

  #startViewer(cut?: number): Viewer {
    const { archive } = this.#options;
    const { onSummaryDue } = this.#ports;
    return startViewer(this.#strategy, {
      log: this.#log,
      budget: this.#budget,
      counter: this.#counter,
      price: priceOf(this.#options),
      pinned: () => this.#pins.positions,
      ...(cut !== undefined && { cut }),
      ...(archive && { archive }),
      ...(this.#isProvided && onSummaryDue && { onSummaryDue }),
    });
  }
}

/** How views are counted and how large they may be, with room for memories where they show some. */
function settingsOf(options: HeldOptions, calibration?: Calibration): { budget: Budget; counter: TokenCounter } {
  const { budget, counter } = resolveSettings(options, calibration);
  return { budget: withMemoryShare(budget, options.memory), counter };
}

const nothingToUndo = (): VarveError =>
  new VarveError({
    code: "not-found",
    message: "There is no reduction to undo.",
    hint: "session.receipts() lists those made.",
  });
