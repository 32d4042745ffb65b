import { folded, placeIn, queryTerms, textTerms } from "../memory/text/words.js";
import { messageText } from "../message/content.js";
import type { Entry } from "../message/entry.js";
import { averageLength, termScore, termWeight } from "../store/memories/bm25.js";

export interface SearchHit {
  readonly entry: Entry;
  readonly score: number;
  /** The words around the best match. */
  readonly excerpt: string;
}

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
    const wording = folded(query.trim());
    const terms = queryTerms(wording);
    const scores = new Map<number, number>();
    for (const term of terms) this.#score(term, scores);
    const ranked = [...scores].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, Math.max(50, limit * 4));
    return ranked
      .map(([at, score]) => found(entries[at]!, score, { wording, terms }))
      .sort((a, b) => b.score - a.score || b.entry.sequence - a.entry.sequence)
      .slice(0, limit)
      .map(({ entry, score, place }) => ({ entry, score, excerpt: excerpt(messageText(entry.message), place()) }));
  }

  #read(entry: Entry): void {
    const counts = new Map<string, number>();
    let length = 0;
    for (const term of textTerms(folded(messageText(entry.message)))) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
      length++;
    }
    const at = this.#lengths.push(length) - 1;
    this.#total += length;
    for (const [word, count] of counts) {
      const list = this.#postings.get(word);
      if (list === undefined) this.#postings.set(word, [{ at, count }]);
      else list.push({ at, count });
    }
  }

  #score(term: string, scores: Map<number, number>): void {
    const list = this.#postings.get(term) ?? [];
    const counts = { passages: this.#lengths.length, length: this.#total };
    const weight = termWeight(counts, list.length);
    const average = averageLength(counts);
    for (const { at, count } of list) {
      scores.set(at, (scores.get(at) ?? 0) + weight * termScore(count, this.#lengths[at]!, average));
    }
  }
}

interface Posting {
  readonly at: number;
  readonly count: number;
}

interface Asked {
  readonly wording: string;
  readonly terms: readonly string[];
}

interface Found {
  readonly entry: Entry;
  readonly score: number;
  /** Where in the text the best match lies. */
  readonly place: () => number;
}

function found(entry: Entry, score: number, { wording, terms }: Asked): Found {
  const text = messageText(entry.message);
  const shape = folded(text);
  const exact = shape.indexOf(wording);
  const first = () => terms.map((term) => shape.indexOf(term)).find((at) => at >= 0) ?? 0;
  const place = () => placeIn(text, exact >= 0 ? exact : first());
  return { entry, score: exact >= 0 ? score + EXACT_BONUS : score, place };
}

function excerpt(text: string, at: number): string {
  const from = Math.max(0, at - AROUND / 2);
  const cut = text.slice(from, from + 2 * AROUND).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${from > 0 ? "…" : ""}${cut.replace(/\s+/g, " ").trim()}${from + 2 * AROUND < text.length ? "…" : ""}`;
}
