import { endsWith } from "./facts/dependents.js";
import { type Closing, closings, type SlotValue } from "./facts/supersede.js";
import { normalValue, sameValue } from "./facts/value.js";
import type { MemoryFact } from "./memory.js";
import { iso, type MemoryBody } from "./row.js";

/** A slot's value on a row. */
export interface RowValue extends SlotValue {
  /** Its place among the row's facts. */
  readonly fact: number;
  /** The sentence that says it. */
  readonly text: string;
}

/** The open values of a memory. */
export function openValues(body: MemoryBody, { id, time }: { readonly id: string; readonly time: number }): RowValue[] {
  return (body.facts ?? []).flatMap((fact, index) =>
    fact.slot === undefined || fact.validUntil !== undefined
      ? []
      : [{ ...fact, slot: fact.slot, at: time, row: id, source: body.source, fact: index }],
  );
}

/** Whether two values of one slot say the same with the same authority. */
export function isRepetition(one: SlotValue, other: SlotValue): boolean {
  if ((one.source ?? "user") !== (other.source ?? "user")) return false;
  if (one.value === undefined || other.value === undefined)
    return one.value === other.value && normalValue(one.closes ?? "") === normalValue(other.closes ?? "");
  return sameValue(one.value, other.value);
}

/**
 * Which of these values have ended. What was said several times with nothing else between is judged once, so that the
 * time taken goes with the number of values.
 */
export function endedValues(values: readonly RowValue[]): Closing<RowValue>[] {
  return [...Map.groupBy(values, ({ slot }) => slot).values()].flatMap((ofSlot) => {
    const runs = runsOf([...ofSlot].sort((a, b) => a.at - b.at));
    const ended = closings<RowValue>([], [...runs.keys()]);
    return ended.flatMap((closing) => runs.get(closing.value)!.map((value) => ({ ...closing, value })));
  });
}

/** By the first of them: values that follow one another and say the same. */
function runsOf(timeline: readonly RowValue[]): Map<RowValue, RowValue[]> {
  const runs = new Map<RowValue, RowValue[]>();
  let first: RowValue | undefined;
  for (const value of timeline) {
    if (first === undefined || !isRepetition(first, value)) {
      first = value;
      runs.set(first, []);
    }
    runs.get(first)!.push(value);
  }
  return runs;
}

/** The values that only say again what another one of them said first. */
export function repetitionsIn(values: readonly RowValue[]): Set<RowValue> {
  const repetitions = new Set<RowValue>();
  for (const ofSlot of Map.groupBy(values, ({ slot }) => slot).values()) {
    const holders: RowValue[] = [];
    for (const value of [...ofSlot].sort((a, b) => a.at - b.at)) {
      if (holders.some((holder) => isRepetition(holder, value))) repetitions.add(value);
      else holders.push(value);
    }
  }
  return repetitions;
}

/** A memory's facts once one of its values, and what ends with it, has ended. */
export function closedFacts(
  facts: readonly MemoryFact[],
  { value, at, by }: { readonly value: RowValue; readonly at: number; readonly by: string },
): MemoryFact[] {
  const ends = ({ text, slot, validUntil }: MemoryFact, index: number): boolean =>
    index === value.fact ||
    (text === value.text && slot !== undefined && validUntil === undefined && endsWith(slot, value.slot));
  return facts.map((fact, index) => {
    if (!ends(fact, index)) return fact;
    const { repeated: _, ...rest } = fact;
    return { ...rest, validUntil: iso(at), supersededBy: by };
  });
}

/** A memory's facts without the end that another memory put to them; undefined where it ended none of these. */
export function reopenedFacts(
  facts: readonly MemoryFact[],
  by: string,
  isKept: (slot: string) => boolean,
): { readonly facts: MemoryFact[]; readonly ends: ReadonlySet<number> } | undefined {
  const ends = new Set<number>();
  const reopened = facts.map((fact) => {
    if (fact.supersededBy !== by || fact.slot === undefined || isKept(fact.slot)) return fact;
    const { validUntil, supersededBy: _, ...open } = fact;
    ends.add(Date.parse(validUntil ?? ""));
    return open;
  });
  return ends.size === 0 ? undefined : { facts: reopened, ends };
}
