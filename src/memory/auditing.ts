import { type MemoryRow, type Scope, scopeOf, sees } from "../store/memories/memories.js";
import { fingerprint } from "./facts/duplicates.js";
import type { ForgetPorts } from "./forgetting.js";
import { forgetRows } from "./forgetting.js";
import { isCurrent } from "./keys.js";
import { rowsOf } from "./listing.js";
import { type Duplicate, endStale, type MendPorts, mergeDuplicate } from "./mending.js";
import { bodyOf, type MemoryBody } from "./row.js";
import { endedValues, openValues, type RowValue } from "./slot-values.js";

/** How healthy the memories of a scope are. */
export interface MemoryAudit {
  readonly memories: number;
  /** Equal texts beyond the first. */
  readonly duplicates: number;
  /** Memories whose attribute has another, later value, and which still count as holding. */
  readonly stale: number;
  /** Memories that came out of sessions that are gone. */
  readonly orphaned: number;
  /** Passages, vectors and keys without a memory, in the whole store. */
  readonly leftovers: number;
  /** Texts that tell nothing: no words, or an acknowledgement. */
  readonly junk: number;
  /** Memories that name nobody. */
  readonly unscoped: number;
  /** Memories without vectors of the embedder in use. */
  readonly withoutVectors: number;
  /** What was put right; absent where nothing was asked to be. */
  readonly mended?: Mended;
  /** Up to ten ids of each kind. */
  readonly examples: Readonly<Record<"duplicates" | "stale" | "orphaned" | "junk" | "unscoped", readonly string[]>>;
}

export interface Mended {
  /** Merged into the first of their kind. */
  readonly duplicates: number;
  /** Closed. */
  readonly stale: number;
  /** Removed. */
  readonly leftovers: number;
  /** Removed, where asked. */
  readonly junk: number;
}

export interface AuditOptions {
  /** Merges duplicates, closes what is stale, removes leftovers. What only a person can judge stays. */
  readonly mend?: boolean;
  /** Removes junk as well. */
  readonly removeJunk?: boolean;
}

export interface AuditPorts extends ForgetPorts, MendPorts {
  /** Whether the store has the session. */
  hasSession(session: string): Promise<boolean>;
}

const EXAMPLES = 10;
const PAGE = 500;
const ACKNOWLEDGEMENT =
  /^(?:ok(?:ay)?|thanks?|thank you|thx|yes|no|yep|nope|sure|great|cool|nice|done|got it|sounds good|hi|hello|hey|bye|test|asdf|foo|null|undefined|none|n\/a|lorem ipsum.*)$/i;

/** Whether a text tells nothing that could be asked for. */
export const isJunk = (content: string): boolean => {
  const words = content.trim().replace(/(?<![\s.!?…])[\s.!?…]+$/u, "");
  return !/[\p{L}\p{N}]{2}|[\p{Script=Han}\p{Script=Hangul}]/u.test(words) || ACKNOWLEDGEMENT.test(words);
};

/** Counts what is wrong in a scope, and puts right what may be. */
export async function auditMemories(scope: Scope, options: AuditOptions, ports: AuditPorts): Promise<MemoryAudit> {
  const findings = await look(scope, ports);
  const { duplicates, stale, orphaned, junk, unscoped } = findings;
  const leftovers = sum(await ports.memories.orphans());
  const mended =
    options.mend || options.removeJunk ? await mend(scope, { findings, options, leftovers }, ports) : undefined;
  return {
    memories: findings.count,
    duplicates: duplicates.length,
    stale: stale.length,
    orphaned: orphaned.length,
    leftovers,
    junk: junk.length,
    unscoped: unscoped.length,
    withoutVectors: await countWithoutVectors(scope, ports),
    ...(mended === undefined ? {} : { mended }),
    examples: {
      duplicates: ids(duplicates.map(({ row }) => row)),
      stale: ids(stale),
      orphaned: ids(orphaned),
      junk: ids(junk),
      unscoped: ids(unscoped),
    },
  };
}

interface Findings {
  count: number;
  readonly duplicates: Duplicate[];
  readonly stale: MemoryRow[];
  /** By scope: the attributes with another, later value. */
  readonly staleSlots: Map<string, Set<string>>;
  readonly orphaned: MemoryRow[];
  readonly junk: MemoryRow[];
  readonly unscoped: MemoryRow[];
}

