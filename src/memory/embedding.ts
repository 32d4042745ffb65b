import { invalidOption, VarveError } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import type { Memories, MemoryRow } from "../store/memories/memories.js";
import type { EmbedderPool } from "./embedder-pool.js";
import { isDoneWithin, PATIENCE } from "./in-time.js";
import { bodyOf } from "./row.js";
import { passagesOfRow } from "./row-completer.js";

export interface EmbedProgress {
  /** Memories that have vectors of the embedder in use, and all that there are. */
  readonly done: number;
  readonly total: number;
}

export interface EmbedOptions {
  readonly onProgress?: (progress: EmbedProgress) => void;
  readonly signal?: AbortSignal;
  /** Whether vectors of other embedders stay when all is done; they are removed unless given. */
  readonly keepOthers?: boolean;
  /** Milliseconds that the embedder may take for 256 memories; 120,000 unless given. */
  readonly timeout?: number;
}

const OPTIONS: OptionNames<EmbedOptions> = { onProgress: true, signal: true, keepOthers: true, timeout: true };
const TIMEOUT = 120_000;
const BATCH = 256;
const PAGE = 1_000;

/**
 * Gives every memory vectors of the embedder in use, in all scopes: after a change of the embedder, or where it had
 * failed. Searches go on meanwhile with what is there; a call that was aborted goes on where it stopped.
 */
export async function embedAll(
  memories: Memories,
  pool: EmbedderPool,
  options: EmbedOptions = {},
): Promise<EmbedProgress> {
  const { timeout = TIMEOUT, signal } = checkNames(options, OPTIONS, "varve.embed") as EmbedOptions;
  if (!(timeout > 0)) throw invalidOption({ option: "timeout", value: timeout, allowed: "milliseconds above 0" });
  await pool.followed(PATIENCE);
  const { name } = pool.inUse;
  let progress = await progressOf(memories, name);
  let after: string | undefined;
  for (;;) {
    checkAborted(options.signal);
    const rows = await memories.without(name, { limit: BATCH, ...(after === undefined ? {} : { after }) });
    if (rows.length === 0) break;
    await embedRows(rows, { memories, pool, signal, timeout });
    after = rows.at(-1)!.id;
    progress = { ...progress, done: Math.min(progress.total, progress.done + rows.length) };
    options.onProgress?.(progress);
  }
  const reached = await progressOf(memories, name);
  if (!options.keepOthers && reached.done === reached.total) await dropOthers(memories, name);
  return reached;
}

interface Embedding {
  readonly memories: Memories;
  readonly pool: EmbedderPool;
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
}

async function embedRows(rows: readonly MemoryRow[], { memories, pool, signal, timeout }: Embedding): Promise<void> {
  const texts = rows.map((row) => passagesOfRow(row, bodyOf(row)).map(({ text }) => text));
  const vectors = await inTime(pool.inUse.embed(texts.flat(), signal === undefined ? {} : { signal }), timeout, signal);
  let at = 0;
  const values = rows.map(({ id, body }, index) => {
    const from = at;
    at += texts[index]!.length;
    return { id, body, values: vectors.slice(from, at) };
  });
  await memories.addVectors(pool.inUse.name, values);
}

/** What an embedder gives that may know nothing of signals and never answer. */
async function inTime<T>(work: Promise<T>, timeout: number, signal: AbortSignal | undefined): Promise<T> {
  const aborted = new Promise<void>((done) => signal?.addEventListener("abort", () => done(), { once: true }));
  const isDone = await isDoneWithin(
    timeout,
    Promise.race([work, aborted]).catch(() => undefined),
  );
  checkAborted(signal);
  if (!isDone) throw tooSlow(timeout);
  return work;
}

const tooSlow = (timeout: number): VarveError =>
  new VarveError({
    code: "embedding-failed",
    message: `The embedder gave no vectors within ${timeout / 1_000} s.`,
    hint: "Call varve.embed() again when it works: it goes on where it stopped. A larger { timeout } gives it more time.",
    retryable: true,
    details: { timeout },
  });

/** A row may have vectors of several embedders, so that those without are counted one by one. */
async function progressOf(memories: Memories, name: string): Promise<EmbedProgress> {
  const done = (await memories.embedders()).get(name) ?? 0;
  let left = 0;
  let after: string | undefined;
  do {
    const rows = await memories.without(name, { limit: PAGE, ...(after === undefined ? {} : { after }) });
    left += rows.length;
    after = rows.length < PAGE ? undefined : rows.at(-1)!.id;
  } while (after !== undefined);
  return { done, total: done + left };
}

/** Vectors of other embedders are of use as long as a memory has none of the one in use. */
async function dropOthers(memories: Memories, name: string): Promise<void> {
  for (const embedder of (await memories.embedders()).keys()) {
    if (embedder !== name && embedder !== "") await memories.dropVectors(embedder);
  }
}

function checkAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new VarveError({
    code: "aborted",
    message: "Making the vectors was aborted by its signal.",
    hint: "Call varve.embed() again: it goes on where it stopped, and searches work meanwhile.",
    cause: signal.reason,
  });
}
