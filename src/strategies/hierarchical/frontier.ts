import { Layers } from "../../digest/layers.js";
import type { SystemMessage } from "../../message/types.js";
import type { Counted } from "../window/counted.js";
import type { Move, StandIn, StandInInput } from "../window/stand-in.js";

export interface FrontierPolicy {
  /** Share of the usable tokens that digests may take together. */
  readonly digestShare: number;
  readonly largestLeafShare: number;
  readonly fanout: number;
  readonly mergeShare: number;
}

/** The frontier of the layers as messages, one for each digest: those that did not change stay cached. */
export class Frontier implements StandIn {
  readonly layers: Layers;
  readonly #room: number;
  readonly #leaf: number;
  /** Tokens that a view leaves free after a cut, for what comes. */
  readonly #growth: number;
  #messages: readonly Counted<SystemMessage>[] = [];

  constructor({ log, counter, budget }: StandInInput, policy: FrontierPolicy) {
    this.#room = Math.floor(budget.usable * policy.digestShare);
    this.#growth = budget.usable - budget.target;
    this.#leaf = Math.floor(budget.usable * policy.largestLeafShare);
    const { fanout, mergeShare } = policy;
    this.layers = new Layers({ log, counter, largestLeaf: this.#leaf, fanout, mergeShare });
  }

  get messages(): readonly Counted<SystemMessage>[] {
    return this.#messages;
  }

  get shorter(): readonly (readonly Counted<SystemMessage>[])[] {
    return this.#messages.map((_, at) => this.#messages.slice(at + 1));
  }

  get bound(): number {
    return Math.min(this.#room, this.layers.tokens + this.#leaf);
  }

  moveTo({ position, room }: Move): void {
    const spare = room - this.#growth - this.layers.tokens;
    this.layers.cover(position, this.#room, Math.max(this.#leaf, spare));
    const digests = this.layers.tokens <= room ? this.layers.frontier : this.layers.trimmed(room);
    this.#messages = digests.map(({ text, tokens }) => ({ message: { role: "system", content: text }, tokens }));
  }
}
