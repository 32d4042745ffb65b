/**
 * Byte-pair merging that only counts. A heap holds the pairs by rank, so that a run of a million letters costs
 * n log n and not n²; entries that a merge made stale are skipped when they surface.
 */
export interface Vocabulary {
  /** Tokens that are whole characters. */
  readonly ranks: ReadonlyMap<string, number>;
  /** Tokens that cut a character, keyed by their bytes as Latin-1. */
  readonly partialRanks: ReadonlyMap<string, number>;
}

/** Ranks stay below this, so one number orders the heap by rank and then by position. */
const POSITIONS = 2 ** 32;
const NONE = -1;

/** The number of tokens of a piece that is not itself a token. */
export function countMerged(piece: string, vocabulary: Vocabulary): number {
  const rankOf = createRankOf(piece, vocabulary);
  const size = rankOf.byteLength;
  const next = Int32Array.from({ length: size }, (_, index) => index + 1);
  const previous = Int32Array.from({ length: size }, (_, index) => index - 1);
  const rankAt = new Int32Array(size).fill(NONE);
  const heap: number[] = [];

  const queue = (start: number): void => {
    const middle = next[start]!;
    const rank = middle < size ? rankOf.range(start, next[middle]!) : NONE;
    rankAt[start] = rank;
    if (rank !== NONE) push(heap, rank * POSITIONS + start);
  };
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

interface RankOf {
  readonly byteLength: number;
  range(start: number, end: number): number;
}

function createRankOf(text: string, { ranks, partialRanks }: Vocabulary): RankOf {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length === text.length) {
    return { byteLength: text.length, range: (start, end) => ranks.get(text.slice(start, end)) ?? NONE };
  }
  // Half a surrogate pair has no bytes of its own; what is encoded, and so looked up, is its replacement.
  const piece = bytes.toString("utf8");
  const characterAt = characterOffsets(piece, bytes);
  return {
    byteLength: bytes.length,
    range(start, end) {
      const from = characterAt[start]!;
      const to = characterAt[end]!;
      if (from !== NONE && to !== NONE) return ranks.get(piece.slice(from, to)) ?? NONE;
      return partialRanks.get(bytes.toString("latin1", start, end)) ?? NONE;
    },
  };
}

/** For each byte offset the offset in the string, or NONE inside a character. */
function characterOffsets(piece: string, bytes: Uint8Array): Int32Array {
  const offsets = new Int32Array(bytes.length + 1).fill(NONE);
  let character = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (byte >= 0x80 && byte < 0xc0) continue;
    offsets[index] = character;
    character += byte >= 0xf0 ? 2 : 1;
  }
  offsets[bytes.length] = piece.length;
  return offsets;
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
