import type { MarkedForms } from "../../compaction/marked.js";
import { ShownExchanges } from "../../compaction/shown.js";
import type { View, ViewRequest } from "../../compaction/view.js";
import type { Digest } from "../../digest/digest.js";
import type { VerifiedSummary } from "../../digest/summarise-verified.js";
import { sameValue } from "../../message/plain-value.js";
import type { PendingSummary, StrategyInput, Viewer, ViewOptions } from "../strategy.js";
import { type Account, accountOf, leftOutOf } from "./account.js";
import { handOver, NOTHING_ARCHIVED } from "./archive.js";
import { type Carried, carriedOf } from "./carried.js";
import { coldPlan } from "./cold-plan.js";
import { type Choice, type Composition, compose } from "./compose.js";
import { ContextBlock, type ContextForm } from "./context-block.js";
import { type Counted, totalTokens } from "./counted.js";
import { FixedBlockCounter, type FixedBlocks } from "./fixed.js";
import { checkCount, checkFits } from "./floor.js";
import { Past, type PastState } from "./past.js";
import { type Plan, type PlanInput, planView, stayingPlan } from "./planner.js";
import { type Pricing, pricedBudget } from "./pricing.js";
import { CUT_REASONS, type CutSetting, receiptOf } from "./receipt.js";
import { repairsIn } from "./repairs.js";
import { EarlierRequests } from "./requests.js";
import { loadState, saveState, statesDiffer } from "./saved-state.js";
import { Scene, type WholeRequests } from "./scene.js";
import { Squeeze } from "./squeeze.js";
import type { StandIn, StandInInput } from "./stand-in.js";
import { Standings } from "./standings.js";
import { type TailExchange, tailOf } from "./tail.js";
import { type ContextReach, contextReach } from "./touched.js";
import { withoutHistory } from "./without-history.js";

export interface WindowPolicy {
  /** Names the strategy in receipts. */
  readonly name: string;
  /** Messages at the end that a cut spares as long as they fit. */
  readonly lockLast: number;
  /** Share of the usable tokens that one tool result may take. */
  readonly resultShare: number;
  /** Why it cuts, for receipts; the window unless given. */
  readonly reason?: string;
  /** Whether a cut clears old results of the last turn where that keeps the turn together; false unless given. */
  readonly clears?: boolean;
  /** Makes what stands in for the part before the cut. */
  readonly standIn: (input: StandInInput) => StandIn;
  /** Position of the cut that a tail is due for, though it fits; undefined where it is not due. */
  readonly due?: (tail: readonly TailExchange[]) => number | undefined;
}

/** Share of the usable tokens for an earlier turn's request in front of the tail. */
const REQUEST_SHARE = 0.1;
/** Share of what the system prompt and the tools leave that the dynamic context may take. */
const CONTEXT_SHARE = 0.5;

/** The locked blocks and the context of one view, and the tokens that the locked blocks leave. */
interface Frame {
  readonly fixed: FixedBlocks;
  readonly context: ContextForm | undefined;
  readonly space: number;
  readonly pricing: Pricing;
  readonly reach: ContextReach;
}

/** Whether to cut though the view fits, because somebody asks or where it pays on a cold cache; or not as long as it does. */
interface Wish {
  readonly force: boolean;
  readonly cold: boolean;
  readonly stay: boolean;
  /** Tokens that what stands in for the past may take at most. */
  readonly room: number;
}

const UNFORCED = { force: false, cold: false };
const NO_WISH: Wish = { ...UNFORCED, stay: false, room: Number.POSITIVE_INFINITY };

/** A view that was made, for its receipt. */
interface Made {
  readonly request: ViewRequest;
  readonly frame: Frame;
  readonly account: Account;
  readonly composition: Composition;
  /** What stood in for the past in the view before. */
  readonly shownBefore: readonly Counted[];
  readonly force: boolean;
}

