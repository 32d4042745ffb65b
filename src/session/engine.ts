import { VarveError } from "../errors.js";
import type { Entry } from "../message/entry.js";
import { Log } from "../message/log.js";
import { sameValue } from "../message/plain-value.js";
import type { Position } from "../message/positions.js";
import type { EntryScore } from "../notes/importance.js";
import type { VerifiedSummary } from "../notes/summarise-verified.js";
import type { Summariser } from "../notes/summariser.js";
import { positionOf } from "../store/branch.js";
import { type Calibration, calibrate, NO_CALIBRATION } from "../tokens/calibration.js";
import type { TokenCounter } from "../tokens/counter.js";
import { type Archived, handOver, NOTHING_ARCHIVED } from "../view/archive.js";
import { background } from "../view/background.js";
import { type Budget, resultCap } from "../view/budget.js";
import { makeView } from "../view/make-view.js";
import { nextCut } from "../view/next-cut.js";
import { freshState, type Plan, type ViewState } from "../view/plan.js";
import type { PlanInput } from "../view/policy.js";
import { type Reading, readingOf } from "../view/reading.js";
import { isCut, type Receipt } from "../view/receipt.js";
import { hasReasoningSince } from "../view/sent.js";
import { priceOf, resolveSettings, thinkingOf } from "../view/settings.js";
import { resolveStrategy } from "../view/strategies/registry.js";
import type { Strategy, Work } from "../view/strategy.js";
import type { View, ViewRequest } from "../view/view.js";
import { withMemoryShare } from "./memory/memory-options.js";
import { Pins } from "./pins.js";
import type { HeldOptions, SessionOptions } from "./session-options.js";
import { mergeOptions } from "./stored-options.js";
import { withStrategySettings } from "./strategy-settings.js";
import { type AccountFacts, type ViewAccount, ViewAccounts } from "./view-account.js";

/** How a view is to be made: down to the target though it fits, or only to say what it would be. */
export interface ViewOptions {
  readonly force?: boolean;
  readonly dry?: boolean;
}

/** A view that was made and is not accepted yet: it counts once its session is durable. */
export interface MadeView {
  readonly view: View;
  readonly request: ViewRequest;
  /** The state of the views before and after it. */
  readonly before: ViewState;
  readonly after: ViewState;
  readonly archived: Archived;
  readonly account: ViewAccount;
}

/** What a reduction can be taken back to. */
export interface UndoStep {
  readonly receipt: Receipt;
  /** The row of the store that holds the state; -1 for the state that views start with. */
  readonly row: number;
  readonly state: () => ViewState;
}

/** A state to go on from, with the receipts and the steps back that belong to it. */
export interface Resumption {
  readonly state: ViewState;
  readonly receipts: readonly Receipt[];
  readonly undo: readonly UndoStep[];
  /** Head of the log at which somebody went back to it. */
  readonly held?: number | undefined;
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
  /** Told of every summary that was made in the background, and whether views go on from it. */
  readonly onSummary: (summary: VerifiedSummary, isTaken: boolean) => void;
}

/** What work in the background was begun on: a branch, and what its strategy kept then. */
export interface WorkBase {
  readonly log: Log;
  readonly own: unknown;
}

/** Receipts that are at hand; the store has all of them. */
export const RECENT = 50;
/** Steps back that are kept, here and in the store: each holds a state. */
export const STEPS = 8;

/** One branch of a session at work: its log, its pins, and the state that its views go on from. It knows no store. */
export class Engine {
  readonly accounts = new ViewAccounts();
  readonly #ports: EnginePorts;
  #log = new Log();
  #pins: Pins;
  #receipts: Receipt[] = [];
  /** Latest last. */
  #undo: UndoStep[] = [];
  #request: ViewRequest = {};
  /** By all reports, and the one that views are counted with. */
  #calibration: Calibration = NO_CALIBRATION;
  #counted: Calibration = NO_CALIBRATION;
  #options: HeldOptions;
  #strategy: Strategy;
  /** Whether the summariser of the strategy is not its own. */
  #isProvided = false;
  #budget: Budget;
  #counter: TokenCounter;
  #reading: Reading;
  #state: ViewState;
  /** The same as the latest view left it: what has been made in the background since is not in it. */
  #shown: ViewState;
  /** Grows when views are started anew. */
  #starts = 0;
  #archived = NOTHING_ARCHIVED;
  /** Head of the log when a view was taken back. */
  #held: number | undefined;
  #background = background();
  /** The latest work that somebody else was told of. */
  #told: string | undefined;
  #latest: View | undefined;

