import { VarveError } from "../errors.js";
import { linesOf } from "../store/lines.js";
import { type Memories, type MemoryRow, type Scope, scopeOf } from "../store/memories/memories.js";
import type { PlanContext } from "./desk.js";
import { type ExportedMemory, type TakenMemory, type Taking, takenMemory } from "./exported-memory.js";
import { keysForTaken, planImport } from "./import-plan.js";
import { rowsOf } from "./listing.js";
import { bodyOf, iso } from "./row.js";
import { carryOut, type StorePorts } from "./storing.js";

/** The first line of an export: what it is, and of which form. */
const HEADER = { varve: "memories", version: 1 };

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
  /**
   * Whether the lines are believed in who said what, what is known from it, which sessions it came from, and whose it is
   * within the importer's scope. Unless given, all become "import", tell no values, came from nowhere and are of the
   * importer's scope itself.
   */
  readonly trusted?: boolean;
}

export interface ImportMemoriesReport {
  readonly imported: number;
}

export type ImportPorts = Omit<StorePorts, "newId">;

const BATCH = 500;

/** Takes in what an export wrote. Whose they are the importer says. */
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
  let batch: TakenMemory[] = [];
  for await (const text of linesOf(lines)) {
    number++;
    if (number === 1) checkHeader(text);
    else batch.push(taken(text, number, { scope, trusted, allowSecrets: ports.allowSecrets }));
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

function taken(text: string, number: number, taking: Taking): TakenMemory {
  const line = parse(text, number);
  try {
    return takenMemory(line, taking);
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

async function write(batch: readonly TakenMemory[], ports: ImportPorts): Promise<number> {
  for (const [scope, group] of Map.groupBy(batch, (memory) => memory.scope)) {
    const plan = (rows: readonly MemoryRow[], context: PlanContext) => planImport(group, rows, context);
    await carryOut(scopeOf(scope), { keys: group.flatMap(keysForTaken), plan }, ports);
  }
  return batch.length;
}
