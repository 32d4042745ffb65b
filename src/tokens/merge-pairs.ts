import type { Vocabulary } from "./vocabulary.js";

/** Ranks stay below this, so one number orders the heap by rank and then by position. */
const POSITIONS = 2 ** 32;
const NONE = -1;

/**
 * The number of tokens of a piece that is not itself a token. A heap holds the pairs by rank, so that a run of a million
 * letters costs n log n and not n²; entries that a merge made stale are skipped when they surface.
 */
export function countMerged(bytes: Uint8Array, vocabulary: Vocabulary): number {
  const size = bytes.length;
  const next = new Int32Array(size);
  const previous = new Int32Array(size);
  const rankAt = new Int32Array(size);
  const heap: number[] = [];

  const queue = (start: number): void => {
    const middle = next[start]!;
    const rank = middle < size ? vocabulary.rankOf(bytes, start, next[middle]!) : NONE;
    rankAt[start] = rank;
    if (rank !== NONE) push(heap, rank * POSITIONS + start);
  };
  for (let start = 0; start < size; start++) {
    next[start] = start + 1;
    previous[start] = start - 1;
  }
  for (let start = 0; start < size; start++) queue(start);

  let count = size;
  while (heap.length > 0) {
    const top = pop(heap);
    const start = top % POSITIONS;
    if (rankAt[start] !== (top - start) / POSITIONS) continue;
    const merged = next[start]!;
    const after = next[merged]!;
    rankAt[merged] = NONE;
    next[start] = after;
    if (after < size) previous[after] = start;
    count--;
    queue(start);
    if (previous[start]! >= 0) queue(previous[start]!);
  }
  return count;
}

function push(heap: number[], value: number): void {
  let index = heap.length;
  heap.push(value);
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (heap[parent]! <= value) break;
    heap[index] = heap[parent]!;
    index = parent;
  }
  heap[index] = value;
}

function pop(heap: number[]): number {
  const top = heap[0]!;
  const value = heap.pop()!;
  if (heap.length > 0) sink(heap, value);
  return top;
}

function sink(heap: number[], value: number): void {
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= value) break;
    heap[index] = heap[child]!;
    index = child;
  }
  heap[index] = value;
}
