import type { Memories, MemoryRow, Scope } from "../store/memories/memories.js";
import { clausesOf } from "./facts/clauses.js";
import { slotOf } from "./facts/rule.js";
import { sentencesOf } from "./facts/sentences.js";
import { keyOf } from "./keys.js";
import { bodyOf } from "./row.js";
import { questionTerms, termsOf } from "./text/terms.js";

/** What somebody says of a memory that is meant. */
interface Description {
  readonly what: string;
  /** Whom "my" means; the user unless given. */
  readonly speaker: string | undefined;
}

const CANDIDATES = 50;
/** Share of a description's words that a memory has which is meant by it, and how much longer it may be. */
const MEANT = 0.8;
const LONGER = 4;
const FEWEST_WORDS = 2;
/** How much longer a memory may be than a thing that is said to hold no longer, to be about nothing else. */
const HARDLY_LONGER = 1.5;

/** The memories that a description means: they have its words and are not about much else, or tell what it names. */
export async function rowsMeant(scope: Scope, description: Description, memories: Memories): Promise<MemoryRow[]> {
  const terms = questionTerms(description.what);
  const named = await rowsOfSlot(scope, description, memories);
  const alike = await rowsLike(scope, terms, memories);
  return distinct([...named, ...alike.filter((row) => isMeant(termsOf(bodyOf(row).content), terms))]);
}

/** The memories that are about the very thing described. */
export async function rowsLapsed(scope: Scope, description: Description, memories: Memories): Promise<MemoryRow[]> {
  const terms = questionTerms(description.what);
  const named = await rowsOfSlot(scope, description, memories);
  const alike = await rowsLike(scope, terms, memories);
  return distinct([...named, ...alike.filter((row) => isAbout(termsOf(bodyOf(row).content), terms))]);
}

async function rowsLike(scope: Scope, terms: readonly string[], memories: Memories): Promise<readonly MemoryRow[]> {
  if (terms.length < FEWEST_WORDS) return [];
  const hits = await memories.search(scope, { terms, vectors: [], limit: CANDIDATES });
  const ids = hits.map(({ id }) => id);
  return memories.get(scope, ids);
}

/** "My phone number" is what the slot `user/phone` tells; a memory that tells more than that is not meant. */
async function rowsOfSlot(
  scope: Scope,
  { what, speaker = "user" }: Description,
  memories: Memories,
): Promise<MemoryRow[]> {
  const { whose, thing } = /^(?<whose>my|our|the|this) (?<thing>[^,:]{2,80})/i.exec(what)?.groups ?? {};
  if (thing === undefined) return [];
  const slot = slotOf(whose?.toLowerCase() === "my" ? speaker : "project", thing);
  const { rows } = await memories.find(scope, [keyOf.slot(slot)]);
  return rows.filter((row) => isOneStatement(bodyOf(row).content));
}

function isOneStatement(content: string): boolean {
  const sentences = sentencesOf(content);
  return sentences.length === 1 && clausesOf(sentences[0]!).length === 1;
}

/** Of two words, which may meet by chance, both stand side by side. */
function isMeant(said: readonly string[], terms: readonly string[]): boolean {
  const words = new Set(said);
  const shared = terms.filter((term) => words.has(term)).length;
  const close = terms.length > FEWEST_WORDS || said.some((word, at) => isPair([word, said[at + 1]], terms));
  return close && shared >= MEANT * terms.length && words.size <= LONGER * terms.length;
}

const isPair = ([one, other]: readonly (string | undefined)[], [first, second]: readonly string[]): boolean =>
  (one === first && other === second) || (one === second && other === first);

function isAbout(said: readonly string[], terms: readonly string[]): boolean {
  const words = new Set(said);
  return terms.every((term) => words.has(term)) && words.size <= HARDLY_LONGER * terms.length;
}

const distinct = (rows: readonly MemoryRow[]): MemoryRow[] => [...new Map(rows.map((row) => [row.id, row])).values()];
