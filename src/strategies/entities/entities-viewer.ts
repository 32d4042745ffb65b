import type { Budget } from "../../compaction/budget.js";
import type { Receipt } from "../../compaction/receipt.js";
import type { Block, View, ViewRequest } from "../../compaction/view.js";
import { VarveError } from "../../errors.js";
import { messageText } from "../../message/content.js";
import type { Message } from "../../message/types.js";
import type { StrategyInput, Viewer, ViewOptions } from "../strategy.js";
import type { Counted } from "../window/counted.js";
import type { StandIn } from "../window/stand-in.js";
import { type WindowPolicy, WindowViewer } from "../window/viewer.js";
import type { EntitySchema } from "./entity-schema.js";
import type { EntityTracker, Tracked } from "./entity-tracker.js";
import { StateBlock } from "./state-block.js";

export interface EntitiesViewerOptions {
  readonly schema: EntitySchema;
  readonly tracker: EntityTracker;
  readonly keepTurns: number;
}

/** All that later views depend on, as values. */
interface EntitiesState {
  readonly cut: number;
  readonly tracked: Tracked;
  readonly window: { readonly tokens: number; readonly state: unknown };
}

interface Window {
  readonly viewer: WindowViewer;
  /** Tokens of the state that it leaves room for. */
  readonly tokens: number;
}

/** What a view changes. */
interface Standing {
  readonly cut: number;
  readonly window: Window;
  readonly receipts: number;
}

/** Share of the usable tokens that the state may take. */
const STATE_SHARE = 0.5;
/** The state speaks for what was left out: nothing else stands in for it. */
const SILENCE: StandIn = { messages: [], shorter: [], bound: 0, moveTo: () => {} };
const POLICY: WindowPolicy = {
  name: "entities",
  reason: "only the last turns follow the state",
  lockLast: 6,
  resultShare: 0.25,
  standIn: () => SILENCE,
};

/**
 * Views of one log: the system prompt, the state, and the last turns. The turns are shown by a window over what the
 * state leaves; it is started anew, at the same cut, when the state changes its size or the turns move on.
 */
