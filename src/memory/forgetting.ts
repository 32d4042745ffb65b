import { VarveError } from "../errors.js";
import {
  type Memories,
  type MemoryRow,
  type Redaction,
  type Scope,
  scopeKey,
  scopeOf,
} from "../store/memories/memories.js";
import type { PlanContext } from "./desk.js";
import type { EmbedderPool } from "./embedder-pool.js";
import { withEchoRows } from "./follow-echoes.js";
import { keyOf } from "./keys.js";
import { rowsOf } from "./listing.js";
import type { EntryReference } from "./memory.js";
import { keysForRemoval, type Leaving, planRemoval } from "./remove-plan.js";
import { bodyOf, iso } from "./row.js";
import { passagesOfRow } from "./row-completer.js";
import { planOn } from "./storing.js";
import { questionTerms } from "./text/terms.js";

/** The account of a forgetting. */
export interface ForgetReceipt {
  readonly at: string;
  /** Ids of the memories that are gone, each with all its versions, passages, vectors, keys and facts. */
  readonly forgotten: readonly string[];
  readonly removed: { readonly versions: number; readonly facts: number; readonly passages: number };
  /** Sessions that the text was taken out of: their log, and the digests and checkpoints that held it. */
  readonly sessions: readonly { readonly session: string; readonly entries: number; readonly documents: number }[];
  /** Sessions that were left alone: they are not of the scope that the memory says it came from them. */
  readonly kept: readonly string[];
  /** How it was looked for afterwards; `found` is 0, or the forgetting would have failed. */
  readonly proof: { readonly asked: number; readonly found: 0 };
}

export interface ForgetPorts {
  readonly memories: Memories;
  readonly pool: EmbedderPool;
  now(): number;
  /** What takes these entries' text out of the sessions that are of a scope. */
  redactions(entries: readonly EntryReference[], of: RedactionOf): Promise<Redactions>;
  /** Told of what is gone, so that whoever has made something of it lets go of that too. */
  forgotten?(gone: Forgotten): Promise<void>;
  /** The entries in which this was asked for: they name what is to go, and lose their text with it. */
  readonly request?: readonly EntryReference[];
}

export interface RedactionOf {
  /** Whose memories came out of the entries. */
  readonly scope: Scope;
  readonly time: number;
}

export interface Redactions {
  readonly redactions: readonly Redaction[];
  /** Sessions that are somebody else's, and stay as they are. */
  readonly kept: readonly string[];
}

/** What a forgetting has removed. */
export interface Forgotten {
  readonly ids: readonly string[];
  /** The texts, and the facts in them. */
  readonly texts: readonly string[];
  /** Sessions that text was taken out of. */
  readonly sessions: readonly string[];
}

const ATTEMPTS = 20;
const BATCH = 200;

/** Removes a memory and all that was made of it. One that is not there is forgotten already. */
export async function forgetMemory(scope: Scope, id: string, ports: ForgetPorts): Promise<ForgetReceipt> {
  const { rows } = await ports.memories.find(scope, [keyOf.id(id), keyOf.former(id)]);
  return forgetRows(scope, rows, ports);
}

/** Removes everything in a scope, and nothing else. */
export async function forgetScope(scope: Scope, ports: ForgetPorts): Promise<ForgetReceipt> {
  const rows: MemoryRow[] = [];
  for await (const row of rowsOf(ports.memories, scope)) rows.push(row);
  return forgetRows(scope, rows, ports);
}

