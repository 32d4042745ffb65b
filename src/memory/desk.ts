import { type Amendment, type MemoryRow, sees } from "../store/memories/memories.js";
import { endsWith } from "./facts/dependents.js";
import { areNearlyEqual } from "./facts/duplicates.js";
import type { Fact } from "./facts/fact.js";
import { entryKeys, keyOf, slotKeys, withFactKeys } from "./keys.js";
import type { EndedValue, EntryReference, MemoryFact } from "./memory.js";
import type { Prepared } from "./prepare.js";
import { bodyOf, type MemoryBody } from "./row.js";
import type { RowToComplete } from "./row-completer.js";
import {
  closedFacts,
  endedValues,
  isRepetition,
  openValues,
  type RowValue,
  reopenedFacts,
  repetitionsIn,
} from "./slot-values.js";
import { isSpent } from "./spent.js";

/** On what a change is planned. */
export interface PlanContext {
  /** `scopeKey` of the scope that is changed. */
  readonly scope: string;
  readonly now: number;
  /** Tags of whoever asks: what has others is not named to them. */
  readonly tags?: readonly string[] | undefined;
  /** The keys that were looked up. */
  readonly keys: ReadonlySet<string>;
}

/** What a change does to a scope. */
export interface Changes {
  /** New rows, and former versions of rows that are replaced, without what they are searched by. */
  readonly put: readonly RowToComplete[];
  readonly amend: readonly Amendment[];
  /** Ids. */
  readonly remove: readonly string[];
  /** Keys that the plan has to do with and that were not looked up: it is to be made again on what they name. */
  readonly wanted: readonly string[];
}

/** A row on the desk, as it will be. */
export interface Sheet {
  row: Omit<MemoryRow, "place">;
  body: MemoryBody;
  until: number | undefined;
  keys: readonly string[];
  /** Whether it is written with all that it is found by. */
  isNew: boolean;
  changed: boolean;
}

/**
 * The rows that a change has to do with, as they will be. Of the open values of a slot that say the same one has the
 * slot, the first; the others are found where it ends or goes, and not each time that it is said once more.
 */
export class Desk {
  readonly context: PlanContext;
  readonly #sheets = new Map<string, Sheet>();
  readonly #byKey = new Map<string, Set<Sheet>>();
  readonly #removed = new Set<string>();
  readonly #wanted = new Set<string>();

  constructor(found: readonly MemoryRow[], context: PlanContext) {
    this.context = context;
    for (const row of found) {
      if (row.scope !== context.scope) continue;
      this.lay({ row, body: bodyOf(row), until: row.until, keys: row.keys, isNew: false, changed: false });
    }
  }

