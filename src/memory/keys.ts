import { bandsOf, fingerprint } from "./facts/duplicates.js";
import type { EntryReference, MemoryFact } from "./memory.js";
import type { MemoryBody } from "./row.js";

/** The names under which rows are looked up. Of a closed fact the slot is no key: it has been settled. */
export const keyOf = {
  /** A memory by its id. */
  id: (id: string): string => `id:${id}`,
  /** Its former versions. */
  former: (id: string): string => `was:${id}`,
  /** Equal texts without a word that tells. */
  text: (fingerprint: string): string => `text:${fingerprint}`,
  /** Texts that may be nearly equal. */
  near: (band: string): string => `near:${band}`,
  /** What has a value for an attribute now. */
  slot: (slot: string): string => `slot:${slot}`,
  /** What came out of a session. */
  session: (session: string): string => `session:${session}`,
  /** What came out of an entry. */
  entry: ({ session, sequence }: EntryReference): string => `entry:${sequence}:${session}`,
};

/** The keys of a memory that is the current version of itself. */
export const currentKeys = (
  body: MemoryBody,
  speaker: string,
  texts: readonly string[] = textKeys(body.content, speaker),
): string[] => [keyOf.id(body.id), ...texts, ...slotKeys(body.facts ?? []), ...entryKeys(body.entries)];

/** The keys of a former version. */
export const formerKeys = (body: MemoryBody): string[] => [keyOf.former(body.id), ...entryKeys(body.entries)];

/** The keys to equal and nearly equal texts. In a conversation there are none: what was said twice was said twice. */
export function textKeys(content: string, speaker: string): string[] {
  if (speaker !== "") return [];
  const bands = bandsOf(content);
  return bands.length === 0 ? [keyOf.text(fingerprint(content))] : bands.map((band) => keyOf.near(band));
}

/** The keys to the open slots of facts. */
export const slotKeys = (facts: readonly MemoryFact[]): string[] => [
  ...new Set(
    facts.flatMap(({ slot, validUntil }) => (slot === undefined || validUntil !== undefined ? [] : [keyOf.slot(slot)])),
  ),
];

/** The keys to where a memory came from. */
const entryKeys = (entries: readonly EntryReference[] = []): string[] => [
  ...new Set(entries.flatMap((entry) => [keyOf.entry(entry), keyOf.session(entry.session)])),
];
