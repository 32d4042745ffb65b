import { VarveError } from "../errors.js";
import { type MemoryRow, type Redaction, type Scope, scopeKey, scopeOf } from "../store/memories/memories.js";
import type { PlanContext } from "./desk.js";
import { type DistinctiveWords, distinctiveWords, type WordPorts, wordsLeft } from "./distinctive-words.js";
import type { EmbedderPool } from "./embedder-pool.js";
import { withEchoRows } from "./follow-echoes.js";
import { isDoneWithin, PATIENCE } from "./in-time.js";
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
import { passagesOfRow } from "./row-completer.js";
import { distinctRows, rowsSaying, rowsWith, saidIn } from "./rows-saying.js";
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
  /** Ids of memories that said other things too, and go on without the text. */
  readonly rewritten: readonly string[];
  readonly proof: ForgetProof;
}

/** How it was looked for afterwards. */
export interface ForgetProof {
  readonly asked: number;
  /** It is 0, or the forgetting would have failed. */
  readonly found: 0;
  /** What may still hold the text and is out of reach, in words: a server's own log, a file that was set aside. */
  readonly remains: readonly string[];
}

export interface ForgetPorts extends RetoldPorts, Omit<WordPorts, "request"> {
  /** Whether only what is linked with the memories goes, and their words stay where else they stand. */
  readonly linked?: boolean;
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
  /** Texts whose very words go, wherever they stand. */
  readonly said: readonly string[];
  /** Words that go wherever they stand. */
  readonly words?: ReadonlySet<string>;
  /** Whose sessions are all gone through; those that the entries are of unless given. */
  readonly reach?: Scope | undefined;
}