  changes(): Changes {
    const changed = [...this.#sheets.values()].filter((sheet) => sheet.changed);
    return {
      put: changed
        .filter(({ isNew }) => isNew)
        .map((sheet) => ({ row: { ...sheet.row, ...valuesOf(sheet) }, body: sheet.body })),
      amend: changed.filter(({ isNew }) => !isNew).map((sheet) => ({ id: sheet.row.id, ...valuesOf(sheet) })),
      remove: [...this.#removed],
      wanted: [...this.#wanted],
    };
  }

  lay(sheet: Sheet): Sheet {
    this.#sheets.set(sheet.row.id, sheet);
    for (const key of sheet.keys) {
      const sheets = this.#byKey.get(key);
      if (sheets === undefined) this.#byKey.set(key, new Set([sheet]));
      else sheets.add(sheet);
    }
    return sheet;
  }

  /** Takes a sheet away whose place another one takes, or whose row goes. */
  lift(sheet: Sheet, { remove }: { readonly remove: boolean }): void {
    sheet.keys = [];
    this.#sheets.delete(sheet.row.id);
    if (remove) this.#removed.add(sheet.row.id);
  }

  under(key: string): Sheet[] {
    return [...(this.#byKey.get(key) ?? [])].filter(({ keys }) => keys.includes(key));
  }

  /** The memory as it stands. */
  current(id: string): Sheet | undefined {
    return this.under(keyOf.id(id))[0];
  }

  /** All versions of a memory. */
  versions(id: string): Sheet[] {
    return [...this.under(keyOf.id(id)), ...this.under(keyOf.former(id))];
  }

  sheet(rowId: string): Sheet | undefined {
    return this.#sheets.get(rowId);
  }

  /** The open memory that says the same in nearly the same words. */
  equalTo({ textKeys, tags, content }: Prepared): Sheet | undefined {
    return textKeys
      .flatMap((key) => this.under(key))
      .find(
        ({ until, row, body }) =>
          until === undefined && sameTags(row.tags, tags) && areNearlyEqual(body.content, content),
      );
  }

  /** Gives a memory other facts, and the keys that follow from them. */
  setFacts(sheet: Sheet, facts: readonly MemoryFact[]): void {
    sheet.body = { ...sheet.body, facts };
    sheet.keys = withFactKeys(sheet.keys, facts);
    sheet.changed = true;
    this.lay(sheet);
  }

  /** Adds where else a memory came from. */
  addEntries(sheet: Sheet, added: readonly EntryReference[] = []): void {
    const known = sheet.body.entries ?? [];
    const names = new Set(known.map(keyOf.entry));
    const entries = [...known, ...added.filter((entry) => !names.has(keyOf.entry(entry)))];
    if (entries.length === known.length) return;
    sheet.body = { ...sheet.body, entries };
    sheet.keys = [...new Set([...sheet.keys, ...entryKeys(entries)])];
    sheet.changed = true;
    this.lay(sheet);
  }

  /** Closes the values that those of a memory end, wherever they stand; a late report of an old value is closed itself. */
  supersede(sheet: Sheet): EndedValue[] {
    const incoming = valuesIn(sheet);
    const slots = new Set(incoming.map(({ slot }) => slot));
    const around = this.#valuesUnder(slotKeys(incoming)).filter(({ slot }) => slots.has(slot));
    const disturbed = disturbedSlots(
      incoming,
      around.filter(({ row }) => row !== sheet.row.id),
    );
    this.#settle(around.filter(({ slot }) => !disturbed.has(slot)));
    return this.reconsider(disturbed).filter(({ id }) => id !== sheet.body.id);
  }

  /** Judges all open values of slots anew. */
  reconsider(slots: ReadonlySet<string>): EndedValue[] {
    const keys = [...slots].flatMap((slot) => [keyOf.slot(slot), keyOf.again(slot)]);
    for (const key of keys) this.#want(key);
    const ofSlots = (): RowValue[] => this.#valuesUnder(keys).filter(({ slot }) => slots.has(slot));
    const ended = endedValues(ofSlots());
    for (const { value, at, by } of ended) this.#close(value, at, this.#sheets.get(by)!.body.id);
    this.#settle(ofSlots());
    return ended.flatMap(({ value }) => {
      const { body, row } = this.#sheets.get(value.row)!;
      if (!sees({ tags: this.context.tags ?? [] }, { tags: row.tags })) return [];
      return [{ id: body.id, slot: value.slot, value: value.value ?? "" }];
    });
  }

  /** Closes one value; the memory too where nothing else is in it. */
  #close(value: RowValue, at: number, by: string): void {
    const sheet = this.#sheets.get(value.row)!;
    this.setFacts(sheet, closedFacts(sheet.body.facts ?? [], { value, at, by }));
    if (sheet.until === undefined && isSpent(sheet.body.content, sheet.body.facts ?? [])) sheet.until = at;
  }

  /** What a memory held and ended is open again, once it is gone or says something else: all but what `said` settles. */
  release({ body }: Pick<Sheet, "body">, said: readonly Fact[] = []): void {
    const settled = said.flatMap(({ slot }) => (slot === undefined ? [] : [slot]));
    const isKept = (slot: string): boolean => settled.some((one) => one === slot || endsWith(slot, one));
    const slots = new Set(
      (body.facts ?? []).flatMap(({ slot, validUntil, repeated }) =>
        slot === undefined || validUntil !== undefined || repeated ? [] : [slot],
      ),
    );
    this.#want(keyOf.ended(body.id));
    for (const sheet of this.under(keyOf.ended(body.id))) {
      const reopened = reopenedFacts(sheet.body.facts ?? [], body.id, isKept);
      if (reopened === undefined) continue;
      if (sheet.until !== undefined && reopened.ends.has(sheet.until)) sheet.until = undefined;
      this.setFacts(sheet, reopened.facts);
      for (const { slot } of valuesIn(sheet)) slots.add(slot);
    }
    this.reconsider(slots);
  }

  /** Among values that say the same, the first has the slot. */
  #settle(values: readonly RowValue[]): void {
    const repetitions = repetitionsIn(values);
    for (const [row, ofRow] of Map.groupBy(values, (value) => value.row)) {
      const sheet = this.#sheets.get(row)!;
      const before = sheet.body.facts ?? [];
      const facts = [...before];
      for (const value of ofRow) facts[value.fact] = marked(before[value.fact]!, repetitions.has(value));
      if (facts.some((fact, at) => fact !== before[at])) this.setFacts(sheet, facts);
    }
  }

  #valuesUnder(keys: readonly string[]): RowValue[] {
    return [...new Set(keys.flatMap((key) => this.under(key)))].flatMap(valuesIn);
  }

  #want(key: string): void {
    if (!this.context.keys.has(key)) this.#wanted.add(key);
  }
}

function marked(fact: MemoryFact, isRepeated: boolean): MemoryFact {
  if ((fact.repeated ?? false) === isRepeated) return fact;
  const { repeated: _, ...rest } = fact;
  return isRepeated ? { ...rest, repeated: true } : rest;
}

/** Slots where more than one more repetition happens: something ends, or is told that lies before what is known. */
function disturbedSlots(incoming: readonly RowValue[], known: readonly RowValue[]): Set<string> {
  const late = incoming.filter((value) =>
    known.some((other) => other.slot === value.slot && value.at < other.at && !isRepetition(value, other)),
  );
  return new Set([...late, ...endedValues([...known, ...incoming]).map(({ value }) => value)].map(({ slot }) => slot));
}

const valuesIn = ({ body, row }: Sheet): RowValue[] => openValues(body, row);

const valuesOf = ({ until, keys, body }: Sheet) => ({ until, keys, body: JSON.stringify(body) });

const sameTags = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((tag, at) => tag === b[at]);
