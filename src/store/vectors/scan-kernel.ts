import type { ScanViews } from "./scan-layout.js";

/**
 * Memory and the scan over it. All kernels give the same hits with the same scores to the last bit, so that a search
 * does not depend on the machine.
 */
export interface ScanKernel {
  /** Whether it computes many numbers at once. */
  readonly simd: boolean;
  /** The memory as it is; others after it has grown. */
  readonly views: ScanViews;
  /** Gives the memory so many blocks, none fewer than it has. Throws a `RangeError` where there is no room. */
  grow(blocks: number): void;
  /**
   * Scores the first `count` rows of the list, which stand in this block, against the query, writes those that score the
   * threshold or more to `hits` and `scores`, and returns their number.
   */
  scan(block: number, count: number, threshold: number): number;
}