export interface Redactions {
  readonly redactions: readonly Redaction[];
  /** Sessions that are somebody else's, and stay as they are. */
  readonly kept: readonly string[];
  /** Sessions that are damaged, so that nobody knows what they say. */
  readonly unread: readonly string[];
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
/** Texts that the bytes of files are searched for, at most: each is one way through all of them. */
const SEARCHED_BYTES = 20;

/**
 * Removes a memory and all that was made of it. One that is not there is forgotten already; where several scopes have
 * one under the id, none is.
 */
export async function forgetMemory(scope: Scope, id: string, ports: ForgetPorts): Promise<ForgetReceipt> {
  await earlierDone(scope, ports);
  const { rows } = await ports.memories.find(scope, [keyOf.id(id), keyOf.former(id)]);
  return forgetRows(scope, rowsOfOne(scope, id, rows), ports);
}

/** Removes everything in a scope, and nothing else: what came last first, as indexes in memory find that at once. */
export async function forgetScope(scope: Scope, ports: ForgetPorts): Promise<ForgetReceipt> {
  await earlierDone(scope, ports);
  const rows: MemoryRow[] = [];
  for await (const row of rowsOf(ports.memories, scope)) {
    rows.push(row);
    if (rows.length % BATCH === 0) await turnOfOthers();
  }
  return forgetRows(scope, rows.reverse(), ports);
}

/** What was asked for before is there, and can be forgotten. */
const earlierDone = (scope: Scope, { memories }: ForgetPorts): Promise<void> =>
  afterEarlier({ memories, scope: scopeKey(scope) }, async () => undefined);

const turnOfOthers = (): Promise<void> => new Promise((done) => setImmediate(done));

/**
 * All in one change where it is one memory; more go in batches, each whole, and others get a turn in between. A memory
 * goes with all its versions, and its words with it, from whatever else the scope reaches.
 */
export async function forgetRows(
  scope: Scope,
  wanted: readonly MemoryRow[],
  ports: ForgetPorts,
): Promise<ForgetReceipt> {
  const told = await withEchoRows(ports.memories, scope, wanted);
  const said = ports.linked ? [] : [...(ports.request?.texts ?? []), ...saidIn(wanted, told)];
  const words = await distinctiveWords(scope, { told, said }, ports);
  const done: RemovedBatch[] = [];
  const rewritten = new Set<string>();
  let asked = 0;
  for (let round = 0; ; round++) {
    if (round === ROUNDS) throw notForgotten(bodyOf(told[0]!).id, "its words in what the scope reaches");
    const retold = await retellingsOf(scope, told, ports);
    const telling = await withRetoldRows(told, retold, { memories: ports.memories, scope });
    const also = await rowsSaying(scope, { said, words: words.gone, known: telling }, ports);
    for (const id of also.rewritten) rewritten.add(id);
    const gone = await removeAll(scope, { wanted, telling, also: also.rows, retold, said, words: words.gone }, ports);
    done.push(...gone);
    await ports.forgotten?.(forgottenIn(gone));
    asked += await prove(scope, removedIn(gone), ports);
    if (await isGone(scope, { told, said, words: words.gone, done }, ports)) break;
  }
  const remains =
    said.length === 0 ? [] : await remainsOf(scope, { id: bodyOf(told[0]!).id, said, words, done }, ports);
  return receiptOf(done, { at: ports.now(), asked: asked + 1, remains, rewritten: [...rewritten] });
}

interface Telling {
  /** Rows that were asked for. */
  readonly wanted: readonly MemoryRow[];
  /** Those, and the agent's that retell them. */
  readonly telling: readonly MemoryRow[];
  /** Others that say the same. */
  readonly also: readonly MemoryRow[];
  /** The agent's entries that retell those. */
  readonly retold: readonly EntryReference[];
  /** The texts that go. */
  readonly said: readonly string[];
  readonly words: ReadonlySet<string>;
}

async function removeAll(
  scope: Scope,
  { wanted, telling, also, retold, said, words }: Telling,
  ports: ForgetPorts,
): Promise<RemovedBatch[]> {
  const rows = distinctRows([...telling, ...also]);
  const request = [...(ports.request?.entries ?? []), ...retold];
  const texts = textsOf(telling);
  const within = { ...retoldIn(wanted, rows, request), texts };
  const asking = { scope, said, words, texts, ports, entries: request, retold: within };
  const leaving = new Set(rows.map(({ id }) => id));
  const most = ports.memories.mostRemoved ?? BATCH;
  const parts = [...Map.groupBy(rows, (row) => row.scope)].flatMap(([owners, group]) =>
    [...partsOf(group, most)].map((part) => ({ owners, part })),
  );
  const batches: RemovedBatch[] = [];
  if (parts.length > 1) batches.push(await sweep(asking));
  for (const { owners, part } of parts) {
    const whose = { ...scopeOf(owners), ...(scope.tags === undefined ? {} : { tags: scope.tags }) };
    const reach = parts.length === 1 ? scope : undefined;
    batches.push(await removeBatch(whose, { rows: part, leaving }, { ...asking, reach }));
    if (parts.length > 1) await turnOfOthers();
  }
  return batches;
}

/** What goes besides rows, and from where. */
interface Asking {
  readonly scope: Scope;
  readonly said: readonly string[];
  readonly words: ReadonlySet<string>;
  /** Those whose retellings go. */
  readonly texts: readonly string[];
  readonly entries: readonly EntryReference[];
  readonly retold: RetoldIn;
  readonly ports: ForgetPorts;
  readonly reach?: Scope | undefined;
}

/** Takes the words out of all sessions before the memories go that know them: what is stopped here can be begun again. */
async function sweep({ scope, said, words, ports }: Asking): Promise<RemovedBatch> {
  const of = { scope, texts: [], time: ports.now(), said, words, reach: scope };
  const { redactions, unread } = await ports.redactions([], of);
  const written: Redaction[] = [];
  for (const redaction of redactions) {
    const change = { scope: scopeKey(scope), version: undefined, redact: [redaction] };
    if ((await ports.memories.write(change)).status === "written") written.push(redaction);
    await turnOfOthers();
  }
  return { removed: [], redactions: written, kept: [], unread };
}

interface Gone extends Pick<Telling, "said" | "words"> {
  readonly told: readonly MemoryRow[];
  readonly done: readonly RemovedBatch[];
}

/** Whether nothing that the scope reaches says it any more; what is in `kept` sessions stays. */
async function isGone(scope: Scope, { told, said, words, done }: Gone, ports: ForgetPorts): Promise<boolean> {
  const kept = new Set(done.flatMap((batch) => batch.kept));
  const retold = await retellingsOf(scope, told, ports);
  if (retold.some(({ session }) => !kept.has(session))) return false;
  if ((await rowsWith(scope, { said, words, known: [] }, ports)).length > 0) return false;
  if (said.length === 0) return true;
  const of = { scope, texts: [], time: ports.now(), said, words, reach: scope };
  return (await ports.redactions([], of)).redactions.length === 0;
}

interface Removed {
  readonly id: string;
  readonly said: readonly string[];
  readonly words: DistinctiveWords;
  readonly done: readonly RemovedBatch[];
}

/** What the store cannot take back, what may still tell of it, and sessions that nobody can read. */
async function remainsOf(scope: Scope, { id, said, words, done }: Removed, ports: ForgetPorts): Promise<string[]> {
  const unread = [...new Set(done.flatMap((batch) => batch.unread))];
  const { found = [], remains = [] } = (await ports.memories.erase?.(spread(said, SEARCHED_BYTES))) ?? {};
  if (found.length > 0) throw notForgotten(id, `the bytes of ${found.join(", ")}`);
  return [
    ...unread.map((session) => `The session "${session}" is damaged, and was not looked through.`),
    ...(await wordsLeft(scope, words.sought, ports)),
    ...remains,
  ];
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
  { at, asked, remains, rewritten }: Pick<ForgetProof, "asked" | "remains"> & { at: number; rewritten: string[] },
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
    rewritten,
    proof: { asked, found: 0, remains },
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

const removeBatch = (scope: Scope, batch: Leaving, asking: Asking): Promise<RemovedBatch> =>
  inTurn({ memories: asking.ports.memories, scope: scopeKey(scope) }, () => removeInTurn(scope, batch, asking));

async function removeInTurn(scope: Scope, batch: Leaving, asking: Asking): Promise<RemovedBatch> {
  const { ports } = asking;
  const keys = batch.rows.flatMap(keysForRemoval);
  const plan = (found: readonly MemoryRow[], context: PlanContext) => planRemoval(batch, found, context);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { planned, version } = await planOn(scope, { keys, plan }, ports);
    const { removed, amend, remove } = planned;
    const redacted = await redactionsFor(scope, [...batch.rows, ...removed], asking);
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

async function redactionsFor(scope: Scope, rows: readonly MemoryRow[], asking: Asking): Promise<Redactions> {
  const { said, words, texts, reach, retold, ports } = asking;
  const entries = [...entriesOf(rows), ...asking.entries];
  if (entries.length === 0 && reach === undefined) return { redactions: [], kept: [], unread: [] };
  const own = reach === undefined ? saidIn(rows, rows) : said;
  return ports.redactions(entries, { scope, texts, said: own, words, time: ports.now(), retold, reach });
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
