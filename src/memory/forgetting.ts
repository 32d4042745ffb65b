import { VarveError } from "../errors.js";
import type { Memories, MemoryRow, Redaction, Scope } from "../store/memories/memories.js";
import type { EmbedderPool } from "./embedder-pool.js";
import { withEchoRows } from "./follow-echoes.js";
import { keyOf } from "./keys.js";
import { rowsOf } from "./listing.js";
import type { EntryReference } from "./memory.js";
import { bodyOf, iso } from "./row.js";
import { passagesOfRow } from "./row-completer.js";
import { questionTerms } from "./text/terms.js";

/** The account of a forgetting. */
export interface ForgetReceipt {
  readonly at: string;
  /** Ids of the memories that are gone, each with all its versions, passages, vectors, keys and facts. */
  readonly forgotten: readonly string[];
  readonly removed: { readonly versions: number; readonly facts: number; readonly passages: number };
  /** Sessions that the text was taken out of: their log, and the digests and checkpoints that held it. */
  readonly sessions: readonly { readonly session: string; readonly entries: number; readonly documents: number }[];
  /** How it was looked for afterwards; `found` is 0, or the forgetting would have failed. */
  readonly proof: { readonly asked: number; readonly found: 0 };
}

export interface ForgetPorts {
  readonly memories: Memories;
  readonly pool: EmbedderPool;
  now(): number;
  /** What takes these entries' text out of their sessions. */
  redactions(entries: readonly EntryReference[], time: number): Promise<readonly Redaction[]>;
  /** Told of what is gone, so that whoever has made something of it lets go of that too. */
  forgotten?(gone: Forgotten): Promise<void>;
  /** The entries in which this was asked for: they name what is to go, and lose their text with it. */
  readonly request?: readonly EntryReference[];
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

/** All in one change where it is one memory; a scope goes in batches, each whole. */
export async function forgetRows(
  scope: Scope,
  wanted: readonly MemoryRow[],
  ports: ForgetPorts,
): Promise<ForgetReceipt> {
  const rows = await withEchoRows(ports.memories, scope, wanted);
  const redacted: Redaction[] = [];
  for (let from = 0; from < rows.length; from += BATCH) {
    redacted.push(...(await removeBatch(rows.slice(from, from + BATCH), ports)));
  }
  const bodies = rows.map(bodyOf);
  await ports.forgotten?.({
    ids: bodies.map(({ id }) => id),
    texts: bodies.flatMap(({ content, facts = [] }) => [content, ...facts.map(({ text }) => text)]),
    sessions: redacted.map(({ session }) => session),
  });
  return {
    at: iso(ports.now()),
    forgotten: [...new Set(bodies.map(({ id }) => id))],
    removed: {
      versions: rows.length,
      facts: bodies.reduce((sum, { facts = [] }) => sum + facts.length, 0),
      passages: rows.reduce((sum, row) => sum + passagesOfRow(row, bodyOf(row)).length, 0),
    },
    sessions: redacted.map(({ session, messages, change }) => ({
      session,
      entries: messages.size,
      documents: change.documents?.size ?? 0,
    })),
    proof: { asked: await prove(scope, rows, ports), found: 0 },
  };
}

async function removeBatch(rows: readonly MemoryRow[], ports: ForgetPorts): Promise<readonly Redaction[]> {
  const entries = [...rows.flatMap((row) => bodyOf(row).entries ?? []), ...(ports.request ?? [])];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const redact = entries.length === 0 ? [] : await ports.redactions(entries, ports.now());
    const remove = rows.map(({ id }) => id);
    const outcome = await ports.memories.write({ scope: rows[0]!.scope, version: undefined, remove, redact });
    if (outcome.status === "written") return redact;
  }
  throw new VarveError({
    code: "store-busy",
    message: "A session that holds the text kept changing while it was to be forgotten.",
    hint: "Try again when the session is idle; nothing was removed by this call's last step.",
    retryable: true,
    details: { sessions: [...new Set(entries.map(({ session }) => session))] },
  });
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