  constructor(options: HeldOptions, ports: EnginePorts) {
    this.#ports = ports;
    this.#options = options;
    this.#strategy = this.#resolve(options);
    ({ budget: this.#budget, counter: this.#counter } = settingsOf(options));
    this.#reading = this.#startReading();
    this.#pins = this.#startPins();
    this.#state = this.initial;
    this.#shown = this.#state;
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

  get reading(): Reading {
    return this.#reading;
  }

  get state(): ViewState {
    return this.#state;
  }

  /** The state that views start with. */
  get initial(): ViewState {
    return freshState(0, this.#strategy.own);
  }

  /** How often views were started anew. */
  get starts(): number {
    return this.#starts;
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

  /** The calibration that views are counted with: that of the latest reports, unless it makes no difference. */
  get counted(): Calibration {
    return this.#counted;
  }

  /** Sequence of the newest entry; -1 where there is none. */
  get head(): number {
    return this.#log.entries.at(-1)?.sequence ?? -1;
  }

  /** Says which settings states belong to: those that were given, whatever has been learnt of the counting since. */
  get signature(): string {
    const { budget, counter } = settingsOf(this.#options);
    return JSON.stringify([this.#strategy.name, budget.usable, budget.trigger, budget.target, counter.name]);
  }

  /** Takes in entries of before: nothing is begun in the background for them. */
  load(entries: readonly Entry[]): void {
    this.#log.append(entries);
  }

  append(entries: readonly Entry[]): void {
    this.#log.append(entries);
    if (entries.at(-1)?.role === "assistant") this.#begin();
  }

  /** Goes on with another branch, from its beginning. */
  switchTo(entries: readonly Entry[]): void {
    const pins = this.#pins.state;
    this.#log = new Log();
    this.#log.append(entries);
    this.#reading = this.#startReading();
    this.#archived = NOTHING_ARCHIVED;
    this.#pins = this.#startPins();
    this.#pins.restore({ ...pins, pins: pins.pins.filter(({ entry }) => positionOf(entries, entry) >= 0) });
    this.#restart();
  }

  /** Makes a view without accepting it: nothing changes, but that the archive has got what it no longer shows. */
  async make(request: ViewRequest, { force = false, dry = false }: ViewOptions): Promise<MadeView> {
    this.#pins.sweep();
    await this.#background.settled();
    const before = this.#state;
    const { view: made, next } = await makeView(this.#strategy, this.#input(this.#timed(request), force));
    const { archive } = this.#options;
    const archived =
      archive === undefined || dry
        ? this.#archived
        : await handOver(archive, this.#archived, { plan: made.plan, log: this.#log });
    const own = this.#pins.reported(made, this.#strategy.name);
    const view = (await this.#ports.withMemories?.(own, { force, dry })) ?? own;
    return { view, request, before, after: next, archived, account: this.accounts.with(view, this.#facts(made.plan)) };
  }

  #input(request: ViewRequest, force = false): PlanInput {
    const [price, thinking] = [priceOf(this.#options), thinkingOf(this.#options)];
    const held = this.#held === this.head;
    const [reading, budget, state, pinned] = [this.#reading, this.#budget, this.#state, this.#pins.positions];
    return { reading, budget, state, request, price, thinking, pinned, force, held };
  }

  /** What there is to do in the background now. */
  work(): { readonly work: Work; readonly base: WorkBase } | undefined {
    const work = this.#strategy.work?.(this.#input({}));
    return work && { work, base: { log: this.#log, own: this.#state.own } };
  }

  /** Takes over what came of work; false where the views have gone on from something else since. */
  take(base: WorkBase, own: unknown): boolean {
    if (this.#log !== base.log || !sameValue(this.#state.own, base.own)) return false;
    this.#state = { ...this.#state, own };
    return true;
  }

  /** Begins what is to be done in the background, or tells whoever does it; each of them is told once of each. */
  #begin(): void {
    const { onSummaryDue, onSummary } = this.#ports;
    const base = { log: this.#log, own: this.#state.own };
    if (!this.#isProvided || onSummaryDue === undefined) {
      let made: VerifiedSummary | undefined;
      const done = (own: unknown) => {
        const isTaken = this.take(base, own);
        if (made !== undefined) onSummary(made, isTaken);
      };
      this.#background.begin(this.#strategy, this.#input({}), {
        done,
        onSummary: (summary) => {
          made = summary;
        },
      });
      return;
    }
    const due = this.work()?.work.id;
    if (due !== undefined && due !== this.#told) onSummaryDue();
    this.#told = due ?? this.#told;
  }

  #facts(plan: Plan): AccountFacts {
    const { name: counter, errorBound, factor = 1 } = this.#counter;
    const reports = this.#calibration.ratios.length;
    const { name: strategy, policy } = this.#strategy;
    const next = nextCut(plan, { log: this.#log, ...(policy && { policy }) });
    return { time: this.#ports.now(), strategy, counter, errorBound, factor, reports, head: this.head, nextCut: next };
  }

  /** What a reduction would do: its receipt, without doing it. */
  async explain(request: ViewRequest): Promise<Receipt | undefined> {
    const { receipt } = (await this.make({ ...this.#request, ...request }, { force: true, dry: true })).view;
    const scores = receipt && this.scores();
    return scores === undefined ? receipt : { ...receipt!, scores };
  }

  /** How important each entry is, where the strategy goes by that. */
  scores(): readonly EntryScore[] | undefined {
    return this.#strategy.policy?.past.scores?.(this.#input({}));
  }

  /** Takes a view over: from here on it is the latest, and its receipt, under the id given to it, one of those made. */
  accept(
    { view: made, request, before, after, archived, account }: MadeView,
    { id, row }: { id: string; row: number },
  ): View {
    const receipt = made.receipt && { ...made.receipt, id };
    const view = { ...made, receipt };
    this.#pins.clearReport();
    const shown = this.#shown;
    this.#state = this.#state.own === before.own ? after : { ...after, own: this.#state.own };
    this.#shown = after;
    this.#archived = archived;
    if (receipt !== undefined) this.#receipts = [...this.#receipts.slice(1 - RECENT), receipt];
    if (receipt !== undefined && isCut(receipt))
      this.#undo = [...this.#undo.slice(1 - STEPS), { receipt, row, state: () => shown }];
    const { cache: _cache, ...rest } = request;
    this.#request = rest;
    this.#latest = view;
    this.accounts.take(account);
    if (after.cut !== before.cut) this.#log.keepLegal(shownIn(view.plan));
    this.#begin();
    return view;
  }

  /** Takes the latest reduction back. */
  undo(): UndoStep {
    const last = this.#undo.at(-1);
    if (last === undefined) throw nothingToUndo();
    if (last.receipt.demanded) throw demandedCut(last.receipt, this.#budget);
    this.#undo.pop();
    const state = last.state();
    const { sent, latest } = this.#state;
    // Reasoning that has come since the view that is taken back was written under that.
    const isReasoned = latest !== undefined && hasReasoningSince(this.#log, latest.entries);
    this.#goTo(isReasoned ? { ...state, sent, latest } : state);
    this.#held = this.head;
    this.#receipts = this.#receipts.filter(({ id }) => id !== last.receipt.id);
    this.accounts.restore(undefined);
    return last;
  }

  resume({ state, receipts, undo, held }: Resumption): void {
    this.#goTo(state);
    this.#held = held;
    this.#receipts = receipts.slice();
    this.#undo = undo.slice();
  }

  #goTo(state: ViewState): void {
    this.#state = state;
    this.#shown = state;
    this.#background = background();
    this.#told = undefined;
  }

  /** Takes a provider's count for the latest view in; true where that changes how views are counted. */
  reportUsage(usage: { readonly inputTokens: number }): void {
    const { latest } = this.accounts;
    if (latest === undefined || this.#options.counter !== undefined) return;
    const report = { estimated: latest.tokens, reported: usage, factor: latest.factor };
    const calibration = calibrate(this.#calibration, report);
    const { counter } = settingsOf(this.#options, calibration);
    const settled = Math.abs(counter.errorBound - this.#counter.errorBound) < BOUND_STEP;
    this.calibrate(calibration, counter.name === this.#counter.name && settled ? this.#counted : calibration);
  }

  /** Knows a calibration, and counts with this one from here on. */
  calibrate(calibration: Calibration, counted: Calibration): void {
    this.#calibration = calibration;
    if (sameValue(counted, this.#counted)) return;
    this.#counted = counted;
    this.#adopt(this.#options, true);
  }

  configure(options: SessionOptions): void {
    const isOther = options.model !== undefined && options.model !== this.#options.model;
    const calibration = isOther ? NO_CALIBRATION : this.#calibration;
    const merged = withStrategySettings(mergeOptions(this.#options, options));
    const strategy = merged.strategy === this.#options.strategy ? this.#strategy : this.#resolve(merged);
    settingsOf(merged, calibration);
    const before = this.signature;
    const isSame = strategy === this.#strategy;
    const isBound = thinkingOf(merged) === "bound" && thinkingOf(this.#options) !== "bound";
    const unthought = isBound ? this.#log.entries.length : this.#state.unthought;
    this.#state = { ...this.#state, own: isSame ? this.#state.own : strategy.own, unthought };
    [this.#strategy, this.#options] = [strategy, merged];
    if (isSame && this.signature === before) {
      this.calibrate(calibration, isOther ? calibration : this.#counted);
      return;
    }
    [this.#calibration, this.#counted] = [calibration, calibration];
    this.#adopt(merged);
  }

  /** Goes on with these options; from the same state where only the count has changed, so that the prefix stays. */
  #adopt(options: HeldOptions, isSame = false): void {
    const settings = settingsOf(options, this.#counted);
    if (settings.counter.name !== this.#counter.name) for (const entry of this.#log.entries) entry.tokens = undefined;
    this.#options = options;
    ({ budget: this.#budget, counter: this.#counter } = settings);
    this.#restart(isSame);
  }

  #restart(isSame = false): void {
    this.#reading = this.#startReading();
    if (!isSame) {
      this.accounts.restore(undefined);
      this.#state = startedAnew(this.#state, this.#state.own);
      this.#shown = this.#state;
    }
    this.#starts++;
    this.#undo = [];
  }

  /** A request with what the time since the latest view says of the cache. */
  #timed(request: ViewRequest): ViewRequest {
    const { cacheLifetime = CACHE_LIFETIME } = this.#options;
    const { latest } = this.accounts;
    if (request.cache !== undefined || latest === undefined) return request;
    return this.#ports.now() - latest.time > cacheLifetime ? { ...request, cache: "cold" } : request;
  }

  #startPins(): Pins {
    const tokensAt = (position: number): number => this.#reading.fresh(this.#log.holding(position)!).tokens;
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

  #startReading(): Reading {
    return readingOf(this.#log, this.#counter, resultCap(this.#budget, this.#strategy.policy?.resultShare));
  }
}

/** The state that views under other settings start with: what was shown and sent stays known. */
export const startedAnew = ({ showing, sent, latest, unthought }: ViewState, own: unknown): ViewState => ({
  ...freshState(0, own),
  showing,
  sent,
  latest,
  unthought,
});

/** Where the exchanges open that a plan shows. */
const shownIn = ({ items }: Plan): Position[] => items.flatMap((item) => (item.kind === "exchange" ? [item.at] : []));

/** How views are counted and how large they may be, with room for memories where they show some. */
function settingsOf(options: HeldOptions, calibration?: Calibration): { budget: Budget; counter: TokenCounter } {
  const { budget, counter } = resolveSettings(options, calibration);
  return { budget: withMemoryShare(budget, options.memory), counter };
}

const demandedCut = ({ id, tokensBefore }: Receipt, { usable }: Budget): VarveError =>
  new VarveError({
    code: "undo-refused",
    message: `Taken back, the cut ${id} would be made again by the next view: without it that takes ${tokensBefore} tokens, and the window has ${usable}.`,
    hint: "session.expand() and session.search() find what it left out, session.pin() shows it again; session.configure({ window }) with a larger one plans views anew.",
    details: { receipt: id, tokens: tokensBefore, usable },
  });

const nothingToUndo = (): VarveError =>
  new VarveError({
    code: "not-found",
    message: "There is no reduction to undo.",
    hint: "session.receipts() lists those made.",
  });
