import { type FittedLine, fitLine } from "./fit-line.js";
import { ELLIPSIS } from "./marks.js";
import type { CountTokens } from "./measure.js";
import { safeCut, safeCutAfter } from "./safe-cut.js";

/** Lines of which one is made from the other, with a mark of its own before each. */
interface Pair {
  readonly marks: readonly [string, string];
  readonly texts: readonly [string, string];
}

interface PairCap {
  readonly maxTokens: number;
  readonly counter: CountTokens;
}

/** Characters of room for each token, of what opens a line and of what stands before the difference. */
const OPENING = 1;
const BEFORE = 0.5;

/** Cuts two lines to half of the room each, or to what the other leaves of it, so that where they differ is seen. */
export function fitPair({ marks, texts }: Pair, { maxTokens, counter }: PairCap): readonly [FittedLine, FittedLine] {
  const half = Math.floor(maxTokens / 2);
  const same = sameStart(texts);
  const cut = (side: 0 | 1, cap: number) => fitSide(marks[side], texts[side], { cap, same, counter });
  const isWhole = (side: 0 | 1, { text }: FittedLine) => text === marks[side] + texts[side];
  const first = cut(0, half);
  const second = cut(1, isWhole(0, first) ? maxTokens - first.cost : half);
  return isWhole(0, first) || !isWhole(1, second) ? [first, second] : [cut(0, maxTokens - second.cost), second];
}

interface Side {
  readonly cap: number;
  /** Characters that both lines open with. */
  readonly same: number;
  readonly counter: CountTokens;
}

function fitSide(mark: string, text: string, { cap, same, counter }: Side): FittedLine {
  const options = { maxTokens: cap, counter, headShare: 1, bare: true };
  const whole = fitLine(mark + text, options);
  if (whole.text === mark + text) return whole;
  const opening = safeCut(text, Math.floor(cap * OPENING));
  const from = safeCutAfter(text, same - Math.floor(cap * BEFORE));
  if (from <= opening + ELLIPSIS.length) return whole;
  return fitLine(mark + text.slice(0, opening) + ELLIPSIS + text.slice(from), options);
}

/** Characters of the longest common start, past the sign of each line. */
function sameStart([first, second]: Pair["texts"]): number {
  const end = Math.min(first.length, second.length);
  let at = Math.min(1, end);
  while (at < end && first.charCodeAt(at) === second.charCodeAt(at)) at++;
  return at;
}
