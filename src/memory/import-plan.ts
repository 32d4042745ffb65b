import type { MemoryRow } from "../store/memories/memories.js";
import { type Changes, Desk, type PlanContext, type Sheet } from "./desk.js";
import type { TakenMemory } from "./exported-memory.js";
import { currentKeys, formerKeys, keyOf, slotKeys } from "./keys.js";
import { type MemoryBody, rowId } from "./row.js";
import { isBetter } from "./standing.js";
import { retire } from "./store-plan.js";

/** The keys under which rows are found that a memory which is taken in may have to do with. */
export const keysForTaken = ({ body: { id, facts = [] } }: TakenMemory): string[] => [
  keyOf.id(id),
  keyOf.former(id),
  keyOf.ended(id),
  ...slotKeys(facts),
];

/**
 * Plans the taking in of memories, all of one scope. What is there already stays as it is; what has the id of another
 * memory becomes a version of it, the present one only where it was said later and by somebody believed as much.
 */
export function planImport(taken: readonly TakenMemory[], found: readonly MemoryRow[], context: PlanContext): Changes {
  const desk = new Desk(found, context);
  const inOrder = [...taken.filter(({ former }) => former), ...taken.filter(({ former }) => !former)];
  for (const memory of inOrder) take(memory, desk);
  return desk.changes();
}

function take(memory: TakenMemory, desk: Desk): void {
  const { body, time } = memory;
  const versions = desk.versions(body.id);
  const same = versions.find((sheet) => sheet.body.content === body.content && sheet.row.time === time);
  if (same !== undefined) {
    if (isBetter(body.source, same.body.source)) believe(same, body, desk);
    return;
  }
  const current = desk.current(body.id);
  const last = Math.max(0, ...versions.map((sheet) => sheet.body.version ?? 1));
  const isPast = memory.former || (current !== undefined && !replaces(memory, current));
  const version = isPast ? freeVersion(body.version ?? 1, versions, last) : Math.max(body.version ?? 1, last + 1);
  if (isPast) layFormer(memory, version, { desk, until: memory.until ?? current?.row.time ?? time });
  else layCurrent(memory, version, { desk, current });
}

const replaces = ({ body, time }: TakenMemory, current: Sheet): boolean =>
  time >= current.row.time && !isBetter(current.body.source, body.source);

const freeVersion = (wanted: number, versions: readonly Sheet[], last: number): number =>
  versions.some(({ body }) => (body.version ?? 1) === wanted) ? last + 1 : wanted;

/** What somebody less believed had said is what the line says it is. */
function believe(sheet: Sheet, { facts = [], source, entries }: MemoryBody, desk: Desk): void {
  sheet.body = { ...sheet.body, source };
  sheet.isNew = true;
  desk.addEntries(sheet, entries);
  if (sheet.keys.includes(keyOf.id(sheet.body.id))) {
    desk.setFacts(sheet, facts);
    desk.supersede(sheet);
  } else {
    sheet.body = { ...sheet.body, facts };
    sheet.changed = true;
  }
}

function layFormer(memory: TakenMemory, version: number, { desk, until }: { desk: Desk; until: number }): void {
  const body = versioned(memory.body, version);
  const keys = formerKeys(body);
  const row = { ...rowOf(memory), id: rowId(memory.scope, body.id, version), thread: "", keys };
  desk.lay({ row, body, until: Math.max(until, memory.time), keys, isNew: true, changed: true });
}

interface Present {
  readonly desk: Desk;
  readonly current: Sheet | undefined;
}

function layCurrent(memory: TakenMemory, version: number, { desk, current }: Present): void {
  if (current !== undefined) retire(current, memory.time, desk);
  const body = versioned(memory.body, version);
  const keys = currentKeys(body, memory.speaker);
  const row = { ...rowOf(memory), id: rowId(memory.scope, body.id), keys };
  const sheet = desk.lay({ row, body, until: memory.until, keys, isNew: true, changed: true });
  desk.supersede(sheet);
  if (current !== undefined) desk.release(current, body.facts);
}

const rowOf = ({ scope, thread, tags, time, until, speaker }: TakenMemory) => ({
  scope,
  thread,
  tags,
  time,
  until,
  speaker,
  body: "",
});

function versioned({ version: _, ...body }: MemoryBody, version: number): MemoryBody {
  return version === 1 ? body : { ...body, version };
}
