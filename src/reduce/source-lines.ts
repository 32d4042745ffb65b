/** The lines of a text, cut out on demand: a text of millions of lines costs one offset each. */
export interface SourceLines {
  readonly count: number;
  /** Line at an index from 0, without its newline. */
  at(index: number): string;
  /** At most `limit` characters of a line: enough to recognise it, however long it is. */
  head(index: number, limit: number): string;
  length(index: number): number;
  /** Number of the line in the source, from 1. */
  number(index: number): number;
}

/**
 * Splits at newlines; a newline at the very end starts no further line.
 *
 * @example
 * ```ts
 * sourceLines("a\nb\n").count; // 2
 * ```
 */
export function sourceLines(text: string): SourceLines {
  const starts = lineStarts(text);
  const count = starts.length - 1;
  const end = (index: number) => starts[index + 1]! - 1;
  return {
    count,
    at: (index) => text.slice(starts[index]!, end(index)),
    head: (index, limit) => text.slice(starts[index]!, Math.min(end(index), starts[index]! + limit)),
    length: (index) => end(index) - starts[index]!,
    number: (index) => index + 1,
  };
}

/** Where each line starts, and at the end where a line after the last one would. */
function lineStarts(text: string): Uint32Array {
  let starts = new Uint32Array(1024);
  let used = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (used + 1 >= starts.length) starts = grown(starts);
    starts[used++] = at + 1;
  }
  if (text.length > 0 && !text.endsWith("\n")) starts[used++] = text.length + 1;
  return starts.subarray(0, used);
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** Indexes of at most `limit` lines: the first, the last, and evenly spaced ones between, in order. */
export function sampleIndexes(count: number, limit: number): number[] {
  if (count <= limit) return Array.from({ length: count }, (_, index) => index);
  const third = Math.floor(limit / 3);
  const middle = Array.from({ length: third }, (_, i) => Math.floor(third + ((count - 2 * third) * i) / third));
  const head = Array.from({ length: third }, (_, i) => i);
  return [...head, ...middle, ...head.map((i) => count - third + i)];
}
