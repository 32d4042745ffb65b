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
import { rowsOfOne } from "./one-memory.js";
import { keysForRemoval, type Leaving, planRemoval } from "./remove-plan.js";
import {
  entriesOf,
  type RetoldIn,
  type RetoldOf,
  type RetoldPorts,
  retellingsOf,
  retoldIn,
  textsOf,
  withRetoldRows,
} from "./retold-rows.js";
import { bodyOf, iso } from "./row.js";
import { isDoneWithin, PATIENCE, passagesOfRow } from "./row-completer.js";
import { planOn } from "./storing.js";
import { questionTerms } from "./text/terms.js";
import { afterEarlier, inTurn } from "./turns.js";

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

export interface ForgetPorts extends RetoldPorts {
  readonly memories: Memories;
  readonly pool: EmbedderPool;
  now(): number;
  /** What loses only part of its text. */
  readonly retold?: RetoldIn;
  /** What takes these entries' text out of the sessions that are of a scope. */
  redactions(entries: readonly EntryReference[], of: RedactionOf): Promise<Redactions>;
  /** Told of what is gone, so that whoever has made something of it lets go of that too. */
  forgotten?(gone: Forgotten): Promise<void>;
}

export interface RedactionOf extends RetoldOf {
  readonly retold?: RetoldIn;
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
/** How often logs are gone through, where the agent says it again meanwhile. */
const ROUNDS = 5;
const BATCH = 200;
/** Rows whose text is searched for afterwards, at most. */
const SEARCHED = 200;

/**
 * Removes a memory and all that was made of it. One that is not there is forgotten already; where several scopes have
 * one under the id, none is.
 */
export async function forgetMemory(scope: Scope, id: string, ports: ForgetPorts): Promise<ForgetReceipt> {
  await earlierDone(scope, ports);
  const { rows } = await ports.memories.find(scope, [keyOf.id(id), keyOf.former(id)]);
  return forgetRows(scope, rowsOfOne(scope, id, rows), ports);
}

/** Removes everything in a scope, and nothing else. */
export async function forgetScope(scope: Scope, ports: ForgetPorts): Promise<ForgetReceipt> {
  await earlierDone(scope, ports);
  const rows: MemoryRow[] = [];
  for await (const row of rowsOf(ports.memories, scope)) {
    rows.push(row);
    if (rows.length % BATCH === 0) await turnOfOthers();
  }
  return forgetRows(scope, rows, ports);
}

/** What was asked for before is there, and can be forgotten. */
const earlierDone = (scope: Scope, { memories }: ForgetPorts): Promise<void> =>
  afterEarlier({ memories, scope: scopeKey(scope) }, async () => undefined);

const turnOfOthers = (): Promise<void> => new Promise((done) => setImmediate(done));

/**
 * All in one change where it is one memory; more go in batches, each whole, and others get a turn in between. A memory
 * goes with all its versions.
 */
export async function forgetRows(
  scope: Scope,
  wanted: readonly MemoryRow[],
  ports: ForgetPorts,
): Promise<ForgetReceipt> {
  const told = await withEchoRows(ports.memories, scope, wanted);
  const batches: RemovedBatch[] = [];
  let asked = 0;
  let retold = await retellingsOf(scope, told, ports);
  for (let round = 0; round === 0 || retold.length > 0; round++) {
    if (round === ROUNDS) throw notForgotten(bodyOf(told[0]!).id, `the log of the session ${retold[0]!.session}`);
    const gone = await removeAll(scope, { wanted, told, retold }, ports);
    batches.push(...gone);
    await ports.forgotten?.(forgottenIn(gone));
    asked += await prove(scope, removedIn(gone), ports);
    const kept = new Set(batches.flatMap((batch) => batch.kept));
    retold = (await retellingsOf(scope, told, ports)).filter(({ session }) => !kept.has(session));
  }
  return receiptOf(batches, { at: ports.now(), asked: asked + (entriesOf(told).length === 0 ? 0 : 1) });
}

interface Telling {
  /** Rows that were asked for. */
  readonly wanted: readonly MemoryRow[];
  /** Those, and the agent's that retell them. */
  readonly told: readonly MemoryRow[];
  /** The agent's entries that retell those. */
  readonly retold: readonly EntryReference[];
}

async function removeAll(scope: Scope, { wanted, told, retold }: Telling, ports: ForgetPorts): Promise<RemovedBatch[]> {
  const rows = await withRetoldRows(told, retold, { memories: ports.memories, scope });
  const request = [...(ports.request ?? []), ...retold];
  const asking = { ...ports, request, retold: retoldIn(wanted, rows, request) };
  const leaving = new Set(rows.map(({ id }) => id));
  const batches: RemovedBatch[] = [];
  for (const [owners, group] of Map.groupBy(rows, (row) => row.scope)) {
    const whose = { ...scopeOf(owners), ...(scope.tags === undefined ? {} : { tags: scope.tags }) };
    for (const part of partsOf(group, ports.memories.mostRemoved ?? BATCH)) {
      batches.push(await removeBatch(whose, { rows: part, leaving }, asking));
      if (part.length < group.length) await turnOfOthers();
    }
  }
  return batches;
}

const removedIn = (batches: readonly RemovedBatch[]): MemoryRow[] => batches.flatMap(({ removed }) => removed);

function forgottenIn(batches: readonly RemovedBatch[]): Forgotten {
  const bodies = removedIn(batches).map(bodyOf);
  return {
    ids: bodies.map(({ id }) => id),
    texts: bodies.flatMap(({ content, facts = [] }) => [content, ...facts.map(({ text }) => text)]),
    sessions: batches.flatMap(({ redactions }) => redactions.map(({ session }) => session)),
  };
}

function receiptOf(
  batches: readonly RemovedBatch[],
  { at, asked }: { readonly at: number; readonly asked: number },
): ForgetReceipt {
  const removed = removedIn(batches);
  const bodies = removed.map(bodyOf);
  const redacted = Map.groupBy(
    batches.flatMap((batch) => batch.redactions),
    ({ session }) => session,
  );
  return {
    at: iso(at),
    forgotten: [...new Set(bodies.map(({ id }) => id))],
    removed: {
      versions: removed.length,
      facts: bodies.reduce((sum, { facts = [] }) => sum + facts.length, 0),
      passages: removed.reduce((sum, row) => sum + passagesOfRow(row, bodyOf(row)).length, 0),
    },
    sessions: [...redacted].map(([session, ofSession]) => ({
      session,
      entries: ofSession.reduce((sum, { messages }) => sum + messages.size, 0),
      documents: Math.max(...ofSession.map(({ change }) => change.documents?.size ?? 0)),
    })),
    kept: [...new Set(batches.flatMap((batch) => keptIn(batch, redacted)))],
    proof: { asked, found: 0 },
  };
}

/** A session that only another batch has to do with is kept where that one kept it. */
function keptIn({ removed, kept }: RemovedBatch, redacted: ReadonlyMap<string, unknown>): string[] {
  const named = new Set(entriesOf(removed).map(({ session }) => session));
  return kept.filter((session) => named.has(session) || !redacted.has(session));
}

function* partsOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

interface RemovedBatch extends Redactions {
  readonly removed: readonly MemoryRow[];
}

const removeBatch = (scope: Scope, batch: Leaving, ports: ForgetPorts): Promise<RemovedBatch> =>
  inTurn({ memories: ports.memories, scope: scopeKey(scope) }, () => removeInTurn(scope, batch, ports));

async function removeInTurn(scope: Scope, batch: Leaving, ports: ForgetPorts): Promise<RemovedBatch> {
  const keys = batch.rows.flatMap(keysForRemoval);
  const plan = (found: readonly MemoryRow[], context: PlanContext) => planRemoval(batch, found, context);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { planned, version } = await planOn(scope, { keys, plan }, ports);
    const { removed, amend, remove } = planned;
    const texts = textsOf(removed, batch.leaving.size);
    const redacted = await redactionsFor(removed, { scope, texts }, ports);
    if (remove.length + redacted.redactions.length === 0) return { removed, ...redacted };
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

async function redactionsFor(rows: readonly MemoryRow[], of: RetoldOf, ports: ForgetPorts): Promise<Redactions> {
  const entries = [...entriesOf(rows), ...(ports.request ?? [])];
  if (entries.length === 0) return { redactions: [], kept: [] };
  const { retold } = ports;
  return ports.redactions(entries, { ...of, time: ports.now(), ...(retold && { retold }) });
}

/**
 * Looks for what was removed: for all of it by ids and keys, and for up to 200 texts, spread evenly, by a search. A find is
 * an error, and says where.
 */
async function prove(scope: Scope, rows: readonly MemoryRow[], { memories, pool }: ForgetPorts): Promise<number> {
  const gone = new Set(rows.map(({ id }) => id));
  let asked = 0;
  const look = (found: readonly { readonly id: string }[], way: string): void => {
    asked++;
    const left = found.find(({ id }) => gone.has(id));
    if (left !== undefined) throw notForgotten(left.id, way);
  };
  for (const part of partsOf(rows, BATCH)) {
    const ids = part.map(({ id }) => id);
    look(await memories.get(scope, ids), "its id");
    look((await memories.find(scope, [...new Set(part.flatMap(({ keys }) => keys))])).rows, "its keys");
    await turnOfOthers();
  }
  const texts = spread(rows, SEARCHED).map((row) => bodyOf(row).content);
  const vectors = await vectorsOf(texts, pool);
  for (const [at, text] of texts.entries()) {
    const byMeaning = vectors.slice(at, at + 1).map((values) => ({ embedder: pool.inUse.name, values }));
    const question = { terms: questionTerms(text), vectors: byMeaning, limit: 50 };
    look(await memories.search(scope, question), "a search for its text");
    if (at % 20 === 19) await turnOfOthers();
  }
  return asked;
}

/** None where the embedder fails or takes too long: then the search is by words alone. */
async function vectorsOf(texts: readonly string[], { inUse }: EmbedderPool): Promise<readonly Float32Array[]> {
  let vectors: readonly Float32Array[] = [];
  const embedding = inUse
    .embed(texts)
    .then((made) => (vectors = made))
    .catch(() => undefined);
  await isDoneWithin(PATIENCE, embedding);
  return vectors;
}

/** So many of a list at most, at even distances. */
function spread<T>(items: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, items.length / most);
  return Array.from({ length: Math.min(items.length, most) }, (_, at) => items[Math.floor(at * step)]!);
}

const notForgotten = (id: string, way: string): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The memory ${id} was removed but is still found by ${way}.`,
    hint: "Run memory.audit({ mend: true }), which removes what belongs to no memory, and forget it again.",
    details: { id, way },
  });
