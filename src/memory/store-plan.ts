import type { Amendment, MemoryRow } from "../store/memories/memories.js";
import { endsWith } from "./facts/dependents.js";
import { areNearlyEqual } from "./facts/duplicates.js";
import type { Fact } from "./facts/fact.js";
import { closings, type SlotValue } from "./facts/supersede.js";
import { currentKeys, formerKeys, keyOf, slotKeys } from "./keys.js";
import type { EndedValue, MemoryFact, StoreReceipt } from "./memory.js";
import type { Prepared } from "./prepare.js";
import { bodyOf, iso, type MemoryBody, rowId } from "./row.js";
import type { RowToComplete } from "./row-completer.js";

/**
 * What storing texts does to a scope, planned on what the scope holds: new rows, rows whose facts no longer hold,
 * repetitions that are counted where they were said first. Nothing is carried out here.
 */
export interface StorePlan {
  /** New rows, and former versions of rows that are replaced, without what they are searched by. */
  readonly put: readonly RowToComplete[];
  readonly amend: readonly Amendment[];
  /** One for each text. */
  readonly receipts: readonly StoreReceipt[];
}

export interface PlanContext {
  /** `scopeKey` of the scope that they are stored in. */
  readonly scope: string;
  readonly now: number;
}

/** The keys under which rows are found that a text may have to do with. */
export const keysFor = ({ id, named, facts, textKeys }: Prepared): string[] => [
  ...(named ? [keyOf.id(id)] : []),
  ...textKeys,
  ...slotKeys(facts),
];

/** Plans the storing of texts, in their order, beside the rows found under their keys. */
export function planStore(texts: readonly Prepared[], found: readonly MemoryRow[], context: PlanContext): StorePlan {
  const desk = new Desk(found, context);
  const receipts = texts.map((text) => desk.store(text));
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
): Pick<StorePlan, "put" | "amend"> & { readonly superseded: readonly EndedValue[] } {
  const desk = new Desk(found, context);
  const superseded = additions.flatMap((addition) => desk.add(addition));
  return { ...desk.changes(), superseded };
}

/** The keys under which rows are found that added facts may have to do with. */
export const keysForFacts = ({ id, facts }: FactAddition): string[] => [keyOf.id(id), ...slotKeys(facts)];

/** A row on the desk, as it will be. */
interface Sheet {
  readonly row: Omit<MemoryRow, "place">;
  body: MemoryBody;
  until: number | undefined;
  keys: readonly string[];
  /** Whether it is written with all that it is found by. */
  isNew: boolean;
  changed: boolean;
}

class Desk {
  readonly #context: PlanContext;
  readonly #sheets = new Map<string, Sheet>();
  readonly #byKey = new Map<string, Set<Sheet>>();

  constructor(found: readonly MemoryRow[], context: PlanContext) {
    this.#context = context;
    for (const row of found) {
      if (row.scope !== context.scope) continue;
      this.#lay({ row, body: bodyOf(row), until: row.until, keys: row.keys, isNew: false, changed: false });
    }
  }

