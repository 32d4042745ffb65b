import type { Budget } from "../../compaction/budget.js";
import type { Receipt, ReceiptItem } from "../../compaction/receipt.js";
import type { Block, View, ViewRequest } from "../../compaction/view.js";
import { VarveError } from "../../errors.js";
import { messageText } from "../../message/content.js";
import type { Message } from "../../message/types.js";
import type { StrategyInput, Viewer } from "../strategy.js";
import type { Counted } from "../window/counted.js";
import type { StandIn } from "../window/stand-in.js";
import { WindowViewer } from "../window/viewer.js";
import type { EntitySchema } from "./entity-schema.js";
import type { EntityTracker } from "./entity-tracker.js";
import { StateBlock } from "./state-block.js";

export interface EntitiesViewerOptions {
  readonly schema: EntitySchema;
  readonly tracker: EntityTracker;
  readonly keepTurns: number;
}

/** Share of the usable tokens that the state may take. */
const STATE_SHARE = 0.5;
/** The state speaks for what was left out: nothing else stands in for it. */
const SILENCE: StandIn = { messages: [], shorter: [], bound: 0, moveTo: () => {} };
const POLICY = { name: "entities", lockLast: 6, resultShare: 0.25, standIn: () => SILENCE };

/**
 * Views of one log: the system prompt, the state, and the last turns. The turns are shown by a window over what the
 * state leaves; it is started anew, at the same cut, when the state changes its size or the turns move on.
 */
export class EntitiesViewer implements Viewer {
  readonly #input: StrategyInput;
  readonly #options: EntitiesViewerOptions;
  readonly #block: StateBlock;
  readonly #reported = new Set<string>();
  #cut: number;
  #window: { viewer: Viewer; tokens: number } | undefined;
  #leftOut = 0;
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

  /** Brings the state up to the end of the log. */
  update(): Promise<void> {
    const limit = this.#input.budget.usable * STATE_SHARE;
    return this.#options.tracker.update((state) => this.#block.of(state).tokens <= limit);
  }

  async view(request: ViewRequest): Promise<View> {
    await this.update();
    const { log, budget, archive } = this.#input;
    const state = this.#block.of(this.#options.tracker.state);
    const from = Math.max(this.#cut, log.start);
    const turns = Math.max(from, this.#turnsFrom());
    const view = await this.#windowFrom(turns, state.tokens).view(request).catch(withState(state, budget));
    if (archive !== undefined && turns > from) await archive(this.#between(from, turns));
    this.#cut = Math.max(turns, this.#window!.viewer.cut);
    const whole = { ...withBlock(view, state, hasPrompt(request)), budget };
    return { ...whole, receipt: this.#receipt(whole, from) };
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

  #receipt(view: View, from: number): Receipt | undefined {
    const items = (view.receipt?.items ?? []).filter((item) => this.#isNew(item));
    const entries = view.leftOut - this.#leftOut;
    this.#leftOut = view.leftOut;
    const leftOut = this.#cut > from ? this.#range(from, entries) : undefined;
    // Without a cut only system messages from inside the conversation can go: the window accounts for those.
    if (leftOut === undefined && entries > 0 && view.receipt !== undefined) return this.#signed(view.receipt);
    if (leftOut === undefined && items.length === 0) return undefined;
    const saved = items.reduce((sum, item) => sum + item.tokensBefore - item.tokensAfter, 0);
    const left = leftOut === undefined ? NOTHING : this.#tokensBetween(from, this.#cut);
    return {
      id: `r${++this.#receipts}`,
      strategy: "entities",
      reason: leftOut ? "only the last turns follow the state" : "a message exceeded its part of the window",
      tokensBefore: view.tokens + left.tokens + saved,
      tokensAfter: view.tokens,
      estimated: left.estimated,
      leftOut,
      items,
      replacedBy: leftOut && this.#block.of(this.#options.tracker.state).message.content,
      recover: "The log keeps every entry whole: session.entries() returns them.",
    };
  }

  #signed(receipt: Receipt): Receipt {
    return { ...receipt, id: `r${++this.#receipts}`, strategy: "entities" };
  }

  #isNew({ entry, tokensAfter }: ReceiptItem): boolean {
    const key = `${entry}:${tokensAfter}`;
    const isNew = !this.#reported.has(key);
    this.#reported.add(key);
    return isNew;
  }

  #range(from: number, entries: number): Receipt["leftOut"] {
    const { log } = this.#input;
    return { from: log.entries[from]!.id, to: log.entries[this.#cut - 1]!.id, entries: Math.max(0, entries) };
  }

  /** What no view has shown was never counted, and is estimated from its length. */
  #tokensBetween(from: number, to: number): { tokens: number; estimated: boolean } {
    const entries = this.#input.log.entries.slice(from, to);
    const sizes = entries.map(({ tokens, message }) => tokens ?? Math.ceil(messageText(message).length / 4));
    return {
      tokens: sizes.reduce((sum, size) => sum + size, 0),
      estimated: entries.some(({ tokens }) => tokens === undefined),
    };
  }
}

const NOTHING = { tokens: 0, estimated: false };

const hasPrompt = ({ system = "" }: ViewRequest): boolean => /\S/.test(system);

/** The budget of the turns: what the state leaves. */
function withoutState(budget: Budget, tokens: number): Budget {
  const usable = Math.max(0, budget.usable - tokens);
  const scale = (part: number) => Math.floor((part * usable) / budget.usable);
  return { ...budget, usable, trigger: scale(budget.trigger), target: scale(budget.target) };
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
