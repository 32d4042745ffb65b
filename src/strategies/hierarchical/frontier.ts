import type { Digest } from "../../digest/digest.js";
import type { IdentifierIndex } from "../../digest/identifier-index.js";
import { Layers, type LayersState } from "../../digest/layers.js";
import { RunningSummary, type RunningSummaryState, type SummaryTask } from "../../digest/running-summary.js";
import type { VerifiedSummary } from "../../digest/summarise-verified.js";
import type { Summariser } from "../../digest/summariser.js";
import { foreignText } from "../../message/foreign-text.js";
import type { Log } from "../../message/log.js";
import type { Message, SystemMessage } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Counted } from "../window/counted.js";
import type { Move, StandIn, StandInInput, Standing } from "../window/stand-in.js";

export interface FrontierPolicy {
  /** Share of the usable tokens that digests may take together. */
  readonly digestShare: number;
  /** Share of the usable tokens that a digest made from messages may take. */
  readonly largestLeafShare: number;
  /** So many digests of one level are merged into one of the next. */
  readonly fanout: number;
  /** Share of their room that digests take after they outgrew it. */
  readonly trimShare: number;
  /** Writes prose about what left the window, in the background; without one the digests stand alone. */
  readonly summariser?: Summariser;
  readonly onSummary?: (summary: VerifiedSummary) => void;
}

/** Share of the digests' tokens that the prose of a summariser may take. */
const PROSE_SHARE = 0.3;

/**
 * The frontier of the layers as messages, one for each digest: those that did not change stay cached. In front stands
 * the prose of a summariser, where there is one.
 */
export class Frontier implements StandIn {
  readonly #layers: Layers;
  readonly #log: Log;
  readonly #counter: TokenCounter;
  readonly #prose: RunningSummary | undefined;
  readonly #standing = new WeakMap<Message, Standing>();
  readonly #room: number;
  /** Tokens that a summariser may write. */
  readonly #proseRoom: number;
  readonly #leaf: number;
  /** Tokens that a view leaves free after a cut, for what comes. */
  readonly #growth: number;
  #digests: readonly Counted<SystemMessage>[] = [];
  #shownProse: { readonly text: string; readonly counted: Counted<SystemMessage> } | undefined;

  constructor(
    { log, counter, budget, numbered = 0, onSummaryDue }: StandInInput,
    policy: FrontierPolicy,
    index?: IdentifierIndex,
  ) {
    const { summariser, fanout, trimShare } = policy;
    const share = (part: number) => Math.floor(budget.usable * part);
    const prose = summariser === undefined ? 0 : Math.floor(share(policy.digestShare) * PROSE_SHARE);
    this.#log = log;
    this.#counter = counter;
    this.#room = share(policy.digestShare) - prose;
    this.#proseRoom = prose;
    this.#leaf = share(policy.largestLeafShare);
    this.#growth = budget.usable - budget.target;
    this.#layers = new Layers({
      log,
      counter,
      largestLeaf: this.#leaf,
      fanout,
      trimShare,
      numbered,
      ...(index && { index }),
    });
    const told = {
      ...(policy.onSummary && { onSummary: policy.onSummary }),
      ...(onSummaryDue && { onDue: onSummaryDue }),
    };
    this.#prose = summariser && new RunningSummary(log.start, { summariser, counter, maxTokens: prose, ...told });
  }

  get messages(): readonly Counted<SystemMessage>[] {
    const prose = this.#proseMessage();
    return prose === undefined ? this.#digests : [prose, ...this.#digests];
  }

  get shorter(): readonly (readonly Counted<SystemMessage>[])[] {
    return this.messages.map((_, at, all) => all.slice(at + 1));
  }

  get bound(): number {
    return Math.min(this.#room, this.#layers.tokens + this.#leaf) + (this.#proseMessage()?.tokens ?? 0);
  }

  moveTo({ position, room }: Move): void {
    const left = room - (this.#proseMessage()?.tokens ?? 0);
    const spare = left - this.#growth - this.#layers.tokens;
    this.#layers.cover(position, this.#room, Math.max(this.#leaf, spare));
    const digests = this.#layers.tokens <= left ? this.#layers.frontier : this.#layers.trimmed(left);
    this.#digests = digests.map(({ id: digest, from, to, text, tokens }) => {
      const message: SystemMessage = { role: "system", content: text };
      this.#standing.set(message, { from, to, digest });
      return { message, tokens };
    });
  }

  prepare(position: number): void {
    this.#prose?.follow(position, this.#log);
  }

  task(position: number): SummaryTask | undefined {
    return this.#prose?.task(position, this.#log);
  }

  take(task: SummaryTask, summary: VerifiedSummary): boolean {
    return this.#prose?.take(task, summary) ?? false;
  }

  get prepared(): number {
    return this.#prose?.upTo ?? Number.POSITIVE_INFINITY;
  }

  standing(message: Message): Standing | undefined {
    return this.#standing.get(message);
  }

  get written(): number {
    return this.#proseRoom;
  }

  get numbered(): number {
    return this.#layers.numbered;
  }

  digest(id: string): Digest | undefined {
    return this.#layers.digest(id);
  }

  get state(): FrontierState {
    return { layers: this.#layers.state, digests: this.#digests, prose: this.#prose?.state };
  }

  restore({ layers, digests, prose }: FrontierState, trial = false): void {
    this.#layers.restore(layers, trial);
    this.#digests = digests;
    // A trial starts no summary; one that was finished meanwhile is to stay.
    if (prose !== undefined && !trial) this.#prose?.restore(prose);
  }

  /** The prose as it stands; counted once for each text. */
  #proseMessage(): Counted<SystemMessage> | undefined {
    const text = this.#prose?.text ?? "";
    if (text === "") return undefined;
    if (this.#shownProse?.text === text) return this.#shownProse.counted;
    const message: SystemMessage = {
      role: "system",
      content: `[Memory Summary] Previous conversation context:\n${foreignText(text)}`,
    };
    const counted = { message, tokens: this.#counter.message(message) };
    this.#shownProse = { text, counted };
    return counted;
  }
}

export interface FrontierState {
  readonly layers: LayersState;
  readonly digests: readonly Counted<SystemMessage>[];
  readonly prose: RunningSummaryState | undefined;
}
