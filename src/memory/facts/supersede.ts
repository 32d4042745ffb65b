import type { MemorySource } from "../trust/source.js";
import { isHabit } from "./habit.js";
import { sameValue } from "./value.js";

/**
 * Which values of a slot have ended. A slot has one value at a time, so a later statement of another value ends the one
 * before it; where it may have several, only one that says that something changed. What counts is when something was said, not when it was stored: a report that comes late is closed by the
 * statement that followed it. Words of tools and documents end nothing, and those of the agent, which may only repeat what
 * it read, end nothing but its own.
 */
export interface SlotValue {
  readonly slot: string;
  /** Absent where a value only ended. */
  readonly value?: string;
  /** A value that has ended. */
  readonly closes?: string;
  readonly update?: true;
  /** When it was said, in milliseconds since the epoch. */
  readonly at: number;
  /** What it belongs to: the memory's row. */
  readonly row: string;
  /** Who said it; the user unless given. */
  readonly source?: MemorySource;
}

export interface Closing<V extends SlotValue> {
  readonly value: V;
  readonly at: number;
  /** The row that ends it. */
  readonly by: string;
}

export interface Supersession<V extends SlotValue> {
  readonly closings: readonly Closing<V>[];
  /** New statements of the value that held then already, and the statement that they repeat. */
  readonly repetitions: readonly { readonly value: V; readonly of: V }[];
}

/**
 * Plans what new statements do to the open values of their slots, and what those do to them.
 *
 * @example
 * ```ts
 * const acme = { slot: "user/employer", value: "Acme", at: 1, row: "a" };
 * const globex = { slot: "user/employer", value: "Globex", at: 2, row: "b" };
 * supersede([acme], [globex]).closings; // [{ value: acme, at: 2, by: "b" }]
 * ```
 */
export function supersede<V extends SlotValue>(existing: readonly V[], incoming: readonly V[]): Supersession<V> {
  const plan = { closings: [] as Closing<V>[], repetitions: [] as { value: V; of: V }[] };
  const slots = new Set(incoming.map(({ slot }) => slot));
  for (const slot of slots) {
    const timeline = inOrder(
      existing.filter((value) => value.slot === slot),
      incoming.filter((value) => value.slot === slot),
    );
    walk(timeline, new Set(incoming), plan);
  }
  return plan;
}

/** The values that new statements end, late reports among the new ones included. */
export const closings = <V extends SlotValue>(existing: readonly V[], incoming: readonly V[]): readonly Closing<V>[] =>
  supersede(existing, incoming).closings;

/** By time; what was known before stands before what comes at the same time. */
function inOrder<V extends SlotValue>(existing: readonly V[], incoming: readonly V[]): V[] {
  return [...existing, ...incoming].sort((a, b) => a.at - b.at);
}

interface Draft<V extends SlotValue> {
  readonly closings: Closing<V>[];
  readonly repetitions: { value: V; of: V }[];
}

function walk<V extends SlotValue>(timeline: readonly V[], fresh: ReadonlySet<V>, draft: Draft<V>): void {
  let open: V[] = [];
  for (const next of timeline) if (!isForeign(next)) open = step(open, next, { fresh, draft });
}

/** The values open after a statement. */
function step<V extends SlotValue>(
  open: readonly V[],
  next: V,
  { fresh, draft }: { fresh: ReadonlySet<V>; draft: Draft<V> },
): V[] {
  const [ended, lasting] = [open.filter((value) => ends(next, value)), open.filter((value) => !ends(next, value))];
  draft.closings.push(...ended.map((value) => ({ value, at: next.at, by: next.row })));
  const same = lasting.find(({ value }) => value !== undefined && sameValue(value, next.value ?? ""));
  if (same !== undefined && fresh.has(next) && next.value !== undefined)
    draft.repetitions.push({ value: next, of: same });
  return next.value === undefined ? lasting : [...lasting, next];
}

function ends(next: SlotValue, known: SlotValue): boolean {
  const { value = "" } = known;
  if (next.source === "agent" && known.source !== "agent") return false;
  if (next.closes !== undefined && sameValue(next.closes, value) && next.value !== value) return true;
  if (next.value === undefined || sameValue(next.value, value)) return false;
  return next.update === true || !isHabit(next.slot);
}

const isForeign = ({ source }: SlotValue): boolean => source === "tool" || source === "import";
