import { type CellJudge, type Column, createColumn, judgeColumn, learnCell } from "./column.js";
import type { JsonNode } from "./json-node.js";

/** What the items of a list usually hold: each of their fields is a column. */
export interface ListFields {
  readonly root: Field;
  fields: number;
  items: number;
  /** The number of items at which judges are made again. */
  judgeAgain: number;
}

interface Field {
  /** Of scalars their values, of an object its shape, of an array its length. */
  readonly column: Column;
  readonly inner: Map<string, Field>;
  judge: CellJudge | undefined;
  /** Neither it nor a field in it can be odd. */
  quiet: boolean;
}

const MOST_FIELDS = 64;
const MOST_DEPTH = 5;
const NESTED_ITEMS = 4;
/** From so many items on, one in eight is enough to learn from. */
const MANY_ITEMS = 20_000;

export function createFields(): ListFields {
  return { root: createField(), fields: 1, items: 0, judgeAgain: 0 };
}

function createField(): Field {
  return { column: createColumn(), inner: new Map(), judge: undefined, quiet: true };
}

export function learnItem(list: ListFields, text: string, item: JsonNode): void {
  list.items++;
  if (list.items > MANY_ITEMS && Math.imul(list.items, 0x9e3779b1) >>> 29 !== 0) return;
  learnField({ list, text, depth: 0 }, list.root, item);
}

interface Place {
  readonly list: ListFields;
  readonly text: string;
  readonly depth: number;
}

function learnField(place: Place, field: Field, node: JsonNode): void {
  learnCell(field.column, cellOf(place.text, node));
  if (!("children" in node) || place.depth >= MOST_DEPTH) return;
  const inside = { ...place, depth: place.depth + 1 };
  for (const child of innerNodes(node)) {
    const known = field.inner.get(child.key ?? "");
    if (known === undefined && place.list.fields >= MOST_FIELDS) continue;
    const inner = known ?? createField();
    if (known === undefined) {
      field.inner.set(child.key ?? "", inner);
      place.list.fields++;
    }
    learnField(inside, inner, child.node);
  }
}

function cellOf(text: string, node: JsonNode): string {
  if ("children" in node) return String(node.type === "array" ? node.count : node.shape);
  return node.type === "string" ? text.slice(node.start + 1, node.end - 1) : text.slice(node.start, node.end);
}

function innerNodes(node: Extract<JsonNode, { readonly count: number }>): typeof node.children {
  return node.type === "array" ? node.children.slice(0, NESTED_ITEMS) : node.children;
}

/** How odd an item is among those learnt from so far, in bits. The judgement lags behind, but never by half of them. */
export function judgeItem(list: ListFields, text: string, item: JsonNode): number {
  if (list.items >= list.judgeAgain) renewJudges(list);
  return judgeField(text, list.root, item);
}

function judgeField(text: string, field: Field, node: JsonNode): number {
  if (field.quiet) return 0;
  let bits = field.judge?.(cellOf(text, node)) ?? 0;
  if (!("children" in node) || field.inner.size === 0) return bits;
  for (const child of innerNodes(node)) {
    const inner = field.inner.get(child.key ?? "");
    if (inner !== undefined) bits += judgeField(text, inner, child.node);
  }
  return bits;
}

/** Makes the judges from all that was learnt. */
export function renewJudges(list: ListFields): void {
  renewField(list.root);
  list.judgeAgain = list.items * 2;
}

function renewField(field: Field): void {
  field.judge = judgeColumn(field.column);
  field.quiet = field.judge === undefined;
  for (const inner of field.inner.values()) {
    renewField(inner);
    field.quiet &&= inner.quiet;
  }
}
