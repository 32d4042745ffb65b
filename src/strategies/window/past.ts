import type { Digest } from "../../digest/digest.js";
import { sameValue } from "../../message/plain-value.js";
import type { Message } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";
import { type Counted, totalTokens } from "./counted.js";
import type { Move, StandIn, Standing } from "./stand-in.js";

/** What a view shows for the part of the log before its cut. */
export interface Memory {
  readonly cut: number;
  /** Entries before the cut that are not shown. */
  readonly leftOut: number;
  readonly messages: readonly Counted[];
  /** Shorter forms, shortest last. */
  readonly shorter: readonly (readonly Counted[])[];
}

export interface PastState {
  readonly memory: Memory | undefined;
  readonly movedTo: number;
  readonly standIn: unknown;
}

/**
 * The stand-in at work. It may come from an earlier viewer, which counted otherwise: then its messages are counted anew,
 * and what stood at the cut stays as it is, so that the prefix of the views does.
 */
export class Past {
  readonly standIn: StandIn;
  readonly #counter: TokenCounter;
  readonly #recounts: boolean;
  readonly #counts = new WeakMap<Message, Counted>();
  #memory: Memory | undefined;
  /** The cut that the stand-in speaks for. */
  #movedTo = -1;

  constructor(standIn: StandIn, counter: TokenCounter, carried?: PastState) {
    this.standIn = standIn;
    this.#counter = counter;
    this.#recounts = carried !== undefined;
    if (carried?.memory === undefined) return;
    this.#movedTo = carried.movedTo;
    this.#memory = this.#counted(carried.memory);
  }

  get memory(): Memory | undefined {
    return this.#memory;
  }

  /** Tokens of what stands before a cut there; what is known only once the stand-in has moved is its bound. */
  tokensAt(position: number): number {
    return this.#memory?.cut === position ? totalTokens(this.#memory.messages) : this.standIn.bound;
  }

  covers(position: number, leftOut: number): boolean {
    return this.#memory?.cut === position && this.#memory.leftOut === leftOut;
  }

  async moveTo(move: Move): Promise<void> {
    const { position: cut, leftOut } = move;
    if (leftOut > 0) {
      await this.standIn.moveTo(move);
      this.#movedTo = cut;
    }
    const { messages, shorter } = leftOut > 0 ? this.standIn : NOTHING;
    this.#memory = this.#counted({ cut, leftOut, messages, shorter });
  }

  /** Takes over what the stand-in has changed by itself at this cut, such as a summary that has come since. */
  refresh(): void {
    if (this.#memory === undefined || this.#memory.leftOut === 0 || this.#memory.cut !== this.#movedTo) return;
    const { messages, shorter } = this.standIn;
    const before = this.#memory.messages;
    const same =
      messages.length === before.length && messages.every(({ message }, at) => sameValue(message, before[at]!.message));
    if (!same) this.#memory = this.#counted({ ...this.#memory, messages, shorter });
  }

  /** Starts work in the background for a cut there. */
  prepare(position: number): void {
    this.standIn.prepare?.(position);
  }

  /** The position up to which a cut may be moved without waiting. */
  get prepared(): number {
    return this.standIn.prepared ?? Number.POSITIVE_INFINITY;
  }

  standing(message: Message): Standing | undefined {
    return this.standIn.standing?.(message);
  }

  digest(id: string): Digest | undefined {
    return this.standIn.digest?.(id);
  }

  get state(): PastState {
    return { memory: this.#memory, movedTo: this.#movedTo, standIn: this.standIn.state };
  }

  restore({ memory, movedTo, standIn }: PastState, trial = false): void {
    this.#memory = memory;
    if (this.standIn.restore === undefined) return;
    this.standIn.restore(standIn, trial);
    this.#movedTo = movedTo;
  }

  #counted(memory: Memory): Memory {
    if (!this.#recounts) return memory;
    const recount = (list: readonly Counted[]) => list.map((each) => ({ ...each, ...this.#count(each.message) }));
    return { ...memory, messages: recount(memory.messages), shorter: memory.shorter.map(recount) };
  }

  #count(message: Message): Counted {
    const counted = this.#counts.get(message) ?? { message, tokens: this.#counter.message(message) };
    this.#counts.set(message, counted);
    return counted;
  }
}

const NOTHING: Pick<Memory, "messages" | "shorter"> = { messages: [], shorter: [] };
