/** Rare words by which a forgotten text is known wherever they stand, and whatever else is said around them. */
import type { MemoryRow, Scope } from "../store/memories/memories.js";
import { countO200k } from "../tokens/o200k.js";
import { FORGOTTEN, ForgottenTexts } from "./forgotten-texts.js";
import { keyOf } from "./keys.js";
import { rowsOf } from "./listing.js";
import type { EntryReference } from "./memory.js";
import { entriesOf } from "./retold-rows.js";
import { bodyOf } from "./row.js";
import type { StorePorts } from "./storing.js";
import { wordsIn } from "./text/words.js";

/** What has words of forgotten texts. */
export interface Carrier {
  /** The memory's id, the entry's, or none where a session's notes have them. */
  readonly id: string;
  readonly session?: string;
  readonly time: number;
  /** Whether the agent or a tool says it, who may have it from what is forgotten. */
  readonly isRetold: boolean;
  readonly words: readonly string[];
}

export interface CarriersOf {
  readonly scope: Scope;
  readonly words: ReadonlySet<string>;
  /** Texts and keys of entries that go in any case. */
  readonly said: readonly string[];
  readonly entries: ReadonlySet<string>;
}

export interface WordPorts extends StorePorts {
  /** What in the sessions of a scope has one of these words. */
  carriers(of: CarriersOf): Promise<readonly Carrier[]>;
  readonly request?: { readonly entries: readonly EntryReference[] };
}

/** Words of forgotten texts: those that go wherever they stand, and all that are looked for when that is done. */
export interface DistinctiveWords {
  readonly gone: ReadonlySet<string>;
  readonly sought: ReadonlySet<string>;
}

const NO_WORDS: DistinctiveWords = { gone: new Set(), sought: new Set() };

/** Common words are one token of the o200k table, which is made of what is written most; a year is two, "kumquat" three. */
const RARE = 2;
const VERY_RARE = 3;
/** Where more go at once, their words are those of a whole history. */
const MOST_TEXTS = 200;

const tokensOf = (word: string): number => Math.min(countO200k(word), countO200k(` ${word}`));

/**
 * The rare words of texts that nothing in the scope has said before them. Those that only the agent and tools have said
 * since came from there, and go too; what the user says again is the user's.
 */
export async function distinctiveWords(
  scope: Scope,
  { told, said }: { readonly told: readonly MemoryRow[]; readonly said: readonly string[] },
  ports: WordPorts,
): Promise<DistinctiveWords> {
  if (said.length === 0 || told.length > MOST_TEXTS) return NO_WORDS;
  const own = told.map(bodyOf).flatMap(({ source, content }) => (source === "agent" ? [] : wordsIn(content)));
  const words = new Set([...new Set(own)].filter((word) => tokensOf(word) >= RARE));
  const entries = new Set([...entriesOf(told), ...(ports.request?.entries ?? [])].map(keyOf.entry));
  const others = await carriersIn({ scope, words, said, entries }, told, ports);
  const since = Math.min(...told.map(({ time }) => time));
  const before = new Set(others.filter(({ time }) => time < since).flatMap((one) => one.words));
  const again = new Set(others.filter(({ isRetold }) => !isRetold).flatMap((one) => one.words));
  const sought = new Set([...words].filter((word) => !before.has(word)));
  return { sought, gone: new Set([...sought].filter((word) => !again.has(word) && tokensOf(word) >= VERY_RARE)) };
}

/** What still has words that were looked for, in words. */
export async function wordsLeft(scope: Scope, words: ReadonlySet<string>, ports: WordPorts): Promise<string[]> {
  const left = await carriersIn({ scope, words, said: [], entries: new Set() }, [], ports);
  return [...Map.groupBy(left, ({ session }) => session)].map(([session, carriers]) => {
    const ids = [...new Set(carriers.map(({ id }) => id))].join(", ");
    const place = session === undefined ? "Memories" : `The session "${session}"`;
    return `${place} may still tell of it, by a rare word: ${ids}.`;
  });
}

async function carriersIn(of: CarriersOf, told: readonly MemoryRow[], ports: WordPorts): Promise<Carrier[]> {
  if (of.words.size === 0) return [];
  const known = new Set(told.map(({ id }) => id));
  const texts = new ForgottenTexts(of.said);
  const carriers = [...(await ports.carriers(of))];
  for await (const row of rowsOf(ports.memories, of.scope)) {
    const words = known.has(row.id) ? [] : wordsOf(textsOfRow(row), { texts, words: of.words });
    const { id, source } = bodyOf(row);
    if (words.length > 0)
      carriers.push({ id, time: row.time, isRetold: source === "agent" || source === "tool", words });
  }
  return carriers;
}

function textsOfRow(row: MemoryRow): string[] {
  const { content, metadata = {}, facts = [] } = bodyOf(row);
  return [content, row.thread, row.speaker, ...row.tags, JSON.stringify(metadata), ...facts.map(({ text }) => text)];
}

/** Those of the words that texts have beside what goes in any case. */
export const wordsOf = (
  said: readonly string[],
  { texts, words }: { readonly texts: ForgottenTexts; readonly words: ReadonlySet<string> },
): string[] => [
  ...new Set(said.flatMap((text) => wordsIn(texts.without(text, FORGOTTEN))).filter((word) => words.has(word))),
];
