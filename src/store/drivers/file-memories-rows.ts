/** Rows of memories as lines of a log, and back. */
import type { MemoryRows } from "../memories/memory-rows.js";
import { type Kept, threadOf } from "../memories/shelves.js";
import {
  type MemoriesLine,
  readVectors,
  type ScopeLine,
  type WriteLine,
  type WrittenRow,
  writtenVectors,
} from "./file-memories-lines.js";

/** Does what a line says. */
export function applyLine(rows: MemoryRows, line: MemoriesLine): void {
  switch (line.kind) {
    case "write":
      applyWrite(rows, line);
      break;
    case "vectors":
      for (const { id, values } of line.rows) addVectors(rows, id, [line.embedder, values]);
      break;
    case "drop":
      rows.dropVectors(line.embedder);
      break;
    case "order":
      rows.order = Math.max(rows.order, line.order);
      break;
    case "scope":
      applyScope(rows, line);
      break;
    case "row":
      putRow(rows, line.row, line);
  }
}

function applyWrite(rows: MemoryRows, { scope, version, put, amend, remove }: WriteLine): void {
  for (const row of put) putRow(rows, row);
  rows.apply({ scope, version: undefined, amend, remove });
  rows.shelves.of(scope).version = version;
}

function applyScope(rows: MemoryRows, { scope, version, threads }: ScopeLine): void {
  const shelf = rows.shelves.of(scope);
  shelf.version = version;
  for (const [name, next] of threads) threadOf(shelf, name).next = next;
}

function putRow(rows: MemoryRows, row: WrittenRow, given: { place?: number; order?: number } = {}): void {
  const { vectors, until, ...memory } = row;
  rows.put({ ...memory, until, vectors: undefined }, given);
  for (const each of vectors) addVectors(rows, row.id, each);
}

function addVectors(rows: MemoryRows, id: string, [embedder, written]: WrittenRow["vectors"][number]): void {
  const body = rows.byId.get(id)?.row.body;
  if (body !== undefined) rows.addVectors(embedder, [{ id, body, values: readVectors(written) }]);
}

/** All that there is, for a log that is written anew. */
export function* linesOf(rows: MemoryRows): Generator<MemoriesLine> {
  yield { kind: "order", order: rows.order };
  for (const { key, version, threads } of rows.shelves.all)
    yield { kind: "scope", scope: key, version, threads: [...threads].map(([name, { next }]) => [name, next]) };
  for (const kept of rows.list.behind(0))
    yield { kind: "row", row: writtenKept(rows, kept), place: kept.row.place, order: kept.order };
}

function writtenKept({ index, vectors }: MemoryRows, { row, passages, embedders }: Kept): WrittenRow {
  const { until, place: _place, ...rest } = row;
  return {
    ...rest,
    ...(until !== undefined && { until }),
    passages: passages.map((passage) => index.termsOf(passage)),
    vectors: [...embedders].map((embedder) => {
      const values = passages.flatMap((passage) => vectors.of(embedder)?.get(passage) ?? []);
      return [embedder, writtenVectors(values)] as const;
    }),
  };
}

/** About how many bytes a row takes in a log. */
export const sizeOf = ({ vectors }: MemoryRows, { row, passages, embedders }: Kept): number =>
  [...embedders].reduce(
    (sum, embedder) => sum + passages.length * (vectors.of(embedder)?.dimensions ?? 0) * 5.4,
    row.body.length * 2,
  );