/** All that later views depend on, as values. */
interface WindowState {
  readonly cut: number;
  readonly shownCut: number;
  readonly account: Account | undefined;
  readonly whole: WholeRequests;
  readonly reduced: MarkedForms;
  readonly past: PastState;
}

/**
 * A window over one log. A view is, in this order: system messages, what stands in for the part that was left out,
 * pinned exchanges, the request of the turn in which the cut lies, and the tail of whole exchanges.
 *
 * A view that fails, or whose archive fails, changes nothing: the next one reports and archives all that it would have.
 * A cut is made only where it makes the view smaller, or where the view does not fit without it.
 */
export class WindowViewer implements Viewer {
  readonly resultCap: number;
  readonly #input: StrategyInput;
  readonly #policy: WindowPolicy;
  readonly #carried: Carried;
  readonly #shown: ShownExchanges;
  readonly #requests: EarlierRequests;
  readonly #fixed: FixedBlockCounter;
  readonly #context: ContextBlock;
  readonly #squeeze: Squeeze;
  readonly #past: Past;
  /** Position in the log at which the tail starts. */
  #cut: number;
  /** The same for the latest view that was handed out. */
  #shownCut: number;
  #account: Account | undefined;
  /** The latest cut that was made because it pays on a cold cache. */
  #coldCut = -1;
  /** The latest cut that was due though the view fitted. */
  #dueCut = -1;
  /** Length of the log when a view was taken back. */
  #heldAt = -1;
  #receipts = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(input: StrategyInput, policy: WindowPolicy) {
    const { log, counter, budget, cut } = input;
    const share = (part: number, least: number) => Math.max(least, Math.floor(budget.usable * part));
    this.resultCap = share(policy.resultShare, 16);
    this.#input = input;
    this.#policy = policy;
    this.#cut = cut ?? 0;
    this.#shownCut = this.#cut;
    this.#carried = carriedOf(log, policy.name, cut);
    this.#account = this.#carried.account;
    const { exchanges, requests } = this.#carried.forms;
    this.#shown = new ShownExchanges({ log, counter, resultCap: this.resultCap, forms: exchanges });
    const maxTokens = share(REQUEST_SHARE, 24);
    this.#requests = new EarlierRequests({ log, shown: this.#shown, counter, maxTokens, forms: requests });
    this.#fixed = new FixedBlockCounter(counter);
    this.#context = new ContextBlock(counter);
    this.#squeeze = new Squeeze(counter);
    const numbered = this.#carried.earlier[0]?.standIn.numbered ?? 0;
    const { onSummaryDue } = input;
    const due = onSummaryDue && { onSummaryDue };
    const given: StandInInput = { log, counter, budget, shown: this.#shown, numbered, ...due };
    const standIn = this.#carried.past?.standIn ?? policy.standIn(given);
    this.#past = new Past(standIn, counter, this.#carried.past?.state);
    this.#carried.past = this.#past;
  }

  get cut(): number {
    return this.#shownCut;
  }

  get state(): unknown {
    const { whole, reduced } = this.#carried;
    const state: WindowState = {
      cut: this.#cut,
      shownCut: this.#shownCut,
      account: this.#account,
      whole,
      reduced,
      past: this.#past.state,
    };
    return state;
  }

  /** What was taken back does not come again until the log has grown. */
  restore(state: unknown, isNews = false): void {
    const before = this.#cut;
    const { reduced } = this.#carried;
    this.#goBack(state);
    const hasMoved = this.#cut !== before || this.#carried.reduced !== reduced;
    if (isNews) this.#heldAt = -1;
    else if (hasMoved) this.#heldAt = this.#input.log.entries.length;
  }

