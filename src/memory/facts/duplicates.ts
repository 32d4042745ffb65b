import { isDecisive, type LooseWord, looseWords, wordsOf } from "./duplicate-words.js";
import { hashNumber, hashText } from "./hash.js";

/**
 * Texts that say the same. Equal texts differ in case, spacing and punctuation at most; nearly equal ones also in words
 * that carry nothing, and long ones in a word of a hundred. A number, a name, a sign or a "not" that differs makes two
 * texts different however long they are.
 */
const SHINGLE = 3;
const LONG = 40;
const ALIKE = 0.95;
const BANDS = 4;
const ROWS = 4;

/**
 * The same for texts that differ in case, spacing and punctuation only.
 *
 * @example
 * ```ts
 * fingerprint("Ann likes tea.") === fingerprint("ann likes  tea"); // true
 * ```
 */
export function fingerprint(text: string): string {
  const words = wordsOf(text);
  return hashText(words.length === 0 ? text.trim() : words.join(" ").toLowerCase());
}

/**
 * How alike two texts are, from 0 to 1: the share of runs of three words that both have.
 *
 * @example
 * ```ts
 * similarity("Ann likes green tea", "Ann likes the green tea"); // 1
 * ```
 */
export const similarity = (left: string, right: string): number => overlap(looseWords(left), looseWords(right));

/**
 * Whether two texts say the same, so that one of them is enough.
 *
 * @example
 * ```ts
 * areNearlyEqual("Ann likes the tea", "Ann likes tea."); // true
 * areNearlyEqual("Use port 8080", "Use port 8081"); // false
 * ```
 */
export function areNearlyEqual(left: string, right: string): boolean {
  const [one, other] = [looseWords(left), looseWords(right)];
  if (one.length === 0 || other.length === 0) return fingerprint(left) === fingerprint(right);
  if (formsOf(one) === formsOf(other)) return true;
  if (one.length < LONG || other.length < LONG) return false;
  return decisive(one) === decisive(other) && overlap(one, other) >= ALIKE;
}

/**
 * Names under which nearly equal texts are found: two that are nearly equal share one of them, nearly always. Texts that
 * share one need not be nearly equal.
 */
export function bandsOf(text: string): string[] {
  const words = looseWords(text);
  if (words.length === 0) return [];
  if (words.length < LONG - LONG / 10) return [hashText(formsOf(words))];
  const least = leastHashes(words);
  const bands = Array.from({ length: BANDS }, (_, band) =>
    hashText(`${band} ${least.slice(band * ROWS, (band + 1) * ROWS).join(" ")}`),
  );
  return words.length < LONG + LONG / 10 ? [hashText(formsOf(words)), ...bands] : bands;
}

const formsOf = (words: readonly LooseWord[]): string => words.map(({ form }) => form).join(" ");

const decisive = (words: readonly LooseWord[]): string => formsOf(words.filter(isDecisive));

function shinglesOf(words: readonly LooseWord[]): Set<number> {
  const size = Math.min(SHINGLE, words.length);
  const hashes = words.map(({ form }) => hashNumber(form));
  const shingles = new Set<number>();
  for (let at = 0; at + size <= hashes.length; at++) {
    let shingle = 0;
    for (let next = at; next < at + size; next++) shingle = Math.imul(shingle ^ hashes[next]!, 0x9e3779b1);
    shingles.add((shingle ^ (shingle >>> 15)) >>> 0);
  }
  return shingles;
}

function overlap(one: readonly LooseWord[], other: readonly LooseWord[]): number {
  const [left, right] = [shinglesOf(one), shinglesOf(other)];
  let shared = 0;
  for (const shingle of left) if (right.has(shingle)) shared++;
  const all = left.size + right.size - shared;
  return all === 0 ? 1 : shared / all;
}

/** The least hash of the shingles under each of several orders: two texts agree in one as often as they are alike. */
function leastHashes(words: readonly LooseWord[]): Uint32Array {
  const least = new Uint32Array(BANDS * ROWS).fill(0xffffffff);
  for (const shingle of shinglesOf(words)) {
    for (let order = 0; order < least.length; order++) {
      const place = reordered(shingle, order);
      if (place < least[order]!) least[order] = place;
    }
  }
  return least;
}

function reordered(shingle: number, order: number): number {
  let mixed = Math.imul(shingle ^ (order * 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
