import type { ScanKernel } from "./scan-kernel.js";
import { BLOCK_ROWS, bytesOf, codesAt, type ScanLayout, scaleAt, scanViews } from "./scan-layout.js";

/** The scan as a loop, for where there is no WebAssembly: Node with `--jitless`, and the like. */
export class PlainKernel implements ScanKernel {
  readonly simd = false;
  readonly #layout: ScanLayout;
  views;

  constructor(layout: ScanLayout) {
    this.#layout = layout;
    this.views = scanViews(new ArrayBuffer(bytesOf(layout, 0)), layout);
  }

  grow(blocks: number): void {
    const views = scanViews(new ArrayBuffer(bytesOf(this.#layout, blocks)), this.#layout);
    views.codes.set(this.views.codes);
    this.views = views;
  }

  scan(block: number, count: number, threshold: number): number {
    const { list, hits, scores } = this.views;
    let found = 0;
    for (let at = 0; at < count; at++) {
      const score = this.#score(block * BLOCK_ROWS + list[at]!);
      if (!(score >= threshold)) continue;
      hits[found] = list[at]!;
      scores[found++] = score;
    }
    return found;
  }

  /** Rounded where the other kernel rounds: a product of 32-bit numbers. */
  #score(slot: number): number {
    const { codes, scales, query } = this.views;
    const start = codesAt(this.#layout, slot);
    let sum = 0;
    for (let at = 0; at < query.length; at++) sum += codes[start + at]! * query[at]!;
    return Math.fround(Math.fround(sum) * scales[scaleAt(this.#layout, slot)]!);
  }
}
