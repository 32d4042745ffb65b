/**
 * What only retells others. A sentence is an echo where its telling words are those of the texts before it, all its names
 * and numbers among them: the words around them ("according to my notes") say nothing of their own.
 */
import { isDecisive, type LooseWord, looseWords } from "./facts/duplicate-words.js";
import { areNearlyEqual, bandsOf } from "./facts/duplicates.js";
import { sentencesOf } from "./facts/sentences.js";
import { termsOf } from "./text/terms.js";

/** Share of the telling words that must be known. */
const KNOWN = 0.8;

/** What is said around something that is retold. */
const FRAME = new Set(
  termsOf(
    "according note notes noted record recorded records remember remembered recall memory memories stored saved know known knew " +
      "told tell telling said say saying mention mentioned see sure okay ok yes right course indeed understood got well right " +
      "information earlier previously before currently now still already based mind keep kept think believe seem happy " +
      "glad help please thank thanks user isn aren wasn weren don doesn didn hasn haven hadn won wouldn couldn shouldn ll re ve s t",
  ),
);
const REVERSAL = /\b(?:not|no|never|none|nor|without|cannot|neither|nobody|nothing|hardly|rarely|seldom)\b|n't\b/i;

/** Share of them that must stand in one sentence. */
const TOGETHER = 0.5;
const CANDIDATES = 200;

/** What a sentence may retell: texts, read once. */
export class Retold {
  readonly #sentences: readonly string[];
  readonly #terms: readonly ReadonlySet<string>[];
  readonly #words: ReadonlySet<string>;
  /** Which sentences have a term. */
  readonly #places = new Map<string, number[]>();
  /** Texts and sentences by the bands under which nearly equal ones are found. */
  readonly #bands = new Map<string, string[]>();

  constructor(texts: readonly string[]) {
    this.#sentences = [...new Set(texts.flatMap(sentencesOf))];
    this.#terms = this.#sentences.map((sentence) => new Set(termsOf(sentence)));
    this.#words = new Set(texts.flatMap(termsOf));
    for (const [at, terms] of this.#terms.entries()) for (const term of terms) listed(this.#places, term).push(at);
    for (const text of new Set([...texts, ...this.#sentences]))
      for (const band of bandsOf(text)) listed(this.#bands, band).push(text);
  }

  /** Whether a sentence says nothing but what these texts do. */
  has(sentence: string): boolean {
    if (this.#words.size === 0) return false;
    if (this.#isThere(sentence)) return true;
    const telling = tellingTerms(sentence);
    if (telling.length === 0) return false;
    const known = telling.filter((term) => this.#words.has(term)).length;
    return known >= KNOWN * telling.length && this.#hasNames(sentence) && this.#isAsTrue(sentence, telling);
  }

  #isThere(sentence: string): boolean {
    const candidates = bandsOf(sentence).flatMap((band) => this.#bands.get(band) ?? []);
    return candidates.some((each) => areNearlyEqual(sentence, each));
  }

  #hasNames(sentence: string): boolean {
    const names = looseWords(sentence).filter(isName);
    return names.every(({ word }) => termsOf(word).every((term) => this.#words.has(term) || FRAME.has(term)));
  }

  /** Words from here and there say something else, and so does a "not" more or less than in the sentence nearest to it. */
  #isAsTrue(sentence: string, telling: readonly string[]): boolean {
    const shared = (at: number): number => telling.filter((term) => this.#terms[at]!.has(term)).length;
    const length = (at: number): number => this.#sentences[at]!.length;
    const [nearest] = this.#candidates(telling).toSorted((a, b) => shared(b) - shared(a) || length(a) - length(b));
    if (nearest === undefined) return true;
    return (
      shared(nearest) >= TOGETHER * telling.length && isReversed(sentence) === isReversed(this.#sentences[nearest]!)
    );
  }

  /** The places of sentences that have the rarest of these words; of very many the first. */
  #candidates(telling: readonly string[]): readonly number[] {
    const places = telling.flatMap((term) => (this.#places.has(term) ? [this.#places.get(term)!] : []));
    return places.toSorted((a, b) => a.length - b.length)[0]?.slice(0, CANDIDATES) ?? [];
  }
}

function listed<T>(lists: Map<string, T[]>, name: string): T[] {
  const list = lists.get(name) ?? [];
  if (list.length === 0) lists.set(name, list);
  return list;
}

const isReversed = (sentence: string): boolean => REVERSAL.test(sentence);

/** A number or a name. */
const isName = (word: LooseWord): boolean => isDecisive(word) && /[\p{N}\p{Lu}]/u.test(word.word);

export const tellingTerms = (text: string): string[] => [...new Set(termsOf(text))].filter((term) => !FRAME.has(term));

/** The terms of the names and numbers in texts. */
export const namesIn = (texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap((text) => looseWords(text).filter(isName)).flatMap(({ word }) => termsOf(word)));

/** Whether a text tells what another does, whatever else it says. */
export function tells(text: string, told: string): boolean {
  const terms = tellingTerms(told);
  const said = new Set(termsOf(text));
  return terms.length > 0 && terms.filter((term) => said.has(term)).length >= KNOWN * terms.length;
}

/** Whether most of what a sentence tells is told by a text: it may have its words from there. */
export function isMostlyOf(sentence: string, told: string): boolean {
  const terms = tellingTerms(sentence);
  const known = new Set(termsOf(told));
  return terms.length > 0 && terms.filter((term) => known.has(term)).length >= TOGETHER * terms.length;
}

/** Whether a text says nothing beyond another. */
export const isOnly = (content: string, told: string): boolean =>
  draws(content, told) && tellsNothing(withoutEchoes(content, new Retold([told])));

/** Whether a text shares a telling word with another. */
export function draws(text: string, on: string): boolean {
  const said = new Set(termsOf(text));
  return tellingTerms(on).some((term) => said.has(term));
}

/** Whether nothing is left to tell in a text. */
const tellsNothing = (text: string): boolean => tellingTerms(text).length === 0;

const FENCE = /^\s*(?:```|~~~)/;

/** A text without the sentences that only retell; the same where there are none. Code stays as it is. */
export function withoutEchoes(text: string, retold: Retold): string {
  return retold.has(text) ? "" : withoutSentences(text, (sentence) => retold.has(sentence));
}

/** A text without some of its sentences; the same where there are none of them. Code stays as it is. */
export function withoutSentences(text: string, isOut: (sentence: string) => boolean): string {
  let fenced = false;
  let isChanged = false;
  const lines = text.split("\n").flatMap((line) => {
    const isFence = FENCE.test(line);
    if (isFence) fenced = !fenced;
    const left = isFence || fenced ? line : lineWithout(line, isOut);
    if (left === line) return [line];
    isChanged = true;
    return left === "" ? [] : [left];
  });
  return isChanged ? lines.join("\n").trim() : text;
}

function lineWithout(line: string, isOut: (sentence: string) => boolean): string {
  const out = sentencesOf(line).filter(isOut);
  if (out.length === 0) return line;
  const plain = line
    .replace(/[’‘]/g, "'")
    .replace(/\*\*|__/g, "")
    .replace(/\s+/g, " ");
  const pieces: string[] = [];
  let from = 0;
  for (const sentence of out) {
    const at = plain.indexOf(sentence, from);
    if (at < 0) continue;
    pieces.push(plain.slice(from, at));
    from = at + sentence.length;
  }
  const left = [...pieces, plain.slice(from)].join("").replace(/ {2,}/g, " ").trim();
  return tellsNothing(left) ? "" : left;
}
