import { headMark } from "../marks.js";
import type { CountTokens } from "../measure.js";
import { shortenText } from "../shorten-text.js";

const SAMPLE = 4_096;
const SHOWN_TOKENS = 96;
/** What the number in a mark may cost more when it counts the whole text. */
const MARK_GROWTH = 3;
const ENCODED_LINE = /^[A-Za-z0-9+/_-]{60,}={0,2}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: nor is the rest of them shown, apart from newlines
const UNSHOWN = /[\u0000-\u0009\u000b-\u001f\ufffd]/g;

/** Bytes shown as text: control characters, or an encoding such as base64. */
export function isBinary(text: string, sample: readonly string[]): boolean {
  if (hasBytes(text)) return true;
  const encoded = sample.filter((line) => ENCODED_LINE.test(line));
  if (encoded.length === 0 || encoded.length < sample.length * 0.9) return false;
  return /[A-Z]/.test(encoded[0]!) && /[g-z]/.test(encoded[0]!) && /\d/.test(encoded[0]!);
}

/** Whether many of the first characters are those of no text. */
export function hasBytes(text: string): boolean {
  const head = text.slice(0, SAMPLE);
  return (head.match(CONTROL)?.length ?? 0) > head.length * 0.1;
}

export interface BinaryRequest {
  readonly text: string;
  readonly sourceLength: number;
  readonly maxTokens: number;
  readonly count: CountTokens;
}

/** Bytes tell an agent little: how many, and how they begin and end. */
export function reduceBinary({ text, sourceLength, maxTokens, count }: BinaryRequest): string {
  const head = headMark("binary or encoded data", `${sourceLength} chars`);
  const room = Math.min(SHOWN_TOKENS, maxTokens - count(head) - 2 - MARK_GROWTH);
  if (room < 8) return shortenText(text, { maxTokens, counter: count });
  const ends = text.length > 2 * SAMPLE ? `${text.slice(0, SAMPLE)}${text.slice(-SAMPLE)}` : text;
  const body = shortenText(ends.replace(UNSHOWN, "·"), { maxTokens: room, counter: count });
  const omitted = body.replace(/(?<=\.\.\. \()\d+(?= chars omitted\))/, (chars) =>
    String(Number(chars) + sourceLength - ends.length),
  );
  return `${head}\n${omitted}`;
}
