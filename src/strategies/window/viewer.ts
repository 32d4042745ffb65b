import { ShownExchanges } from "../../compaction/shown.js";
import type { View, ViewRequest } from "../../compaction/view.js";
import type { Digest } from "../../digest/digest.js";
import type { StrategyInput, Viewer, ViewOptions } from "../strategy.js";
import { type Account, accountOf, leftOutOf } from "./account.js";
import { handOver, NOTHING_ARCHIVED } from "./archive.js";
import { type Carried, carriedOf } from "./carried.js";
import { type Choice, type Composition, compose } from "./compose.js";
import { ContextBlock, type ContextForm } from "./context-block.js";
import { FixedBlockCounter, type FixedBlocks } from "./fixed.js";
import { checkFits } from "./floor.js";
import { Past, type PastState } from "./past.js";
import { type Plan, planView } from "./planner.js";
import { receiptOf } from "./receipt.js";
import { repairsIn } from "./repairs.js";
import { EarlierRequests } from "./requests.js";
import { Scene, type WholeRequests } from "./scene.js";
import { Squeeze } from "./squeeze.js";
import type { StandIn, StandInInput } from "./stand-in.js";
import { withoutHistory } from "./without-history.js";

export interface WindowPolicy {
  /** Names the strategy in receipts. */
  readonly name: string;
  /** Messages at the end that a cut spares as long as they fit. */
  readonly lockLast: number;
  /** Share of the usable tokens that one tool result may take. */
  readonly resultShare: number;
  /** Makes what stands in for the part before the cut. */
  readonly standIn: (input: StandInInput) => StandIn;
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
}

/** All that later views depend on, as values. */
interface WindowState {
  readonly cut: number;
  readonly shownCut: number;
  readonly account: Account | undefined;
  readonly whole: WholeRequests;
  readonly past: PastState;
}

/**
 * A window over one log. A view is, in this order: system messages, what stands in for the part that was left out,
 * pinned exchanges, the request of the turn in which the cut lies, and the tail of whole exchanges.
 *
 * A view that fails, or whose archive fails, is not accounted for: the next one reports and archives all that it would
 * have.
 */