async function look(scope: Scope, ports: AuditPorts): Promise<Findings> {
  const findings: Findings = {
    count: 0,
    duplicates: [],
    stale: [],
    staleSlots: new Map(),
    orphaned: [],
    junk: [],
    unscoped: [],
  };
  const texts = new Map<string, MemoryRow>();
  const values: { readonly row: MemoryRow; readonly value: RowValue }[] = [];
  const sessions = new Map<string, boolean>();
  for await (const row of rowsOf(ports.memories, scope)) {
    const body = bodyOf(row);
    findings.count++;
    if (JSON.parse(row.scope).every((owner: unknown) => owner === null)) findings.unscoped.push(row);
    if (await isOrphan(body, sessions, ports)) findings.orphaned.push(row);
    if (!isCurrent(row)) continue;
    values.push(...openValues(body, row).map((value) => ({ row, value })));
    if (row.until !== undefined) continue;
    if (isJunk(body.content)) findings.junk.push(row);
    lookForEqual(row, body, { texts, findings });
  }
  for (const [owners, ofScope] of Map.groupBy(values, ({ row }) => row.scope)) {
    lookForLater(owners, new Map(ofScope.map(({ row, value }) => [value, row])), findings);
  }
  return findings;
}

async function isOrphan(
  { entries = [] }: MemoryBody,
  known: Map<string, boolean>,
  { hasSession }: AuditPorts,
): Promise<boolean> {
  for (const { session } of entries) {
    if (!known.has(session)) known.set(session, await hasSession(session));
  }
  return entries.length > 0 && entries.every(({ session }) => !known.get(session));
}

interface EqualTexts {
  readonly texts: Map<string, MemoryRow>;
  readonly findings: Findings;
}

function lookForEqual(row: MemoryRow, body: MemoryBody, { texts, findings }: EqualTexts): void {
  if (row.speaker !== "") return;
  const key = JSON.stringify([row.scope, row.tags, fingerprint(body.content)]);
  const first = texts.get(key);
  if (first === undefined) texts.set(key, row);
  else findings.duplicates.push({ row, first });
}

/** Two values of one attribute that both count as holding: the earlier one is stale. */
function lookForLater(owners: string, values: ReadonlyMap<RowValue, MemoryRow>, { stale, staleSlots }: Findings): void {
  const ended = endedValues([...values.keys()]).filter(({ value, at }) => at > value.at);
  if (ended.length === 0) return;
  stale.push(...new Set(ended.map(({ value }) => values.get(value)!)));
  staleSlots.set(owners, new Set(ended.map(({ value }) => value.slot)));
}

interface Mending {
  readonly findings: Findings;
  readonly options: AuditOptions;
  readonly leftovers: number;
}

async function mend(scope: Scope, { findings, options, leftovers }: Mending, ports: AuditPorts): Promise<Mended> {
  if (options.mend) {
    for (const duplicate of findings.duplicates) await mergeDuplicate(duplicate, ports);
    for (const [owners, slots] of findings.staleSlots) await endStale(scopeOf(owners), slots, ports);
    await ports.memories.orphans({ remove: true });
  }
  if (options.removeJunk) await forgetRows(scope, findings.junk, { ...ports, linked: true });
  return {
    duplicates: options.mend ? findings.duplicates.length : 0,
    stale: options.mend ? findings.stale.length : 0,
    leftovers: options.mend ? leftovers : 0,
    junk: options.removeJunk ? findings.junk.length : 0,
  };
}

/** Memories of a scope without vectors of the embedder in use. */
async function countWithoutVectors(scope: Scope, { memories, pool }: AuditPorts): Promise<number> {
  let count = 0;
  let after: string | undefined;
  do {
    const rows = await memories.without(pool.inUse.name, { limit: PAGE, ...(after === undefined ? {} : { after }) });
    count += rows.filter((row) => sees(scope, { ...scopeOf(row.scope), tags: row.tags })).length;
    after = rows.length < PAGE ? undefined : rows.at(-1)!.id;
  } while (after !== undefined);
  return count;
}

const ids = (rows: readonly MemoryRow[]): string[] => rows.slice(0, EXAMPLES).map((row) => bodyOf(row).id);

const sum = (leftovers: { readonly passages: number; readonly vectors: number; readonly keys: number }): number =>
  leftovers.passages + leftovers.vectors + leftovers.keys;
