import type { ShownExchanges } from "../../compaction/shown.js";
import type { Digest } from "../../digest/digest.js";
import { IdentifierIndex } from "../../digest/identifier-index.js";
import { Importance } from "../../digest/importance.js";
import type { SummaryTask } from "../../digest/running-summary.js";
import type { VerifiedSummary } from "../../digest/summarise-verified.js";
import type { Log } from "../../message/log.js";
import type { Message, UserMessage } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";
import { Frontier, type FrontierPolicy, type FrontierState } from "../hierarchical/frontier.js";
import type { Counted } from "../window/counted.js";
import type { Move, StandIn, StandInInput, Standing } from "../window/stand-in.js";

export interface ImportancePolicy extends FrontierPolicy {
  /** Exchanges that score at least this much may be kept in full. */
  readonly threshold: number;
  /** Share of the usable tokens for what is kept in full. */
  readonly keptShare: number;
}

/** Opens the part that is kept in full: providers want the user to speak first. */
const LABEL: UserMessage = Object.freeze({
  role: "user",
  content: "[Earlier messages kept in full because they matter; what lies between them is in the digests above.]",
});

/** Important exchanges in full, the rest as digests. Which are kept changes only when the cut moves. */
export class KeptExchanges implements StandIn {
  readonly #frontier: Frontier;
  readonly #log: Log;
  readonly #shown: ShownExchanges;
  readonly #counter: TokenCounter;
  readonly #policy: ImportancePolicy;
  readonly #index: IdentifierIndex;
  readonly #importance: Importance;
  readonly #standing = new WeakMap<Message, Standing>();
  readonly #room: number;
  #kept: readonly Counted[] = [];

  constructor(input: StandInInput, policy: ImportancePolicy) {
    this.#index = new IdentifierIndex(input.log.start);
    this.#frontier = new Frontier(input, policy, this.#index);
    this.#importance = new Importance(input.log, this.#index);
    this.#log = input.log;
    this.#shown = input.shown;
    this.#counter = input.counter;
    this.#policy = policy;
    this.#room = Math.floor(input.budget.usable * policy.keptShare);
  }

  get messages(): readonly Counted[] {
    return [...this.#frontier.messages, ...this.#kept];
  }

  get shorter(): readonly (readonly Counted[])[] {
    return [this.#frontier.messages, ...this.#frontier.shorter];
  }

  get bound(): number {
    return this.#frontier.bound + this.#room;
  }

  moveTo(move: Move): void {
    const { room } = move;
    this.#index.readTo(this.#log.entries.length, this.#log);
    const kept = this.#choose(move, Math.min(this.#room, Math.floor(room / 2)));
    this.#kept = kept.length === 0 ? [] : [{ message: LABEL, tokens: this.#counter.message(LABEL) }, ...kept];
    const left = room - this.#kept.reduce((sum, { tokens }) => sum + tokens, 0);
    this.#frontier.moveTo({ ...move, room: left });
  }

  prepare(position: number): void {
    this.#frontier.prepare(position);
  }

  task(position: number): SummaryTask | undefined {
    return this.#frontier.task(position);
  }

  take(task: SummaryTask, summary: VerifiedSummary): boolean {
    return this.#frontier.take(task, summary);
  }

  standing(message: Message): Standing | undefined {
    return this.#standing.get(message) ?? this.#frontier.standing(message);
  }

  get written(): number {
    return this.#frontier.written;
  }

  get numbered(): number {
    return this.#frontier.numbered;
  }

  digest(id: string): Digest | undefined {
    return this.#frontier.digest(id);
  }

  get state(): KeptState {
    return { frontier: this.#frontier.state, kept: this.#kept };
  }

  restore({ frontier, kept }: KeptState, trial = false): void {
    this.#frontier.restore(frontier, trial);
    this.#kept = kept;
  }

  /** The most important exchanges before the cut, as much for their tokens as possible, in the order of the log. */
  #choose({ position, kept: shown }: Move, room: number): Counted[] {
    const last = this.#log.exchangeFrom(position);
    const importance = this.#importance.now();
    const { exchanges } = this.#log;
    const scored = Array.from({ length: last }, (_, exchange) => ({
      exchange,
      score: importance(exchanges[exchange]!),
    }));
    const isShown = (exchange: number) => shown?.has(this.#log.exchanges[exchange]!.first) ?? false;
    const important = scored.filter(({ exchange, score }) => score >= this.#policy.threshold && !isShown(exchange));
    const ranked = important.map((each) => ({ ...each, tokens: this.#shown.tokens(each.exchange) }));
    ranked.sort((a, b) => b.score / b.tokens - a.score / a.tokens || b.exchange - a.exchange);
    let left = room - this.#counter.message(LABEL);
    const kept = ranked.filter(({ tokens }) => {
      const fits = tokens <= left;
      if (fits) left -= tokens;
      return fits;
    });
    return kept.sort((a, b) => a.exchange - b.exchange).flatMap(({ exchange }) => this.#messagesOf(exchange));
  }

  #messagesOf(exchange: number): readonly Counted[] {
    const { first: from, end: to } = this.#log.exchanges[exchange]!;
    const { messages } = this.#shown.at(exchange);
    if (messages[0] !== undefined) this.#standing.set(messages[0], { from, to, digest: undefined });
    return messages.map((message) => ({ message, tokens: this.#counter.message(message), position: from }));
  }
}

interface KeptState {
  readonly frontier: FrontierState;
  readonly kept: readonly Counted[];
}
