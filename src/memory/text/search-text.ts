import { passagesOf } from "./passages.js";
import { termsOf } from "./terms.js";

export interface Searchable {
  readonly content: string;
  readonly speaker: string;
  readonly time: number;
  /** Further texts that lead to it. */
  readonly facts: readonly string[];
}

export interface SearchPassage {
  readonly text: string;
  readonly terms: readonly string[];
}

/**
 * What a memory is found by: its passages with the speaker's name and the date, since people ask for both; and facts
 * that say it in other words.
 */
export function searchPassages({ content, speaker, time, facts }: Searchable): SearchPassage[] {
  const said = saidBy(content, speaker);
  const date = dateTerms(time);
  const passages = passagesOf(said).map((text) => ({ text, terms: [...termsOf(text), ...date] }));
  return [...passages, ...facts.map((text) => ({ text, terms: termsOf(text) }))];
}

const saidBy = (content: string, speaker: string): string =>
  speaker === "" || startsWith(content, speaker) ? content : `${speaker}: ${content}`;

/** Where the passages of a content stand in it. */
export function placesOfPassages({ content, speaker }: Pick<Searchable, "content" | "speaker">): PassagePlace[] {
  const said = saidBy(content, speaker);
  let end = content.length - said.length;
  return passagesOf(said).map((passage) => {
    const start = Math.max(0, end);
    end += passage.length;
    return { start, end };
  });
}

/** The first character of a passage, and after its last. */
export interface PassagePlace {
  readonly start: number;
  readonly end: number;
}

const startsWith = (content: string, speaker: string): boolean =>
  content.slice(0, speaker.length + 1).toLowerCase() === `${speaker.toLowerCase()}:`;

const MONTHS = "january february march april may june july august september october november december".split(" ");

const DAY = 24 * 60 * 60 * 1_000;
let latest: { readonly day: number; readonly terms: readonly string[] } | undefined;

/** Day, month and year as a question would name them. Most that is stored at once is of one day. */
function dateTerms(time: number): readonly string[] {
  const day = Math.floor(time / DAY);
  if (latest?.day !== day) {
    const date = new Date(time);
    const terms = termsOf(`${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`);
    latest = { day, terms };
  }
  return latest.terms;
}
