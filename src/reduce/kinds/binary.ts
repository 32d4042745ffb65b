import { headMark } from "../marks.js";
import type { CountTokens } from "../measure.js";
import { shortenText } from "../shorten-text.js";

const SAMPLE = 4_096;
const SHOWN_TOKENS = 96;
const ENCODED_LINE = /^[A-Za-z0-9+/_-]{60,}={0,2}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g;

/** Bytes shown as text: control characters, or an encoding such as base64. */
export function isBinary(text: string, sample: readonly string[]): boolean {
  const head = text.slice(0, SAMPLE);
  if ((head.match(CONTROL)?.length ?? 0) > head.length * 0.1) return true;
  const encoded = sample.filter((line) => ENCODED_LINE.test(line));
  if (encoded.length === 0 || encoded.length < sample.length * 0.9) return false;
  return /[A-Z]/.test(encoded[0]!) && /[g-z]/.test(encoded[0]!) && /\d/.test(encoded[0]!);
}

/** Bytes tell an agent little: how many, and how they begin and end. */
export function reduceBinary(text: string, maxTokens: number, count: CountTokens): string {
  const head = headMark("binary or encoded data", `${text.length} chars`);
  const room = Math.min(SHOWN_TOKENS, maxTokens - count(head) - 2);
  if (room < 8) return shortenText(text, { maxTokens, counter: count });
  const shown = `${text.slice(0, SAMPLE)}${text.slice(-SAMPLE)}`.replace(CONTROL, "·");
  const body = text.length > 2 * SAMPLE ? shown : text.replace(CONTROL, "·");
  return `${head}\n${shortenText(body, { maxTokens: room, counter: count })}`;
}
