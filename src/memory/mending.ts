import { type MemoryRow, type Scope, scopeOf } from "../store/memories/memories.js";
import { Desk, type PlanContext, type Sheet } from "./desk.js";
import { fingerprint } from "./facts/duplicates.js";
import { keyOf } from "./keys.js";
import { bodyOf } from "./row.js";
import { isBetter } from "./standing.js";
import { carryOut, type StorePorts } from "./storing.js";

/** A memory in the words of another one. */
export interface Duplicate {
  readonly row: MemoryRow;
  readonly first: MemoryRow;
}

export type MendPorts = Pick<StorePorts, "memories" | "pool" | "now" | "warn">;

/** Makes one memory of two, as they stand when it is written; nothing of what is known of either is lost. */
export async function mergeDuplicate({ row, first }: Duplicate, ports: MendPorts): Promise<void> {
  const keys = [row, first].flatMap((one) => [keyOf.id(bodyOf(one).id), keyOf.ended(bodyOf(one).id)]);
  const plan = (found: readonly MemoryRow[], context: PlanContext) => {
    const desk = new Desk(found, context);
    const [kept, gone] = [desk.sheet(first.id), desk.sheet(row.id)];
    if (kept !== undefined && gone !== undefined && areEqual(kept, gone)) merge(kept, gone, desk);
    return desk.changes();
  };
  await carryOut(scopeOf(row.scope), { keys, plan }, ports);
}

const areEqual = (kept: Sheet, gone: Sheet): boolean =>
  kept.until === undefined &&
  gone.until === undefined &&
  fingerprint(kept.body.content) === fingerprint(gone.body.content);

function merge(kept: Sheet, gone: Sheet, desk: Desk): void {
  const [one, other] = [kept.body, gone.body];
  const metadata = { ...other.metadata, ...one.metadata };
  kept.body = {
    ...one,
    times: (one.times ?? 1) + (other.times ?? 1),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
  kept.changed = true;
  desk.addEntries(kept, other.entries);
  if (isBetter(other.source, one.source)) {
    kept.row = { ...kept.row, time: gone.row.time };
    kept.body = { ...kept.body, source: other.source };
    kept.isNew = true;
    desk.setFacts(kept, other.facts ?? []);
  }
  desk.lift(gone, { remove: true });
  desk.release(gone);
}

/** Ends the values of attributes that have a later one, by the rules of storing. */
export async function endStale(scope: Scope, slots: ReadonlySet<string>, ports: MendPorts): Promise<void> {
  const keys = [...slots].flatMap((slot) => [keyOf.slot(slot), keyOf.again(slot)]);
  const plan = (found: readonly MemoryRow[], context: PlanContext) => {
    const desk = new Desk(found, context);
    desk.reconsider(slots);
    return desk.changes();
  };
  await carryOut(scope, { keys, plan }, ports);
}
