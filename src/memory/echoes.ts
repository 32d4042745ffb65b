/**
 * What only retells others. A sentence is an echo where its telling words are those of the texts before it, all its names
 * and numbers among them: the words around them ("according to my notes") say nothing of their own.
 */
import { isDecisive, type LooseWord, looseWords } from "./facts/duplicate-words.js";
import { areNearlyEqual } from "./facts/duplicates.js";
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
      "glad help please thank thanks user",
  ),
);
const REVERSAL = /\b(?:not|no|never|none|nor|without|cannot|neither|nobody|nothing|hardly|rarely|seldom)\b|n't\b/i;

/** What a sentence may retell: texts, read once. */
export class Retold {
  readonly #sentences: readonly string[];
  readonly #terms: readonly ReadonlySet<string>[];
  readonly #all: ReadonlySet<string>;

  constructor(texts: readonly string[]) {
    this.#sentences = texts.flatMap((text) => [text, ...sentencesOf(text)]);
    this.#terms = this.#sentences.map((sentence) => new Set(termsOf(sentence)));
    this.#all = new Set(this.#terms.flatMap((terms) => [...terms]));
  }

  /** Whether a sentence says nothing but what these texts do. */
  has(sentence: string): boolean {
    if (this.#sentences.length === 0) return false;
    if (this.#sentences.some((each) => areNearlyEqual(sentence, each))) return true;
    const telling = tellingTerms(sentence);
    if (telling.length === 0) return false;
    const known = telling.filter((term) => this.#all.has(term)).length;
    return known >= KNOWN * telling.length && this.#hasNames(sentence) && this.#isAsTrue(sentence, telling);
  }

  #hasNames(sentence: string): boolean {
    const names = looseWords(sentence).filter(isName);
    return names.every(({ word }) => termsOf(word).every((term) => this.#all.has(term) || FRAME.has(term)));
  }

  /** A "not" more or less, compared with the sentence that has most of its words, turns it round. */
  #isAsTrue(sentence: string, telling: readonly string[]): boolean {
    const shared = this.#terms.map((terms) => telling.filter((term) => terms.has(term)).length);
    const most = Math.max(...shared);
    const nearest = this.#sentences.filter((_, at) => shared[at] === most).toSorted((a, b) => a.length - b.length)[0]!;
    return REVERSAL.test(sentence) === REVERSAL.test(nearest);
  }
}

/** A number or a name. */
const isName = (word: LooseWord): boolean => isDecisive(word) && /[\p{N}\p{Lu}]/u.test(word.word);

const tellingTerms = (text: string): string[] => [...new Set(termsOf(text))].filter((term) => !FRAME.has(term));

/** Whether a text tells what another does, whatever else it says. */
export function tells(text: string, told: string): boolean {
  const terms = tellingTerms(told);
  const said = new Set(termsOf(text));
  return terms.length > 0 && terms.filter((term) => said.has(term)).length >= KNOWN * terms.length;
}

/** Whether a text shares a telling word with another. */
export function draws(text: string, on: string): boolean {
  const said = new Set(termsOf(text));
  return tellingTerms(on).some((term) => said.has(term));
}

/** Whether nothing is left to tell in a text. */
export const tellsNothing = (text: string): boolean => tellingTerms(text).length === 0;

const FENCE = /^\s*(?:```|~~~)/;

/** A text without the sentences that only retell; the same where there are none. Code stays as it is. */
export function withoutEchoes(text: string, retold: Retold): string {
  if (retold.has(text)) return "";
  let fenced = false;
  let isChanged = false;
  const lines = text.split("\n").flatMap((line) => {
    const isFence = FENCE.test(line);
    if (isFence) fenced = !fenced;
    const left = isFence || fenced ? line : lineWithout(line, retold);
    if (left === line) return [line];
    isChanged = true;
    return left === "" ? [] : [left];
  });
  return isChanged ? lines.join("\n").trim() : text;
}

function lineWithout(line: string, retold: Retold): string {
  const echoes = sentencesOf(line).filter((sentence) => retold.has(sentence));
  if (echoes.length === 0) return line;
  const plain = line.replace(/[’‘]/g, "'").replace(/\*\*|__/g, "");
  const left = echoes.reduce((rest, echo) => rest.replace(echo, () => ""), plain.replace(/\s+/g, " ")).trim();
  return tellsNothing(left) ? "" : left;
}
