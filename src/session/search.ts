import { messageText } from "../message/content.js";
import type { Entry } from "../message/entry.js";

export interface SearchHit {
  readonly entry: Entry;
  readonly score: number;
  /** The words around the best match. */
  readonly excerpt: string;
}

/** Words, and the parts of compound ones: "src/app.ts" is found by "app" too. */
const WORD = /[\p{L}\p{N}]+/gu;
const LONGEST_TEXT = 200_000;
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
const EXACT_BONUS = 4;
const AROUND = 120;

/** Full-text search over a log by BM25. The index grows with the log; each entry is read once. */
export class LogSearch {
  readonly #postings = new Map<string, Posting[]>();
  readonly #lengths: number[] = [];
  #total = 0;

  readTo(entries: readonly Entry[]): void {
    for (let at = this.#lengths.length; at < entries.length; at++) this.#read(entries[at]!);
  }

  /** The entries that answer a query best, best first; exact wordings count more. */
  find(query: string, entries: readonly Entry[], limit: number): SearchHit[] {
    this.readTo(entries);
    const terms = [...new Set(wordsOf(query))];
    const scores = new Map<number, number>();
    for (const term of terms) this.#score(term, scores);
    const wording = query.trim().toLowerCase();
    const ranked = [...scores].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, Math.max(50, limit * 4));
    return ranked
      .map(([at, score]) => hit(entries[at]!, score, { wording, terms }))
      .sort((a, b) => b.score - a.score || b.entry.sequence - a.entry.sequence)
      .slice(0, limit);
  }

  #read(entry: Entry): void {
    const counts = new Map<string, number>();
    const words = wordsOf(messageText(entry.message).slice(0, LONGEST_TEXT));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const at = this.#lengths.push(words.length) - 1;
    this.#total += words.length;
    for (const [word, count] of counts) {
      const list = this.#postings.get(word);
      if (list === undefined) this.#postings.set(word, [{ at, count }]);
      else list.push({ at, count });
    }
  }

  #score(term: string, scores: Map<number, number>): void {
    const list = this.#postings.get(term) ?? [];
    const entries = this.#lengths.length;
    const rarity = Math.log(1 + (entries - list.length + 0.5) / (list.length + 0.5));
    const mean = this.#total / Math.max(1, entries);
    for (const { at, count } of list) {
      const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * this.#lengths[at]!) / mean;
      const gain = (rarity * count * (SATURATION + 1)) / (count + SATURATION * length);
      scores.set(at, (scores.get(at) ?? 0) + gain);
    }
  }
}

interface Posting {
  readonly at: number;
  readonly count: number;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];

function hit(
  entry: Entry,
  score: number,
  { wording, terms }: { wording: string; terms: readonly string[] },
): SearchHit {
  const text = messageText(entry.message);
  const lower = text.toLowerCase();
  const exact = lower.indexOf(wording);
  const first =
    exact >= 0
      ? exact
      : Math.max(
          0,
          ...terms
            .map((term) => lower.indexOf(term))
            .filter((at) => at >= 0)
            .slice(0, 1),
        );
  return { entry, score: exact >= 0 ? score + EXACT_BONUS : score, excerpt: excerpt(text, first) };
}

function excerpt(text: string, at: number): string {
  const from = Math.max(0, at - AROUND / 2);
  const cut = text.slice(from, from + 2 * AROUND).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${from > 0 ? "…" : ""}${cut.replace(/\s+/g, " ").trim()}${from + 2 * AROUND < text.length ? "…" : ""}`;
}
