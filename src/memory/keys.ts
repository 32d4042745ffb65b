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
  /** What says the value of an attribute again: another memory has the slot. */
  again: (slot: string): string => `again:${slot}`,
  /** What a memory ended, by that memory's id. */
  ended: (id: string): string => `ended:${id}`,
  /** What came out of a session. */
  session: (session: string): string => `session:${session}`,
  /** What came out of an entry. */
  entry: ({ session, sequence }: EntryReference): string => `entry:${sequence}:${session}`,
  /** What the agent said when it was shown a memory. */
  recalled: (id: string): string => `recalled:${id}`,
};

/** The keys of a memory that is the current version of itself. */
export const currentKeys = (
  body: MemoryBody,
  speaker: string,
  texts: readonly string[] = textKeys(body.content, speaker),
): string[] => [
  keyOf.id(body.id),
  ...texts,
  ...slotKeys(body.facts ?? []),
  ...entryKeys(body.entries),
  ...recalledKeys(body),
];

/** The keys of a former version. */
export const formerKeys = (body: MemoryBody): string[] => [keyOf.former(body.id), ...entryKeys(body.entries)];

/** The keys to equal and nearly equal texts. In a conversation there are none: what was said twice was said twice. */
export function textKeys(content: string, speaker: string): string[] {
  if (speaker !== "") return [];
  const bands = bandsOf(content);
  return bands.length === 0 ? [keyOf.text(fingerprint(content))] : bands.map((band) => keyOf.near(band));
}

/** The keys to the open slots of facts. */
export const slotKeys = (facts: readonly Pick<MemoryFact, "slot" | "validUntil">[]): string[] => [
  ...new Set(
    facts.flatMap(({ slot, validUntil }) => (slot === undefined || validUntil !== undefined ? [] : [keyOf.slot(slot)])),
  ),
];

/** The keys that a memory has by its facts: the slots that it holds or says again, and what ended the others. */
const factKeys = (facts: readonly MemoryFact[]): string[] => [...new Set(facts.flatMap(keysOfFact))];

function keysOfFact({ slot, validUntil, repeated, supersededBy }: MemoryFact): string[] {
  if (slot === undefined) return [];
  if (validUntil === undefined) return [repeated ? keyOf.again(slot) : keyOf.slot(slot)];
  return supersededBy === undefined ? [] : [keyOf.ended(supersededBy)];
}

const FACT_KEY = /^(?:slot|again|ended):/;

/** Keys with those that follow from facts put anew. */
export const withFactKeys = (keys: readonly string[], facts: readonly MemoryFact[]): string[] => [
  ...keys.filter((key) => !FACT_KEY.test(key)),
  ...factKeys(facts),
];

/** The keys to where a memory came from. */
export const entryKeys = (entries: readonly EntryReference[] = []): string[] => [
  ...new Set(entries.flatMap((entry) => [keyOf.entry(entry), keyOf.session(entry.session)])),
];

/** The keys to the memories that an agent's text may have its words from. */
const recalledKeys = ({ source, metadata }: MemoryBody): string[] => {
  const recalled: unknown = source === "agent" ? metadata?.recalled : undefined;
  return Array.isArray(recalled) ? [...new Set(recalled.map(String))].map(keyOf.recalled) : [];
};

/** Whether a row is the memory as it stands, and no former version. */
export const isCurrent = ({ keys }: { readonly keys: readonly string[] }): boolean =>
  keys.some((key) => key.startsWith("id:"));
