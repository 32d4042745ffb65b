import { withoutWords } from "./text/words.js";

/** What stands where a text was that has been forgotten. */
export const FORGOTTEN = "[forgotten]";

/** What is shorter says too little to be known again in a longer text: it is meant where it is all that is said. */
const TELLING = 12;
/** With more, looking for each of them costs more than looking for what a text may begin with at each of its places. */
const FEW = 32;

interface Text {
  readonly text: string;
  readonly plain: string;
}

/** Texts that are forgotten, looked for in others whatever their case, their white space and the marks around them. */
export class ForgottenTexts {
  readonly #short = new Set<string>();
  readonly #long = new Map<string, Text>();
  /** By their first characters. */
  readonly #beginnings = new Map<string, Text[]>();
  readonly #words: ReadonlySet<string>;

  /** Words go wherever they stand; they are given in lower case. */
  constructor(texts: Iterable<string>, words: ReadonlySet<string> = new Set()) {
    this.#words = words;
    for (const text of texts) {
      const plain = plainOf(text);
      if (plain.length < TELLING) this.#short.add(plain);
      else if (!this.#long.has(plain)) this.#add({ text, plain });
    }
    this.#short.delete("");
  }

  #add(text: Text): void {
    this.#long.set(text.plain, text);
    const beginning = text.plain.slice(0, TELLING);
    this.#beginnings.set(beginning, [...(this.#beginnings.get(beginning) ?? []), text]);
  }

  /** Whether one of them stands in a text. */
  isIn(text: string): boolean {
    return this.#isShort(text) || this.#found(text).length > 0 || this.#withoutWords(text, "") !== text;
  }

  /** A text with something else in their place; the same where none stands in it. */
  without(text: string, instead: string): string {
    return this.#withoutWords(this.#withoutTexts(text, instead), instead);
  }

  #withoutWords(text: string, instead: string): string {
    return this.#words.size === 0 ? text : withoutWords(text, this.#words, instead);
  }

  #withoutTexts(text: string, instead: string): string {
    if (this.#isShort(text)) return instead;
    const found = this.#found(text).sort((a, b) => b.plain.length - a.plain.length);
    if (found.length === 0) return text;
    const left = found.reduce((rest, one) => rest.replace(patternOf(one.text), () => instead), text);
    return this.#isShort(left) || this.#found(left).length > 0 || !/[\p{L}\p{N}]/u.test(left.replaceAll(instead, ""))
      ? instead
      : left;
  }

  /** The marks around a short text are few. */
  #isShort(text: string): boolean {
    return this.#short.size > 0 && text.length <= 4 * TELLING && this.#short.has(plainOf(text));
  }

  #found(text: string): Text[] {
    if (text.length < TELLING) return [];
    const plain = spacedOf(text);
    if (this.#long.size <= FEW) return [...this.#long.values()].filter((text) => plain.includes(text.plain));
    const found = new Set<Text>();
    for (let at = 0; at + TELLING <= plain.length; at++)
      for (const text of this.#beginnings.get(plain.slice(at, at + TELLING)) ?? [])
        if (plain.startsWith(text.plain, at)) found.add(text);
    return [...found];
  }
}

/** What is between the marks and the white space around a text; found in one go, however much of it there is inside. */
const BARE = /^[\s\p{P}]*([\s\S]*[^\s\p{P}])?/u;

const bareOf = (text: string): string => BARE.exec(text)?.[1] ?? "";

const spacedOf = (text: string): string => {
  const lower = text.toLowerCase();
  return /\s\s|[^\S ]/.test(lower) ? lower.replace(/\s+/g, " ") : lower;
};

const plainOf = (text: string): string => spacedOf(bareOf(text));

const patternOf = (text: string): RegExp =>
  new RegExp(
    bareOf(text)
      .split(/\s+/)
      .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))
      .join("\\s+"),
    "giu",
  );