/** All in one change where it is one memory; more go in batches, each whole. A memory goes with all its versions. */
export async function forgetRows(
  scope: Scope,
  wanted: readonly MemoryRow[],
  ports: ForgetPorts,
): Promise<ForgetReceipt> {
  const rows = await withEchoRows(ports.memories, scope, wanted);
  const leaving = new Set(rows.map(({ id }) => id));
  const batches: RemovedBatch[] = [];
  for (const [owners, group] of Map.groupBy(rows, (row) => row.scope)) {
    const whose = { ...scopeOf(owners), ...(scope.tags === undefined ? {} : { tags: scope.tags }) };
    for (let from = 0; from < group.length; from += BATCH)
      batches.push(await removeBatch(whose, { rows: group.slice(from, from + BATCH), leaving }, ports));
  }
  const removed = batches.flatMap((batch) => batch.removed);
  const redacted = batches.flatMap((batch) => batch.redactions);
  const bodies = removed.map(bodyOf);
  await ports.forgotten?.({
    ids: bodies.map(({ id }) => id),
    texts: bodies.flatMap(({ content, facts = [] }) => [content, ...facts.map(({ text }) => text)]),
    sessions: redacted.map(({ session }) => session),
  });
  return {
    at: iso(ports.now()),
    forgotten: [...new Set(bodies.map(({ id }) => id))],
    removed: {
      versions: removed.length,
      facts: bodies.reduce((sum, { facts = [] }) => sum + facts.length, 0),
      passages: removed.reduce((sum, row) => sum + passagesOfRow(row, bodyOf(row)).length, 0),
    },
    sessions: [...Map.groupBy(redacted, ({ session }) => session)].map(([session, ofSession]) => ({
      session,
      entries: ofSession.reduce((sum, { messages }) => sum + messages.size, 0),
      documents: Math.max(...ofSession.map(({ change }) => change.documents?.size ?? 0)),
    })),
    kept: [...new Set(batches.flatMap(({ kept }) => kept))],
    proof: { asked: await prove(scope, removed, ports), found: 0 },
  };
}

interface RemovedBatch extends Redactions {
  readonly removed: readonly MemoryRow[];
}

async function removeBatch(scope: Scope, batch: Leaving, ports: ForgetPorts): Promise<RemovedBatch> {
  const keys = batch.rows.flatMap(keysForRemoval);
  const plan = (found: readonly MemoryRow[], context: PlanContext) => planRemoval(batch, found, context);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { planned, version } = await planOn(scope, { keys, plan }, ports);
    const { removed, amend, remove } = planned;
    if (remove.length === 0) return { removed, redactions: [], kept: [] };
    const redacted = await redactionsFor(removed, scope, ports);
    const change = { version, amend, remove, redact: redacted.redactions };
    const outcome = await ports.memories.write({ scope: scopeKey(scope), ...change });
    if (outcome.status === "written") return { removed, ...redacted };
  }
  throw new VarveError({
    code: "store-busy",
    message: "The scope, or a session that holds the text, kept changing while it was to be forgotten.",
    hint: "Try again when it is idle; nothing was removed by this call's last step.",
    retryable: true,
    details: { scope: scopeKey(scope) },
  });
}

async function redactionsFor(rows: readonly MemoryRow[], scope: Scope, ports: ForgetPorts): Promise<Redactions> {
  const entries = [...rows.flatMap((row) => bodyOf(row).entries ?? []), ...(ports.request ?? [])];
  if (entries.length === 0) return { redactions: [], kept: [] };
  return ports.redactions(entries, { scope, time: ports.now() });
}

/** Looks for what was removed, in every way that there is to look; a find is an error, and says where. */
async function prove(scope: Scope, rows: readonly MemoryRow[], { memories, pool }: ForgetPorts): Promise<number> {
  const gone = new Set(rows.map(({ id }) => id));
  let asked = 0;
  const look = (found: readonly { readonly id: string }[], way: string): void => {
    asked++;
    const left = found.find(({ id }) => gone.has(id));
    if (left !== undefined) throw notForgotten(left.id, way);
  };
  look(await memories.get(scope, [...gone]), "its id");
  for (const row of rows.slice(0, BATCH)) {
    const { content } = bodyOf(row);
    look((await memories.find(scope, row.keys)).rows, "its keys");
    const embedder = pool.inUse;
    const vectors = await embedder.embed([content]).then(
      ([values]) => [{ embedder: embedder.name, values: values! }],
      () => [],
    );
    look(await memories.search(scope, { terms: questionTerms(content), vectors, limit: 50 }), "a search for its text");
  }
  return asked;
}

const notForgotten = (id: string, way: string): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The memory ${id} was removed but is still found by ${way}.`,
    hint: "Run memory.audit({ mend: true }), which removes what belongs to no memory, and forget it again.",
    details: { id, way },
  });