export class EntitiesViewer implements Viewer {
  readonly #input: StrategyInput;
  readonly #options: EntitiesViewerOptions;
  readonly #block: StateBlock;
  #cut: number;
  #window: Window;
  #receipts = 0;
  /** Length of the log when a view was taken back. */
  #heldAt = -1;
  /** Position up to which the archive has what was left out. */
  #archivedTo: number;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(input: StrategyInput, options: EntitiesViewerOptions) {
    this.#input = input;
    this.#options = options;
    this.#block = new StateBlock(options.schema, input.counter);
    this.#cut = input.cut ?? 0;
    this.#archivedTo = this.#cut;
    this.#window = this.#started(this.#cut, this.#block.of(options.tracker.state).tokens);
  }

  get cut(): number {
    return this.#cut;
  }

  get resultCap(): number {
    return this.#window.viewer.resultCap;
  }

  get state(): unknown {
    const window = { tokens: this.#window.tokens, state: this.#window.viewer.state };
    const state: EntitiesState = { cut: this.#cut, tracked: this.#options.tracker.tracked, window };
    return state;
  }

  /**
   * What was read of the log stays read: only a tracker that knows less takes the state over. What was taken back does
   * not come again until the log has grown.
   */
  restore(state: unknown, isNews?: boolean): void {
    const { cut, tracked, window } = state as EntitiesState;
    if (isNews) this.#heldAt = -1;
    else if (cut !== this.#cut) this.#heldAt = this.#input.log.entries.length;
    this.#cut = cut;
    this.#archivedTo = Math.max(this.#archivedTo, cut);
    this.#options.tracker.restore(tracked);
    this.#windowFrom(cut, window.tokens).restore(window.state, isNews);
  }

  save(state: unknown): unknown {
    const { cut, tracked, window } = state as EntitiesState;
    return { cut, tracked, window: { ...window, state: this.#window.viewer.save(window.state) } };
  }

  load(saved: unknown): unknown {
    const { cut, tracked, window } = saved as EntitiesState;
    const state = this.#window.viewer.load(window.state);
    return { cut, tracked, window: { ...window, state } };
  }

  differs(before: unknown, after: unknown): boolean {
    const [one, other] = [before as EntitiesState, after as EntitiesState];
    return one.cut !== other.cut || one.tracked.state !== other.tracked.state;
  }

  /** Brings the state up to the end of the log. */
  update(): Promise<void> {
    const limit = this.#input.budget.usable * STATE_SHARE;
    return this.#options.tracker.update((state) => this.#block.of(state).tokens <= limit);
  }

  /** Views are made one after the other: each starts from what the one before has shown. */
  view(request: ViewRequest, options: ViewOptions = {}): Promise<View> {
    const view = this.#queue.then(() => this.#tried(request, options));
    this.#queue = view.catch(() => undefined);
    return view;
  }

  /** A view that is only tried, or that fails, leaves the viewer as it was. */
  async #tried(request: ViewRequest, options: ViewOptions): Promise<View> {
    await this.update();
    const before = { cut: this.#cut, window: this.#window, receipts: this.#receipts };
    let done = false;
    try {
      const view = await this.#view(request, options);
      done = options.dry !== true;
      return view;
    } finally {
      if (!done) this.#goBack(before);
    }
  }

  #goBack({ cut, window, receipts }: Standing): void {
    this.#cut = cut;
    this.#window = window;
    this.#receipts = receipts;
  }

  async #view(request: ViewRequest, { force = false, dry = false }: ViewOptions): Promise<View> {
    const { budget } = this.#input;
    const state = this.#block.of(this.#options.tracker.state);
    const turns = this.#turnsFrom(force);
    const window = this.#windowFrom(turns, state.tokens);
    const view = await window.view(request, { dry }).catch(withState(state, budget));
    if (!dry) await this.#archive(turns);
    this.#cut = Math.max(turns, window.cut);
    if (!dry) this.#archivedTo = Math.max(this.#archivedTo, this.#cut);
    const whole = { ...withBlock(view, state, hasPrompt(request)), budget };
    return { ...whole, receipt: view.receipt && this.#receipt(view.receipt, state) };
  }

  async #archive(turns: number): Promise<void> {
    const { archive, log } = this.#input;
    const from = Math.max(this.#archivedTo, log.start);
    if (archive !== undefined && turns > from) await archive(this.#between(from, turns));
  }

  /** Position of the user message that opens the last turns, or of the cut where that lies behind it or is held. */
  #turnsFrom(force: boolean): number {
    const { log } = this.#input;
    const from = Math.max(this.#cut, log.start);
    const isHeld = !force && this.#heldAt === log.entries.length;
    return isHeld ? from : Math.max(from, log.requests.at(-this.#options.keepTurns) ?? log.start);
  }

  #windowFrom(from: number, tokens: number): WindowViewer {
    if (from !== this.#cut || this.#window.tokens !== tokens) this.#window = this.#started(from, tokens);
    return this.#window.viewer;
  }

  #started(cut: number, tokens: number): Window {
    const budget = withoutState(this.#input.budget, tokens);
    return { tokens, viewer: new WindowViewer({ ...this.#input, budget, cut }, POLICY) };
  }

  #between(from: number, to: number): Message[] {
    const { log } = this.#input;
    log.reach(from);
    const messages: Message[] = [];
    for (let at = log.exchangeFrom(from); at < log.exchangeFrom(to); at++) messages.push(...log.legal(at));
    return messages;
  }

  /** The window accounts for the turns; the state stood there before and after. */
  #receipt(receipt: Receipt, state: Counted): Receipt {
    const { tokens, message } = state;
    const { memory } = receipt;
    return {
      ...receipt,
      id: `r${++this.#receipts}`,
      tokensBefore: receipt.tokensBefore + tokens,
      tokensAfter: receipt.tokensAfter + tokens,
      memory: { tokensBefore: memory.tokensBefore + tokens, tokensAfter: memory.tokensAfter + tokens },
      replacedBy: receipt.leftOut && messageText(message),
    };
  }
}

const hasPrompt = ({ system = "" }: ViewRequest): boolean => /\S/.test(system);

/** The budget of the turns: what the state leaves. */
function withoutState(budget: Budget, tokens: number): Budget {
  const usable = Math.max(0, budget.usable - tokens);
  const scale = (part: number) => Math.floor((part * usable) / budget.usable);
  const { trigger, target, floor = target } = budget;
  return { ...budget, usable, trigger: scale(trigger), target: scale(target), floor: scale(floor) };
}

/** Puts the state right behind the system prompt. */
function withBlock(view: View, { message, tokens }: Counted, afterPrompt: boolean): View {
  const at = afterPrompt ? 1 : 0;
  const memory = view.blocks.find(({ name }) => name === "memory")?.tokens ?? 0;
  const block: Block = { name: "memory", tokens: memory + tokens };
  const others = view.blocks.filter(({ name }) => name !== "memory");
  const place = others.findIndex(({ name }) => name === "history");
  return {
    ...view,
    messages: view.messages.toSpliced(at, 0, message),
    tokens: view.tokens + tokens,
    blocks: others.toSpliced(place < 0 ? others.length : place, 0, block),
  };
}

/** Adds the state to the account of what does not fit. */
const withState =
  ({ tokens }: Counted, { usable }: Budget) =>
  (error: unknown): never => {
    if (!VarveError.isInstance(error) || error.code !== "floor-exceeds-window") throw error;
    const { needed } = error.details;
    throw new VarveError({
      code: error.code,
      message: `${error.message} The state takes ${tokens} of the window's ${usable}.`,
      hint: error.hint ?? "Choose a model with a larger window.",
      cause: error,
      details: { ...error.details, state: tokens, usable, needed: (typeof needed === "number" ? needed : 0) + tokens },
    });
  };
