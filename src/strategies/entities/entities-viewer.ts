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
  readonly window: { readonly tokens: number; readonly state: unknown } | undefined;
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
  #window: { viewer: Viewer; tokens: number } | undefined;
  #receipts = 0;

  constructor(input: StrategyInput, options: EntitiesViewerOptions) {
    this.#input = input;
    this.#options = options;
    this.#block = new StateBlock(options.schema, input.counter);
    this.#cut = input.cut ?? 0;
  }

  get cut(): number {
    return this.#cut;
  }

  get state(): unknown {
    const window = this.#window && { tokens: this.#window.tokens, state: this.#window.viewer.state };
    const state: EntitiesState = { cut: this.#cut, tracked: this.#options.tracker.tracked, window };
    return state;
  }

  /** What was read of the log stays read: only a tracker that knows less takes the state over. */
  restore(state: unknown): void {
    const { cut, tracked, window } = state as EntitiesState;
    this.#cut = cut;
    this.#options.tracker.restore(tracked);
    if (window === undefined) this.#window = undefined;
    else this.#windowFrom(cut, window.tokens).restore?.(window.state);
  }

  save(state: unknown): unknown {
    const { cut, tracked, window } = state as EntitiesState;
    const viewer = this.#window?.viewer;
    return { cut, tracked, window: window && viewer && { ...window, state: viewer.save?.(window.state) } };
  }

  load(saved: unknown): unknown {
    const { cut, tracked, window } = saved as EntitiesState;
    if (window === undefined) return saved;
    const state = this.#windowFrom(cut, window.tokens).load?.(window.state);
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

  async view(request: ViewRequest, { dry = false }: ViewOptions = {}): Promise<View> {
    await this.update();
    return dry ? this.#dryView(request) : this.#view(request, dry);
  }

  async #dryView(request: ViewRequest): Promise<View> {
    const before = { cut: this.#cut, window: this.#window, receipts: this.#receipts };
    try {
      return await this.#view(request, true);
    } finally {
      this.#cut = before.cut;
      this.#window = before.window;
      this.#receipts = before.receipts;
    }
  }

  async #view(request: ViewRequest, dry: boolean): Promise<View> {
    const { log, budget, archive } = this.#input;
    const state = this.#block.of(this.#options.tracker.state);
    const from = Math.max(this.#cut, log.start);
    const turns = Math.max(from, this.#turnsFrom());
    const view = await this.#windowFrom(turns, state.tokens).view(request, { dry }).catch(withState(state, budget));
    if (!dry && archive !== undefined && turns > from) await archive(this.#between(from, turns));
    this.#cut = Math.max(turns, this.#window!.viewer.cut);
    const whole = { ...withBlock(view, state, hasPrompt(request)), budget };
    return { ...whole, receipt: view.receipt && this.#receipt(view.receipt, state) };
  }

  /** Position of the user message that opens the last turns. */
  #turnsFrom(): number {
    const { log } = this.#input;
    return log.requests.at(-this.#options.keepTurns) ?? log.start;
  }

  #windowFrom(from: number, tokens: number): Viewer {
    if (this.#window !== undefined && from === this.#cut && this.#window.tokens === tokens) return this.#window.viewer;
    const budget = withoutState(this.#input.budget, tokens);
    const viewer = new WindowViewer({ ...this.#input, budget, cut: from }, POLICY);
    this.#window = { viewer, tokens };
    return viewer;
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