export class WindowViewer implements Viewer {
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
  #receipts = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(input: StrategyInput, policy: WindowPolicy) {
    const { log, counter, budget, cut } = input;
    const share = (part: number, least: number) => Math.max(least, Math.floor(budget.usable * part));
    this.#input = input;
    this.#policy = policy;
    this.#cut = cut ?? 0;
    this.#shownCut = this.#cut;
    this.#carried = carriedOf(log, policy.name, cut);
    this.#account = this.#carried.account;
    const { exchanges, requests } = this.#carried.forms;
    this.#shown = new ShownExchanges({ log, counter, resultCap: share(policy.resultShare, 16), forms: exchanges });
    const maxTokens = share(REQUEST_SHARE, 24);
    this.#requests = new EarlierRequests({ log, shown: this.#shown, counter, maxTokens, forms: requests });
    this.#fixed = new FixedBlockCounter(counter);
    this.#context = new ContextBlock(counter);
    this.#squeeze = new Squeeze(counter);
    const standIn = this.#carried.past?.standIn ?? policy.standIn({ log, counter, budget, shown: this.#shown });
    this.#past = new Past(standIn, counter, this.#carried.past?.state);
    this.#carried.past = this.#past;
  }

  get cut(): number {
    return this.#shownCut;
  }

  get state(): unknown {
    const { whole } = this.#carried;
    const state: WindowState = {
      cut: this.#cut,
      shownCut: this.#shownCut,
      account: this.#account,
      whole,
      past: this.#past.state,
    };
    return state;
  }

  restore(state: unknown): void {
    const { cut, shownCut, account, whole, past } = state as WindowState;
    this.#cut = cut;
    this.#shownCut = shownCut;
    this.#account = account;
    this.#carried.account = account;
    this.#carried.whole = whole;
    this.#past.restore(past);
  }

  digest(id: string): Digest | undefined {
    return this.#past.digest(id);
  }

  /** Views are made one after the other: each starts from what the one before has shown. */
  view(request: ViewRequest, options: ViewOptions = {}): Promise<View> {
    const view = this.#queue.then(() => (options.dry ? this.#dryView(request, options) : this.#view(request, options)));
    this.#queue = view.catch(() => undefined);
    return view;
  }

  async #dryView(request: ViewRequest, options: ViewOptions): Promise<View> {
    const before = this.state;
    try {
      return await this.#view(request, options);
    } finally {
      this.restore(before);
    }
  }

  async #view(request: ViewRequest, { force = false, dry = false }: ViewOptions): Promise<View> {
    const { log, budget, counter } = this.#input;
    const frame = this.#frame(request);
    const composition =
      log.lastVisible === undefined
        ? withoutHistory({ log, counter, budget, ...frame })
        : await this.#compose(frame, force);
    checkFits(composition, budget);
    const { fixed } = frame;
    const repairs = repairsIn({ log, fixed, composition });
    const account = accountOf(log, { fixed, composition });
    const receipt = this.#receipt(account, composition);
    if (!dry) await this.#archive(account);
    this.#commit(account, receipt !== undefined);
    const { messages, tokens, blocks } = composition;
    const tools = request.tools ?? [];
    const leftOut = leftOutOf(account);
    return { messages, tools, tokens, blocks, budget, leftOut, entries: log.entries.length, receipt, repairs };
  }

  #frame(request: ViewRequest): Frame {
    const { log, budget } = this.#input;
    const fixed = this.#fixed.measure(request, log, budget.usable);
    const space = budget.usable - fixed.system - fixed.tools;
    const context = this.#context.measure(request.context, Math.max(0, Math.floor(space * CONTEXT_SHARE)));
    return { fixed, space, context };
  }

  #receipt(account: Account, composition: Composition): View["receipt"] {
    const { log, counter } = this.#input;
    const given = { id: `r${this.#receipts + 1}`, strategy: this.#policy.name, log, counter, shown: this.#shown };
    return receiptOf({ ...given, before: this.#account, account, composition });
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

  async #compose(frame: Frame, force: boolean): Promise<Composition> {
    const { budget } = this.#input;
    const { fixed, context, space } = frame;
    const plan = await this.#settle(frame, force);
    const { scene, cut, lead } = plan;
    const { messages: memory = [], shorter = [] } = this.#past.memory ?? {};
    const choice: Choice = { fixed, memory, memoryWhole: true, context, lead, cut };
    const composition = compose(scene, choice);
    if (composition.tokens > budget.usable)
      return compose(scene, this.#squeeze.fit({ scene, choice, space, shorter, budget }));
    this.#holdRequest(plan);
    return composition;
  }

  /** Plans until what stands in speaks for exactly the cut of the plan: only then the tokens of both are known. */
  async #settle({ fixed, context, space: whole }: Frame, force: boolean): Promise<Plan> {
    const { log, budget } = this.#input;
    const past = this.#past;
    const space = whole - (context?.shown?.tokens ?? 0);
    const given = { log, budget, past, fixed, space, lockLast: this.#policy.lockLast };
    past.refresh();
    for (let forced = force; ; forced = false) {
      const plan = planView({ ...given, force: forced, scene: () => this.#scene(), previous: this.#cut });
      const { position, kept, tokens } = plan;
      const leftOut = position - log.start - kept.size;
      if (past.covers(position, leftOut)) return plan;
      await past.moveTo({ position, leftOut, kept, room: Math.max(0, space - tokens) });
      this.#cut = position;
    }
  }

  #scene(): Scene {
    const { log, counter, pinned } = this.#input;
    const { whole } = this.#carried;
    return new Scene({ log, counter, shown: this.#shown, requests: this.#requests, pinned: pinned(), whole });
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
