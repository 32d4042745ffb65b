let segmenter: Intl.Segmenter | undefined;

/** Made when it is first needed: that takes ten milliseconds, and most texts are plain. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter;
}

const WINDOW = 48;

/**
 * The nearest index at or before `index` where `text` may be cut: never inside a surrogate pair, nor inside a
 * grapheme (letter with its accents, emoji with its joiners) unless that grapheme is longer than a window.
 *
 * @example
 * ```ts
 * safeCut("a😀b", 2); // 1
 * ```
 */
export function safeCut(text: string, index: number): number {
  if (index <= 0) return 0;
  if (index >= text.length) return text.length;
  if (isPlain(text.charCodeAt(index - 1)) && isPlain(text.charCodeAt(index))) return index;
  const start = wholeStart(text, Math.max(0, index - WINDOW));
  const segment = graphemes()
    .segment(text.slice(start, index + WINDOW))
    .containing(index - start);
  const cut = segment === undefined ? index : start + segment.index;
  return cut > start || start === 0 ? cut : wholeStart(text, index);
}

/** Like {@link safeCut}, but moves forward: for the start of a kept tail. */
export function safeCutAfter(text: string, index: number): number {
  const cut = safeCut(text, index);
  if (cut === index || index >= text.length) return cut;
  for (let next = index + 1; next < Math.min(text.length, index + WINDOW); next++) {
    if (safeCut(text, next) === next) return next;
  }
  return wholeStart(text, index + 1);
}

/** Printable ASCII and newline never combine with a neighbour; a carriage return does with a newline. */
function isPlain(code: number): boolean {
  return code < 0x80 && code !== 0x0d;
}

function wholeStart(text: string, index: number): number {
  const low = text.charCodeAt(index) & 0xfc00;
  const high = text.charCodeAt(index - 1) & 0xfc00;
  return index > 0 && low === 0xdc00 && high === 0xd800 ? index - 1 : index;
}