  store(text: Prepared): StoreReceipt {
    const { id, redacted, refused } = text;
    if (refused !== undefined) return { id, status: "refused", reason: refused, superseded: [], redacted };
    const known = this.#known(text);
    if (known !== undefined) return { id: this.#again(known, text), status: "merged", superseded: [], redacted };
    const former = text.named ? this.#current(id) : undefined;
    if (former !== undefined) this.#retire(former, text.time);
    const sheet = this.#write(text, former === undefined ? 1 : (former.body.version ?? 1) + 1);
    return { id, status: "stored", superseded: this.#supersede(sheet), redacted };
  }

  /** A row is found by its facts too, so that one with more of them is written anew. */
  add({ id, facts }: FactAddition): EndedValue[] {
    const sheet = this.#current(id);
    const known = sheet?.body.facts ?? [];
    const fresh = facts.filter((fact) => !known.some((other) => isSameFact(fact, other)));
    if (sheet === undefined || fresh.length === 0) return [];
    sheet.body = { ...sheet.body, facts: [...known, ...fresh] };
    sheet.keys = [...new Set([...sheet.keys, ...slotKeys(fresh)])];
    sheet.isNew = true;
    sheet.changed = true;
    return this.#supersede(this.#lay(sheet));
  }

  changes(): Pick<StorePlan, "put" | "amend"> {
    const changed = [...this.#sheets.values()].filter((sheet) => sheet.changed);
    return {
      put: changed
        .filter(({ isNew }) => isNew)
        .map((sheet) => ({ row: { ...sheet.row, ...valuesOf(sheet) }, body: sheet.body })),
      amend: changed.filter(({ isNew }) => !isNew).map((sheet) => ({ id: sheet.row.id, ...valuesOf(sheet) })),
    };
  }

  #lay(sheet: Sheet): Sheet {
    this.#sheets.set(sheet.row.id, sheet);
    for (const key of sheet.keys) {
      const sheets = this.#byKey.get(key);
      if (sheets === undefined) this.#byKey.set(key, new Set([sheet]));
      else sheets.add(sheet);
    }
    return sheet;
  }

  #under(key: string): Sheet[] {
    return [...(this.#byKey.get(key) ?? [])].filter(({ keys }) => keys.includes(key));
  }

  #current(id: string): Sheet | undefined {
    return this.#under(keyOf.id(id))[0];
  }

  /** The memory that says the same already: the same one again, an equal text, or one that is nearly so. */
  #known(text: Prepared): Sheet | undefined {
    if (text.named) {
      const current = this.#current(text.id);
      return current?.body.content === text.content && current.row.time === text.time ? current : undefined;
    }
    return text.textKeys
      .flatMap((key) => this.#under(key))
      .find(
        ({ until, row, body }) =>
          until === undefined && sameTags(row.tags, text.tags) && areNearlyEqual(body.content, text.content),
      );
  }

  /** A repetition counts; the same storing once more, by its id, does not. */
  #again(sheet: Sheet, { named }: Prepared): string {
    if (named) return sheet.body.id;
    sheet.body = { ...sheet.body, times: (sheet.body.times ?? 1) + 1 };
    sheet.changed = true;
    return sheet.body.id;
  }

  /** The version before stays for questions about its time, as a closed row of its own. */
  #retire(current: Sheet, since: number): void {
    const { id, version = 1 } = current.body;
    const row = { ...current.row, id: rowId(this.#context.scope, id, version), thread: "" };
    const keys = formerKeys(current.body);
    const until = Math.max(since, current.row.time);
    this.#lay({ row, body: current.body, until: current.until ?? until, keys, isNew: true, changed: true });
    current.keys = [];
    this.#sheets.delete(current.row.id);
  }

  #write(text: Prepared, version: number): Sheet {
    const { scope, now } = this.#context;
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
    return this.#lay({ row, body, until: undefined, keys, isNew: true, changed: true });
  }

  /** Closes the values that a new one ends, wherever they stand; a late report of an old value is closed itself. */
  #supersede(sheet: Sheet): EndedValue[] {
    const slots = slotKeys(sheet.body.facts ?? []);
    const sheets = [...new Set(slots.flatMap((key) => this.#under(key)))];
    const closed = closings(sheets.filter((other) => other !== sheet).flatMap(valuesIn), valuesIn(sheet));
    for (const { value, at, by } of closed)
      close(this.#sheets.get(value.row)!, { value, at, by: this.#sheets.get(by)!.body.id });
    return closed
      .filter(({ value }) => value.row !== sheet.row.id)
      .map(({ value }) => ({ id: this.#sheets.get(value.row)!.body.id, slot: value.slot, value: value.value ?? "" }));
  }
}

const valuesOf = ({ until, keys, body }: Sheet) => ({ until, keys, body: JSON.stringify(body) });

/** Facts with a slot are the same where they give it the same value, others where they are in the same words. */
const isSameFact = (one: Fact, other: Fact): boolean =>
  one.slot === undefined
    ? one.text === other.text
    : one.slot === other.slot && one.value?.toLowerCase() === other.value?.toLowerCase();

const sameTags = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((tag, at) => tag === b[at]);

/** A slot's value on a row. */
interface RowValue extends SlotValue {
  readonly fact: number;
  /** The sentence that says it. */
  readonly text: string;
}

function valuesIn(sheet: Sheet): RowValue[] {
  return (sheet.body.facts ?? []).flatMap((fact, index) => {
    if (fact.slot === undefined || fact.validUntil !== undefined) return [];
    return [
      { ...fact, slot: fact.slot, at: sheet.row.time, row: sheet.row.id, source: sheet.body.source, fact: index },
    ];
  });
}

interface Closed {
  readonly value: RowValue;
  readonly at: number;
  /** Id of the memory that ends it. */
  readonly by: string;
}

function close(sheet: Sheet, { value, at, by }: Closed): void {
  const ends = ({ text, slot, validUntil }: MemoryFact, index: number): boolean =>
    index === value.fact ||
    (text === value.text && slot !== undefined && validUntil === undefined && endsWith(slot, value.slot));
  const facts = (sheet.body.facts ?? []).map((fact, index) =>
    ends(fact, index) ? { ...fact, validUntil: iso(at), supersededBy: by } : fact,
  );
  sheet.body = { ...sheet.body, facts };
  sheet.keys = [...sheet.keys.filter((key) => !key.startsWith("slot:")), ...slotKeys(facts)];
  if (isSpent(sheet.body.content, facts)) sheet.until = at;
  sheet.changed = true;
}

/** A text that says little more than what no longer holds. */
const SHORT = 240;

/** Whether a memory ends with its facts: all values in it have ended, and it is not much more than them. */
const isSpent = (content: string, facts: readonly MemoryFact[]): boolean =>
  content.length <= SHORT && facts.every(({ slot, validUntil }) => slot === undefined || validUntil !== undefined);
