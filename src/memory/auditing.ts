import type { Memories, MemoryRow, Scope } from "../store/memories/memories.js";
import { fingerprint } from "./facts/duplicates.js";
import type { ForgetPorts } from "./forgetting.js";
import { forgetRows } from "./forgetting.js";
import { currentKeys } from "./keys.js";
import { rowsOf } from "./listing.js";
import { bodyOf, type MemoryBody } from "./row.js";

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
  /** Memories without vectors of the embedder in use, in the whole store. */
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

export interface AuditPorts extends ForgetPorts {
  /** Whether the store has the session. */
  hasSession(session: string): Promise<boolean>;
}

const EXAMPLES = 10;
const ACKNOWLEDGEMENT =
  /^(?:ok(?:ay)?|thanks?|thank you|thx|yes|no|yep|nope|sure|great|cool|nice|done|got it|sounds good|hi|hello|hey|bye|test|asdf|foo|null|undefined|none|n\/a|lorem ipsum.*)$/i;

/** Whether a text tells nothing that could be asked for. */
export const isJunk = (content: string): boolean => {
  const words = content.trim().replace(/[\s.!?…]+$/u, "");
  return !/[\p{L}\p{N}]{2}|[\p{Script=Han}\p{Script=Hangul}]/u.test(words) || ACKNOWLEDGEMENT.test(words);
};

/** Counts what is wrong in a scope, and puts right what may be. */
export async function auditMemories(scope: Scope, options: AuditOptions, ports: AuditPorts): Promise<MemoryAudit> {
  const findings = await look(scope, ports);
  const { duplicates, stale, orphaned, junk, unscoped } = findings;
  const leftovers = sum(await ports.memories.orphans());
  const mended =
    options.mend || options.removeJunk ? await mend(scope, { findings, options, leftovers }, ports) : undefined;
  const counts = await ports.memories.embedders();
  const all = Math.max(0, ...counts.values());
  return {
    memories: findings.count,
    duplicates: duplicates.length,
    stale: stale.length,
    orphaned: orphaned.length,
    leftovers,
    junk: junk.length,
    unscoped: unscoped.length,
    withoutVectors: Math.max(0, all - (counts.get(ports.pool.inUse.name) ?? 0)),
    ...(mended === undefined ? {} : { mended }),
    examples: {
      duplicates: ids(duplicates.map(({ row }) => row)),
      stale: ids(stale.map(({ row }) => row)),
      orphaned: ids(orphaned),
      junk: ids(junk),
      unscoped: ids(unscoped),
    },
  };
}

interface Findings {
  count: number;
  readonly duplicates: { readonly row: MemoryRow; readonly first: MemoryRow }[];
  readonly stale: { readonly row: MemoryRow; readonly since: number }[];
  readonly orphaned: MemoryRow[];
  readonly junk: MemoryRow[];
  readonly unscoped: MemoryRow[];
}

async function look(scope: Scope, ports: AuditPorts): Promise<Findings> {
  const findings: Findings = { count: 0, duplicates: [], stale: [], orphaned: [], junk: [], unscoped: [] };
  const texts = new Map<string, MemoryRow>();
  const values = new Map<string, { readonly row: MemoryRow; readonly value: string }>();
  const sessions = new Map<string, boolean>();
  for await (const row of rowsOf(ports.memories, scope)) {
    const body = bodyOf(row);
    findings.count++;
    if (JSON.parse(row.scope).every((owner: unknown) => owner === null)) findings.unscoped.push(row);
    if (await isOrphan(body, sessions, ports)) findings.orphaned.push(row);
    if (row.until !== undefined) continue;
    if (isJunk(body.content)) findings.junk.push(row);
    lookForEqual(row, body, { texts, findings });
    lookForLater(row, body, { values, findings });
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

interface OpenValues {
  readonly values: Map<string, { readonly row: MemoryRow; readonly value: string }>;
  readonly findings: Findings;
}

/** Two values of one attribute that both count as holding: the earlier one is stale. */
function lookForLater(row: MemoryRow, { facts = [] }: MemoryBody, { values, findings }: OpenValues): void {
  for (const { slot, value, validUntil } of facts) {
    if (slot === undefined || value === undefined || validUntil !== undefined) continue;
    const key = JSON.stringify([row.scope, slot]);
    const other = values.get(key);
    if (other === undefined || other.row.time < row.time) values.set(key, { row, value });
    if (other === undefined || other.value.toLowerCase() === value.toLowerCase() || other.row.time === row.time)
      continue;
    const [earlier, later] = other.row.time < row.time ? [other.row, row] : [row, other.row];
    findings.stale.push({ row: earlier, since: later.time });
  }
}

interface Mending {
  readonly findings: Findings;
  readonly options: AuditOptions;
  readonly leftovers: number;
}

async function mend(scope: Scope, { findings, options, leftovers }: Mending, ports: AuditPorts): Promise<Mended> {
  if (options.mend) {
    for (const { row, first } of findings.duplicates) await merge(row, first, ports.memories);
    for (const { row, since } of findings.stale) await closeRow(row, since, ports.memories);
    await ports.memories.orphans({ remove: true });
  }
  if (options.removeJunk) await forgetRows(scope, findings.junk, ports);
  return {
    duplicates: options.mend ? findings.duplicates.length : 0,
    stale: options.mend ? findings.stale.length : 0,
    leftovers: options.mend ? leftovers : 0,
    junk: options.removeJunk ? findings.junk.length : 0,
  };
}

async function merge(row: MemoryRow, first: MemoryRow, memories: Memories): Promise<void> {
  const [kept] = await memories.get({}, [first.id]);
  if (kept === undefined) return;
  const body = bodyOf(kept);
  const merged: MemoryBody = { ...body, times: (body.times ?? 1) + (bodyOf(row).times ?? 1) };
  const amend = [{ id: kept.id, until: kept.until, keys: kept.keys, body: JSON.stringify(merged) }];
  await memories.write({ scope: row.scope, version: undefined, amend, remove: [row.id] });
}

async function closeRow(row: MemoryRow, since: number, memories: Memories): Promise<void> {
  const body = bodyOf(row);
  const until = new Date(since).toISOString();
  const facts = (body.facts ?? []).map((fact) =>
    fact.slot === undefined || fact.validUntil ? fact : { ...fact, validUntil: until },
  );
  const closed: MemoryBody = { ...body, facts };
  const amend = [{ id: row.id, until: since, keys: currentKeys(closed, row.speaker), body: JSON.stringify(closed) }];
  await memories.write({ scope: row.scope, version: undefined, amend });
}

const ids = (rows: readonly MemoryRow[]): string[] => rows.slice(0, EXAMPLES).map((row) => bodyOf(row).id);

const sum = (leftovers: { readonly passages: number; readonly vectors: number; readonly keys: number }): number =>
  leftovers.passages + leftovers.vectors + leftovers.keys;
