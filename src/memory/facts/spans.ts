/** A part of a text: its first character, and after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text without these parts of it; empty where nothing that tells is left. */
export function withoutSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let rest = "";
  let from = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    rest = joined(rest, text.slice(from, Math.max(from, start)));
    from = Math.max(from, end);
  }
  const left = joined(rest, text.slice(from)).trim();
  return /[\p{L}\p{N}]/u.test(left) ? left : "";
}

/** The space on one side of a gap is enough. */
const joined = (rest: string, piece: string): string =>
  rest + (/(?:^|\s)$/.test(rest) ? piece.replace(/^[^\S\n]+/, "") : piece);
