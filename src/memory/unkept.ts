import { tellingTerms, withoutSentences } from "./echoes.js";
import { keptOf } from "./facts/off-record.js";
import type { MemoryRequest } from "./facts/requests.js";
import { withoutSpans } from "./facts/spans.js";
import { termsOf } from "./text/terms.js";

/** What orders about the memory are made of, and answers to them. */
const ORDER = new Set(
  termsOf(
    "forget forgotten forgot unlearn delete deleted erase erased remove removed wipe clear drop purge save store keep retain " +
      "memorise memorize write log logged persist repeat share anywhere off never must want ask asked longer",
  ),
);

/** What a user wants not kept, known by the words that tell it. */
export class Unkept {
  readonly #terms: ReadonlySet<string>;

  constructor(terms: Iterable<string>) {
    this.#terms = new Set([...terms].filter((term) => !ORDER.has(term)));
  }

  /** The same and what these texts tell. */
  and(texts: readonly string[]): Unkept {
    return new Unkept([...this.#terms, ...texts.flatMap(tellingTerms)]);
  }

  /** Whether a text tells of it. */
  isIn(text: string): boolean {
    return this.#terms.size > 0 && termsOf(text).some((term) => this.#terms.has(term));
  }

  /** A text without the sentences that tell of it. */
  without(text: string): string {
    return this.isIn(text) ? withoutSentences(text, (sentence) => this.isIn(sentence)) : text;
  }
}

/** What is left out of a user's text: what is off the record, and what is asked to be forgotten. */
export function unkeptOf(text: string, requests: readonly MemoryRequest[]): Unkept {
  const said = keptOf(text);
  const kept = withoutSpans(
    said,
    requests.filter(({ kind, alone }) => said === text && kind === "forget" && alone),
  );
  if (kept === text) return new Unkept([]);
  const told = new Set(termsOf(kept));
  return new Unkept(tellingTerms(text).filter((term) => !told.has(term)));
}
