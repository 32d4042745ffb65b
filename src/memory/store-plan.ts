import type { MemoryRow } from "../store/memories/memories.js";
import { type Changes, Desk, type PlanContext, type Sheet } from "./desk.js";
import type { Fact } from "./facts/fact.js";
import { currentKeys, formerKeys, keyOf, slotKeys } from "./keys.js";
import type { EndedValue, StoreReceipt } from "./memory.js";
import type { Prepared } from "./prepare.js";
import { type MemoryBody, rowId } from "./row.js";
import { isBetter } from "./standing.js";

/**
 * What storing texts does to a scope, planned on what the scope holds: new rows, rows whose facts no longer hold,
 * repetitions that are counted where they were said first. Nothing is carried out here.
 */
export interface StorePlan extends Changes {
  /** One for each text. */
  readonly receipts: readonly StoreReceipt[];
}

/** The keys under which rows are found that a text may have to do with. */
export const keysFor = ({ id, named, facts, textKeys }: Prepared): string[] => [
  ...(named ? [keyOf.id(id), keyOf.ended(id)] : []),
  ...textKeys,
  ...slotKeys(facts),
];

/** Plans the storing of texts, in their order, beside the rows found under their keys. */
export function planStore(texts: readonly Prepared[], found: readonly MemoryRow[], context: PlanContext): StorePlan {
  const desk = new Desk(found, context);
  const receipts = texts.map((text) => store(text, desk));
  return { ...desk.changes(), receipts };
}

/** Facts that are known from a stored text beside those that it was stored with. */
export interface FactAddition {
  /** The memory's id. */
  readonly id: string;
  readonly facts: readonly Fact[];
}

/** Plans the adding of facts, beside the rows found under the keys of their memories and slots. */
export function planFacts(
  additions: readonly FactAddition[],
  found: readonly MemoryRow[],
  context: PlanContext,
): Changes & { readonly superseded: readonly EndedValue[] } {
  const desk = new Desk(found, context);
  const superseded = additions.flatMap((addition) => add(addition, desk));
  return { ...desk.changes(), superseded };
}

/** The keys under which rows are found that added facts may have to do with. */
export const keysForFacts = ({ id, facts }: FactAddition): string[] => [keyOf.id(id), ...slotKeys(facts)];

function store(text: Prepared, desk: Desk): StoreReceipt {
  const { id, redacted, refused, named } = text;
  if (refused !== undefined) return { id, status: "refused", reason: refused, superseded: [], redacted };
  const known = named ? sameAgain(text, desk) : desk.equalTo(text);
  if (known !== undefined)
    return { id: known.body.id, status: "merged", superseded: named ? [] : again(known, text, desk), redacted };
  const former = named ? desk.current(id) : undefined;
  if (former !== undefined) retire(former, text.time, desk);
  const sheet = write(text, former === undefined ? 1 : (former.body.version ?? 1) + 1, desk);
  const superseded = desk.supersede(sheet);
  if (former !== undefined) desk.release(former, text.facts);
  return { id, status: "stored", superseded, redacted };
}

/** A row is found by its facts too, so that one with more of them is written anew. */
function add({ id, facts }: FactAddition, desk: Desk): EndedValue[] {
  const sheet = desk.current(id);
  const known = sheet?.body.facts ?? [];
  const fresh = facts.filter((fact) => !known.some((other) => isSameFact(fact, other)));
  if (sheet === undefined || fresh.length === 0) return [];
  sheet.isNew = true;
  desk.setFacts(sheet, [...known, ...fresh]);
  return desk.supersede(sheet);
}

/** The same storing once more, by its id. */
function sameAgain({ id, content, time }: Prepared, desk: Desk): Sheet | undefined {
  const current = desk.current(id);
  return current?.body.content === content && current.row.time === time ? current : undefined;
}

/** A repetition counts. Who is to be believed more has said it: then it is theirs, since they said it. */
function again(sheet: Sheet, text: Prepared, desk: Desk): EndedValue[] {
  const { source, metadata = {}, times = 1 } = sheet.body;
  const isWorse = isBetter(source, text.source);
  const all = isWorse ? { ...text.metadata, ...metadata } : { ...metadata, ...text.metadata };
  sheet.body = { ...sheet.body, times: times + 1, ...(Object.keys(all).length === 0 ? {} : { metadata: all }) };
  sheet.changed = true;
  desk.addEntries(sheet, text.entries);
  return isBetter(text.source, source) ? takeOver(sheet, text, desk) : [];
}

function takeOver(sheet: Sheet, { source, facts, time }: Prepared, desk: Desk): EndedValue[] {
  const rest = (sheet.body.facts ?? []).filter((fact) => !facts.some((other) => isSameFact(other, fact)));
  sheet.row = { ...sheet.row, time };
  sheet.body = { ...sheet.body, source };
  sheet.isNew = true;
  desk.setFacts(sheet, [...facts, ...rest]);
  const slots = new Set(facts.flatMap(({ slot }) => (slot === undefined ? [] : [slot])));
  return desk.reconsider(slots).filter(({ id }) => id !== sheet.body.id);
}

/** The version before stays for questions about its time, as a closed row of its own. */
export function retire(current: Sheet, since: number, desk: Desk): void {
  const { id, version = 1 } = current.body;
  const row = { ...current.row, id: rowId(desk.context.scope, id, version), thread: "" };
  const until = current.until ?? Math.max(since, current.row.time);
  desk.lay({ row, body: current.body, until, keys: formerKeys(current.body), isNew: true, changed: true });
  desk.lift(current, { remove: false });
}

function write(text: Prepared, version: number, desk: Desk): Sheet {
  const { scope, now } = desk.context;
  const { id, content, source, facts, entries, metadata, time, speaker, thread, tags } = text;
  const body: MemoryBody = {
    id,
    content,
    stored: now,
    source,
    ...(facts.length === 0 ? {} : { facts }),
    ...(entries === undefined ? {} : { entries }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(version === 1 ? {} : { version }),
  };
  const keys = currentKeys(body, speaker, text.textKeys);
  const row = { id: rowId(scope, id), scope, thread, tags, time, until: undefined, speaker, keys, body: "" };
  return desk.lay({ row, body, until: undefined, keys, isNew: true, changed: true });
}

/** Facts with a slot are the same where they give it the same value, others where they are in the same words. */
const isSameFact = (one: Fact, other: Fact): boolean =>
  one.slot === undefined
    ? one.text === other.text
    : one.slot === other.slot && one.value?.toLowerCase() === other.value?.toLowerCase();
