/** A change as the function of the schema takes it. */
import { randomUUID } from "node:crypto";
import { escaped } from "../drivers/escaped-text.js";
import { keyParts, storedId } from "../drivers/postgres-text.js";
import { redactedRow } from "../redacted-row.js";
import {
  type Amendment,
  type MemoryChange,
  type NewMemory,
  OWNERS,
  type Redaction,
  type RowVectors,
  scopeOf,
} from "./memories.js";
import { ownerMark } from "./postgres-bindings.js";
import { scopeLexemes, vectorText } from "./postgres-lexemes.js";
import { type PlacedVector, vectorColumns } from "./postgres-vector-columns.js";
import { otherSize } from "./vector-set.js";

/** A name as it is looked up by, however long it is. */
export const markOf = (name: string): string => keyParts(name)[0]!;

/** The values of `write_memories`, in its order. The attempt is one for all repetitions of the statement. */
export function writeValues(change: MemoryChange): unknown[] {
  const { scope, version, amend = [], remove = [], redact = [] } = change;
  const put = lastOfEach(change.put ?? []);
  const scopes = new Set([scope, ...put.map((memory) => memory.scope)]);
  return [
    ...[markOf(scope), version ?? null, randomUUID()],
    JSON.stringify([...scopes].map(scopeRecord)),
    JSON.stringify(put.map(memoryRecord)),
    JSON.stringify(lastOfEach(amend).map(amendmentRecord)),
    remove.map(storedId),
    JSON.stringify(redact.map(redactionRecord)),
    ...embedderColumns(put),
  ];
}

/** Of rows with the same id the last is what stays, in the place of the first. */
const lastOfEach = <T extends { readonly id: string }>(rows: readonly T[]): T[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

function scopeRecord(key: string): object {
  const scope = scopeOf(key);
  const owners = OWNERS.flatMap((owner) => (scope[owner] === undefined ? [] : [[owner, ownerMark(scope[owner])]]));
  return { mark: markOf(key), key, ...Object.fromEntries(owners) };
}

function memoryRecord(memory: NewMemory): object {
  const { id, scope, thread, tags, time, until, speaker, keys, body, passages } = memory;
  const others = scopeLexemes({ ...scopeOf(scope), tags });
  return {
    ...{ id: storedId(id), scope: markOf(scope), thread: escaped(thread), threadMark: markOf(thread) },
    ...{ tags: tags.map(escaped), time, until, speaker: escaped(speaker), ...keyRecords(keys), body },
    passages: passages.map((terms) => ({ length: terms.length, terms: vectorText(terms, others) })),
  };
}

const amendmentRecord = ({ id, until, keys, body }: Amendment): object => ({
  ...{ id: storedId(id), until, ...keyRecords(keys), body },
});

const keyRecords = (keys: readonly string[]): object => ({
  keys: keys.map(escaped),
  marks: keys.map((key) => ({ key: escaped(key), mark: markOf(key) })),
});

function redactionRecord({ session, messages, change }: Redaction): object {
  const { version, time, documents = new Map<string, unknown>() } = change;
  return {
    ...{ id: storedId(session), version, time },
    messages: Array.from(messages, ([sequence, message]) => redactedRow({ sequence }, message)),
    names: [...documents.keys()],
    values: [...documents.values()].map((value) => (value === undefined ? null : JSON.stringify(value))),
  };
}

/** Embedders with the size of their vectors, which rows have them, and the vectors; all of them named by numbers from 1. */
function embedderColumns(put: readonly NewMemory[]): unknown[] {
  const given = put.flatMap(({ vectors }, at) => (vectors === undefined ? [] : [{ ...vectors, row: at + 1 }]));
  const sizes = sizesOf(given);
  const names = [...sizes.keys()];
  const numbers = given.map(({ embedder }) => names.indexOf(embedder) + 1);
  const placed = given.flatMap(({ row, values }, at) => placedAt(row, values, numbers[at]!));
  const [rows, indexes, ...rest] = vectorColumns(placed);
  return [
    ...[names.map(escaped), [...sizes.values()], given.map(({ row }) => row), numbers],
    ...[rows, indexes, placed.map(({ embedder }) => embedder), ...rest],
  ];
}

const placedAt = (
  row: number,
  values: readonly Float32Array[],
  embedder = 1,
): (PlacedVector & { embedder: number })[] => values.map((vector, index) => ({ row, index, vector, embedder }));

interface Given {
  readonly embedder: string;
  readonly values: readonly Float32Array[];
}

/** By embedder the size of its vectors, null where there are none. Throws where it has several. */
function sizesOf(given: readonly Given[]): Map<string, number | null> {
  const sizes = new Map<string, number | null>();
  for (const { embedder, values } of given) {
    for (const { length } of values) {
      const size = sizes.get(embedder) ?? length;
      if (size !== length) throw otherSize(embedder, size, length);
      sizes.set(embedder, size);
    }
    if (!sizes.has(embedder)) sizes.set(embedder, null);
  }
  return sizes;
}

/** The values of `add_vectors`, in its order. */
export function addVectorsValues(embedder: string, vectors: readonly RowVectors[]): unknown[] {
  const size = sizesOf(vectors.map(({ values }) => ({ embedder, values }))).get(embedder) ?? null;
  const placed = vectors.flatMap(({ values }, at) => placedAt(at + 1, values));
  const ids = vectors.map(({ id }) => storedId(id));
  return [escaped(embedder), size, ids, vectors.map(({ body }) => body), ...vectorColumns(placed)];
}
