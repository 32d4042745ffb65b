import { OPENER } from "../../message/repair.js";
import type { Scene } from "./scene.js";

/** What stands between the note and the tail. */
export interface Lead {
  /** Exchanges from before the cut, ascending: the pinned ones and the requests that the others need. */
  readonly exchanges: readonly number[];
  /** True where the log holds no user message that could open the view. */
  readonly needsOpener: boolean;
}

interface Parts {
  /** How many of the pins stand before the cut. */
  readonly pins: number;
  /** Requests before the cut, none of them pinned. */
  readonly requests: readonly number[];
  readonly needsOpener: boolean;
}

/**
 * The leads of tails that start at one cut or another. A turn cut in its middle keeps its request: without it the model
 * would not know what the rest is about, and most providers want the user to speak first.
 */
export class Leads {
  readonly #scene: Scene;
  readonly #opener: number;
  /** Tokens of the first n pins. */
  readonly #pinTokens: readonly number[];

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#opener = scene.counter.message(OPENER);
    const sums = [0];
    for (const [at, exchange] of scene.pinned.entries()) sums.push(sums[at]! + scene.whole(exchange).tokens);
    this.#pinTokens = sums;
  }

  at(cut: number): Lead {
    const { pins, requests, needsOpener } = this.#parts(cut);
    const exchanges = [...this.#scene.pinned.slice(0, pins), ...requests].sort((a, b) => a - b);
    return { exchanges, needsOpener };
  }

  tokens(cut: number): number {
    const { pins, requests, needsOpener } = this.#parts(cut);
    const opener = needsOpener ? this.#opener : 0;
    return requests.reduce((sum, at) => sum + this.#scene.inFront(at, cut).tokens, opener + this.#pinTokens[pins]!);
  }

  /** The tail's request, and that of the first exchange of all where it is pinned: something must open the view. */
  #parts(cut: number): Parts {
    const { log, pinned } = this.#scene;
    const pins = this.#pinsBefore(cut);
    const first = log.visibleFrom(cut);
    const request = first === undefined ? undefined : log.requestOf(first);
    const front = pins === 0 ? first : Math.min(pinned[0]!, request ?? pinned[0]!);
    const opening = front === undefined ? undefined : log.requestOf(front);
    const wanted = request === opening ? [request] : [request, opening];
    const requests = wanted.filter((at) => at !== undefined && at < cut && !this.#scene.isPinned(at)) as number[];
    return { pins, requests, needsOpener: front !== undefined && opening === undefined };
  }

  #pinsBefore(cut: number): number {
    const { pinned } = this.#scene;
    if (pinned.length === 0 || pinned.at(-1)! < cut) return pinned.length;
    let low = 0;
    let high = pinned.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pinned[middle]! < cut) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
