import { invalidOption } from "../../errors.js";
import { checkString } from "../../message/option-names.js";
import { isObject } from "../../message/plain-value.js";
import { SECRET_GROUPS } from "./secret-patterns.js";
import type { SecretPattern } from "./secret-shapes.js";

/** Where a text holds a secret, and of which kind. */
export interface SecretSpan {
  readonly kind: string;
  /** The first character of the secret itself. */
  readonly start: number;
  /** After its last character. */
  readonly end: number;
}

/**
 * The secrets in a text: keys of known providers, private keys, tokens, passwords, card numbers and account numbers. In
 * the order of the text, none overlapping.
 *
 * @example
 * ```ts
 * findSecrets("password: hunter2!"); // [{ kind: "password", start: 10, end: 18 }]
 * ```
 */
export function findSecrets(text: string): SecretSpan[] {
  checkString("text", text);
  const plain = text.replace(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - 0xff10));
  const spans = SECRET_GROUPS.flatMap(({ sign, patterns }) =>
    sign.test(plain) ? patterns.flatMap((pattern) => spansOf(plain, pattern)) : [],
  );
  return withoutOverlaps(spans);
}

/**
 * The text with each span replaced by a note of what stood there.
 *
 * @example
 * ```ts
 * const text = "password: hunter2!";
 * redact(text, findSecrets(text)); // "password: [secret: password]"
 * ```
 */
export function redact(text: string, spans: readonly SecretSpan[]): string {
  checkString("text", text);
  if (!Array.isArray(spans) || !spans.every(isSpan))
    throw invalidOption({ option: "spans", value: spans, allowed: "a list of places, as findSecrets() returns it" });
  const parts: string[] = [];
  let from = 0;
  for (const { kind, start, end } of withoutOverlaps(spans)) {
    parts.push(text.slice(from, start), `[secret: ${kind}]`);
    from = end;
  }
  return parts.join("") + text.slice(from);
}

const isSpan = (span: unknown): boolean =>
  isObject(span) && typeof span.kind === "string" && Number.isInteger(span.start) && Number.isInteger(span.end);

function spansOf(text: string, { kind, pattern, accept }: SecretPattern): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const match of text.matchAll(pattern)) {
    const found = withoutStop(match.groups?.secret ?? match[0]);
    const start = match.index + match[0].length - (match.groups?.secret ?? match[0]).length;
    if (match.index < (spans.at(-1)?.end ?? 0) || accept?.(found) === false) continue;
    const end = kind === "private key" ? endOfKey(text, start) : start + found.length;
    spans.push({ kind, start, end });
  }
  return spans;
}

/** The full stop of a sentence is not part of a password at its end. */
const withoutStop = (found: string): string =>
  found.replace(/[.,;:!?)\]}]{1,3}$/, (marks) => (/^[!?]+$/.test(marks) ? marks : ""));

const KEY_END = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;

/** A private key that breaks off is secret to the end of the text. */
function endOfKey(text: string, start: number): number {
  KEY_END.lastIndex = start;
  const end = KEY_END.exec(text);
  return end === null ? text.length : end.index + end[0].length;
}

/** Of two that overlap the one that begins first counts, of those the longer. */
function withoutOverlaps(spans: readonly SecretSpan[]): SecretSpan[] {
  const kept: SecretSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.start >= (kept.at(-1)?.end ?? 0) && span.end > span.start) kept.push(span);
  }
  return kept;
}
