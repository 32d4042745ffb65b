import { VarveError } from "../errors.js";
import { linesOf } from "../store/lines.js";
import { type Memories, type MemoryRow, type Scope, scopeKey, scopeOf } from "../store/memories/memories.js";
import { checkContent, checkScope, checkTime } from "./check-input.js";
import type { EmbedderPool } from "./embedder-pool.js";
import { currentKeys, formerKeys } from "./keys.js";
import { rowsOf } from "./listing.js";
import { bodyOf, iso, type MemoryBody, rowId } from "./row.js";
import { RowCompleter, type RowToComplete } from "./row-completer.js";

/** The first line of an export: what it is, and of which form. */
const HEADER = { varve: "memories", version: 1 };

/** A memory as a line of an export. */
interface ExportedMemory {
  readonly scope: Scope;
  readonly at: string;
  readonly validUntil?: string;
  readonly speaker?: string;
  readonly thread?: string;
  /** Whether it is a former version. */
  readonly former?: true;
  readonly body: MemoryBody;
}

/** The memories of a scope as lines of JSON, each with its line break; vectors are made anew where they are taken in. */
export async function* exportMemories(memories: Memories, scope: Scope): AsyncGenerator<string> {
  yield `${JSON.stringify(HEADER)}\n`;
  for await (const row of rowsOf(memories, scope)) yield `${JSON.stringify(toLine(row))}\n`;
}

function toLine(row: MemoryRow): ExportedMemory {
  return {
    scope: { ...scopeOf(row.scope), ...(row.tags.length === 0 ? {} : { tags: row.tags }) },
    at: iso(row.time),
    ...(row.until === undefined ? {} : { validUntil: iso(row.until) }),
    ...(row.speaker === "" ? {} : { speaker: row.speaker }),
    ...(row.thread === "" ? {} : { thread: row.thread }),
    ...(row.id.includes("\n") ? { former: true as const } : {}),
    body: bodyOf(row),
  };
}

export interface ImportMemoriesOptions {
  /** Whether the sources that the lines name are believed; all become "import" unless given. */
  readonly trusted?: boolean;
}

export interface ImportMemoriesReport {
  readonly imported: number;
}

export interface ImportPorts {
  readonly memories: Memories;
  readonly pool: EmbedderPool;
  warn(warning: VarveError): void;
}

const BATCH = 500;

/** Takes in what an export wrote. Whose they are the importer says: the scope's owners are laid over those in the lines. */
export async function importMemories(
  scope: Scope,
  {
    lines,
    trusted = false,
  }: ImportMemoriesOptions & { readonly lines: AsyncIterable<string | Uint8Array> | Iterable<string> },
  ports: ImportPorts,
): Promise<ImportMemoriesReport> {
  let number = 0;
  let imported = 0;
  let batch: RowToComplete[] = [];
  for await (const text of linesOf(lines)) {
    number++;
    if (number === 1) checkHeader(text);
    else batch.push(toRow(text, number, { scope, trusted }));
    if (batch.length < BATCH) continue;
    imported += await write(batch, ports);
    batch = [];
  }
  if (number === 0) throw notAnExport("it is empty", 1);
  return { imported: imported + (await write(batch, ports)) };
}

function checkHeader(text: string): void {
  const header = parse(text, 1);
  if (Reflect.get(header, "varve") !== HEADER.varve)
    throw notAnExport("its first line is not that of an export of memories", 1);
  const version: unknown = Reflect.get(header, "version");
  if (version !== HEADER.version) throw notAnExport(`it is of version ${String(version)}, and this release reads 1`, 1);
}

interface Taking {
  readonly scope: Scope;
  readonly trusted: boolean;
}

function toRow(text: string, number: number, { scope, trusted }: Taking): RowToComplete {
  const line = parse(text, number);
  try {
    const {
      scope: owners,
      at,
      validUntil,
      speaker = "",
      thread = "",
      former,
      body,
    } = line as unknown as ExportedMemory;
    const whose = checkScope({ ...owners, ...scope, tags: [...(owners.tags ?? []), ...(scope.tags ?? [])] });
    const key = scopeKey(whose);
    checkContent(body.content);
    const taken: MemoryBody = trusted ? body : { ...body, source: "import" };
    const row = {
      id: rowId(key, body.id, former ? (body.version ?? 1) : undefined),
      scope: key,
      thread,
      tags: whose.tags ?? [],
      time: checkTime(at, "at"),
      until: validUntil === undefined ? undefined : checkTime(validUntil, "validUntil"),
      speaker,
      keys: former ? formerKeys(taken) : currentKeys(taken, speaker),
      body: JSON.stringify(taken),
    };
    return { row, body: taken };
  } catch (cause) {
    throw notAnExport("it is no memory", number, cause);
  }
}

function parse(text: string, number: number): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch (cause) {
    throw notAnExport("it is not JSON", number, cause);
  }
  throw notAnExport("it is not an object", number);
}

const notAnExport = (why: string, line: number, cause?: unknown): VarveError =>
  new VarveError({
    code: "invalid-document",
    message: `Line ${line} cannot be taken in as a memory: ${why}.`,
    hint: "Give the lines that memory.export() or `varve memory export` wrote. Lines before this one were taken in.",
    cause,
    details: { line },
  });

async function write(rows: readonly RowToComplete[], { memories, pool, warn }: ImportPorts): Promise<number> {
  const byScope = Map.groupBy(rows, ({ row }) => row.scope);
  const completer = new RowCompleter(pool, warn);
  for (const [scope, group] of byScope) {
    await memories.write({ scope, version: undefined, put: await completer.complete(group) });
  }
  return rows.length;
}