  #goBack(state: unknown, trial = false): void {
    const { cut, shownCut, account, whole, reduced, past } = state as WindowState;
    this.#cut = cut;
    this.#shownCut = shownCut;
    this.#account = account;
    this.#carried.account = account;
    this.#carried.whole = whole;
    this.#carried.reduced = reduced;
    this.#past.restore(past, trial);
  }

  save(state: unknown): unknown {
    return saveState(state, this.#input.log, this.#carried.forms);
  }

  load(saved: unknown): unknown {
    return loadState(saved, this.#input.log, this.#carried.forms);
  }

  differs(before: unknown, after: unknown): boolean {
    return statesDiffer(before, after);
  }

  tokensAt(position: number): number {
    const { log } = this.#input;
    log.reach(position);
    return this.#shown.tokens(log.exchangeFrom(position));
  }

  digest(id: string): Digest | undefined {
    for (const past of [this.#past, ...this.#carried.earlier]) {
      const digest = past.digest(id);
      if (digest !== undefined) return digest;
    }
    return undefined;
  }

  summaryTask(): PendingSummary | undefined {
    const task = this.#past.standIn.task?.(this.#due() ?? this.#cut);
    return task && { ...task, last: this.#input.log.entries[task.to - 1]!.id };
  }

  /** On another branch the same positions are other entries. */
  takeSummary(task: PendingSummary, summary: VerifiedSummary): boolean {
    if (this.#input.log.entries[task.to - 1]?.id !== task.last) return false;
    return this.#past.standIn.take?.(task, summary) ?? false;
  }

  turnComplete(): void {
    this.#queue = this.#queue.then(() => this.#prepare());
  }

  /** Views are made one after the other: each starts from what the one before has shown. */
  view(request: ViewRequest, options: ViewOptions = {}): Promise<View> {
    const view = this.#queue.then(() => this.#attempt(request, options));
    this.#queue = view.catch(() => undefined);
    return view;
  }

  /** A view that is only tried, or that fails, leaves nothing behind. */
  async #attempt(request: ViewRequest, options: ViewOptions): Promise<View> {
    const before = this.state;
    let isKept = false;
    try {
      const view = await this.#view(request, options);
      isKept = options.dry !== true;
      return view;
    } finally {
      if (!isKept) this.#goBack(before, true);
    }
  }

  async #view(request: ViewRequest, { force = false, dry = false }: ViewOptions): Promise<View> {
    const { log, budget, counter } = this.#input;
    const frame = this.#frame(request);
    const shownBefore = this.#past.memory?.messages ?? [];
    const composition =
      log.lastVisible === undefined
        ? withoutHistory({ log, counter, budget, ...frame })
        : await this.#compose(frame, { ...NO_WISH, force, cold: request.cache === "cold" });
    checkFits(composition, budget);
    checkCount(composition.messages);
    const { fixed } = frame;
    const repairs = repairsIn({ log, fixed, composition });
    const account = accountOf(log, { fixed, composition, before: this.#account });
    const receipt = this.#receipt({ request, frame, account, composition, shownBefore, force });
    if (!dry) await this.#archive(account);
    this.#commit(account, receipt !== undefined);
    if (!dry) this.#prepare();
    const { messages, tokens, blocks } = composition;
    const tools = [...(request.tools ?? [])];
    const leftOut = leftOutOf(account);
    return { messages, tools, tokens, blocks, budget, leftOut, entries: log.entries.length, receipt, repairs };
  }

  #frame(request: ViewRequest): Frame {
    const { log, budget } = this.#input;
    const fixed = this.#fixed.measure(request, log, budget.usable);
    const space = budget.usable - fixed.system - fixed.tools;
    const context = this.#context.measure(request.context, Math.max(0, Math.floor(space * CONTEXT_SHARE)));
    return { fixed, space, context, pricing: this.#pricing(fixed), reach: contextReach(request.tools) };
  }

  #receipt({ request, frame, account, composition, shownBefore, force }: Made): View["receipt"] {
    const { fixed, reach } = frame;
    const { log, counter, price, budget } = this.#input;
    const { standIns } = composition;
    const other = shownBefore.findIndex(({ message }, at) => !sameValue(message, standIns[at]));
    const kept = totalTokens(other < 0 ? shownBefore : shownBefore.slice(0, other));
    const setting: CutSetting = {
      price,
      prefix: fixed.system + fixed.tools + kept,
      trigger: budget.trigger,
      cold: request.cache === "cold",
      written: this.#past.standIn.written ?? 0,
    };
    return receiptOf({
      id: `r${this.#receipts + 1}`,
      strategy: this.#policy.name,
      log,
      late: fixed.late,
      counter,
      shown: this.#shown,
      before: this.#account,
      account,
      composition,
      standings: new Standings(standIns.flatMap((message) => this.#past.standing(message) ?? [])),
      reason: this.#reason(account, force),
      reach,
      setting,
    });
  }

  #reason({ cut }: Account, force: boolean): string {
    if (force) return CUT_REASONS.asked;
    const hasMoved = cut !== this.#account?.cut;
    if (hasMoved && cut === this.#coldCut) return CUT_REASONS.cold;
    return hasMoved && cut === this.#dueCut ? CUT_REASONS.threshold : (this.#policy.reason ?? CUT_REASONS.window);
  }

  async #archive(account: Account): Promise<void> {
    const { archive, log, cut = 0 } = this.#input;
    if (archive === undefined) return;
    const known = this.#carried.archived.get(archive) ?? NOTHING_ARCHIVED;
    const before = known.upTo < cut ? { ...known, upTo: cut } : known;
    this.#carried.archived.set(archive, await handOver({ log, archive, before, account }));
  }

  #commit(account: Account, reduced: boolean): void {
    this.#account = account;
    this.#shownCut = account.cut;
    this.#carried.account = account;
    if (reduced) this.#receipts++;
  }

  async #compose(frame: Frame, wish: Wish): Promise<Composition> {
    const { budget } = this.#input;
    const { space } = frame;
    const plan = await this.#settle(frame, wish);
    const { scene } = plan;
    const choice = this.#choice(frame, plan);
    const composition = compose(scene, choice);
    if (composition.tokens > budget.usable) {
      const { shorter = [] } = this.#past.memory ?? {};
      return compose(scene, this.#squeeze.fit({ scene, choice, space, shorter, budget }));
    }
    this.#holdRequest(plan);
    return composition;
  }

  /** What a pin or a request has brought to the front since stands no second time among what stands in for the past. */
  #choice({ fixed, context }: Frame, { lead, cut, scene: { log } }: Plan): Choice {
    const front = new Set(lead.exchanges.map((at) => log.exchanges[at]!.first));
    const messages = this.#past.memory?.messages ?? [];
    const memory = messages.filter(({ position }) => position === undefined || !front.has(position));
    return { fixed, memory, memoryWhole: true, context, lead, cut };
  }

  /**
   * The plan with a cut where one is due. Where the view fits without it and is no larger, what stands in for the past
   * gets half of the tokens that the cut frees; where it has nothing to say in that, there is no cut.
   */
  async #settle(frame: Frame, wish: Wish): Promise<Plan> {
    if (!this.#isHeld) this.#past.refresh();
    const before = this.state;
    const uncut = this.#planInput(frame);
    if (!this.#isHeld) this.#takeNews();
    const first = this.#plan(frame, wish);
    if (this.#cut === uncut.previous && first.whole) return this.#settled(frame, wish, first);
    const limit = await this.#uncutSize(frame, uncut);
    const plan = await this.#settled(frame, wish);
    if (limit > this.#input.budget.usable) return plan;
    const { messages = [] } = this.#past.memory ?? {};
    const isTight = wish.room < NO_WISH.room;
    const excess = this.#sizeOf(frame, plan) - limit;
    if (excess < 0 && !(isTight && messages.length === 0)) return plan;
    const room = Math.floor((totalTokens(messages) - excess) / 2);
    this.#goBack(before, true);
    return isTight ? this.#settled(frame, { ...NO_WISH, stay: true }) : this.#settle(frame, { ...wish, room });
  }

  /** Tokens of the view without a cut; infinite where it does not fit. */
  async #uncutSize(frame: Frame, input: PlanInput): Promise<number> {
    const plan = stayingPlan(input);
    if (plan === undefined) return Number.POSITIVE_INFINITY;
    await this.#cover(frame, plan);
    return this.#sizeOf(frame, plan);
  }

  #sizeOf(frame: Frame, plan: Plan): number {
    return compose(plan.scene, this.#choice(frame, plan)).tokens;
  }

  /** Plans until what stands in speaks for exactly the cut of the plan: only then the tokens of both are known. */
  async #settled(frame: Frame, wish: Wish, first = this.#plan(frame, wish)): Promise<Plan> {
    for (let plan = first; ; plan = this.#plan(frame, { ...wish, ...UNFORCED })) {
      this.#carried.reduced = plan.reduced;
      if (!(await this.#cover(frame, plan, wish.room))) return plan;
      this.#cut = plan.position;
    }
  }

  #plan(frame: Frame, { force, cold, stay }: Wish): Plan {
    const input = { ...this.#planInput(frame), force };
    const early = cold && !force && !this.#isHeld ? coldPlan(input, frame.pricing) : undefined;
    if (early !== undefined) this.#coldCut = early.position;
    return early ?? (stay ? stayingPlan(input) : undefined) ?? planView(input);
  }

  #planInput({ fixed, context, space: whole, pricing, reach }: Frame): PlanInput {
    const { lockLast, clears = false } = this.#policy;
    return {
      log: this.#input.log,
      budget: pricedBudget(pricing),
      past: this.#past,
      scene: () => this.#scene(),
      fixed,
      previous: this.#cut,
      reduced: this.#carried.reduced,
      space: whole - (context?.shown?.tokens ?? 0),
      lockLast,
      clears,
      force: false,
      expandable: reach.expand,
    };
  }

  /** Makes what stands in speak for the cut of a plan; false where it does already. */
  async #cover({ context, space }: Frame, { position, kept, tokens }: Plan, most = NO_WISH.room): Promise<boolean> {
    const leftOut = position - this.#input.log.start - kept.size;
    if (this.#past.covers(position, leftOut)) return false;
    const room = Math.max(0, Math.min(most, space - (context?.shown?.tokens ?? 0) - tokens()));
    await this.#past.moveTo({ position, leftOut, kept, room });
    return true;
  }

  #pricing({ system, tools }: FixedBlocks): Pricing {
    const { budget, price } = this.#input;
    const { bound, written = 0 } = this.#past.standIn;
    return { budget, price, before: this.#account, fixed: system + tools, bound, written };
  }

  get #isHeld(): boolean {
    return this.#heldAt === this.#input.log.entries.length;
  }

  /** Moves the cut to where it is due, as far as what is to stand in for that is there: no view waits for it. */
  #takeNews(): void {
    const due = this.#due();
    const cut = due === undefined ? -1 : Math.min(due, this.#past.prepared);
    if (cut > this.#cut) {
      this.#cut = cut;
      this.#dueCut = cut;
    }
  }

  #prepare(): void {
    this.#past.prepare(this.#due() ?? this.#cut);
  }

  #due(): number | undefined {
    const { due } = this.#policy;
    return due === undefined || this.#isHeld ? undefined : due(tailOf(this.#scene(), this.#cut));
  }

  #scene(): Scene {
    const { log, counter, pinned } = this.#input;
    const { whole, reduced } = this.#carried;
    return new Scene({ log, counter, shown: this.#shown, requests: this.#requests, pinned: pinned(), whole, reduced });
  }

  /** The latest request, shown whole in front of the tail, stays so until the next cut: the prefix must not change. */
  #holdRequest({ scene: { latest, log }, lead, position: cut }: Plan): void {
    const { whole } = this.#carried;
    const held = whole.cut === cut ? whole.requests : new Set<number>();
    const isShown = latest !== undefined && lead.exchanges.includes(latest);
    const requests = isShown ? new Set([...held, log.exchanges[latest]!.first]) : held;
    this.#carried.whole = { cut, requests };
  }
}
