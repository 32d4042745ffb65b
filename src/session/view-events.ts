import { VarveError } from "../errors.js";
import type { Entry } from "../message/entry.js";
import type { Repair } from "../message/repair.js";
import { isCompaction, type Receipt } from "../view/receipt.js";
import type { View } from "../view/view.js";
import type { CompactionEvent, Emit } from "./events.js";

interface Accepted {
  readonly session: string;
  readonly view: View;
  /** The view before it, whose repairs are known. */
  readonly before: View | undefined;
  readonly log: readonly Entry[];
  readonly attempts: number;
}

/** Tells of a view once it is durable: what it mends that the one before did not, its cut, and the view itself. */
export function tellView(emit: Emit, accepted: Accepted): void {
  const { session, view, before } = accepted;
  const { tokens, budget, entries, leftOut, receipt, plan } = view;
  const known = new Set(before?.repairs.map(keyOf));
  const repairs = view.repairs.filter((repair) => !known.has(keyOf(repair)));
  if (repairs.length > 0) emit("warning", { session, warning: repaired(accepted, repairs) });
  if (receipt !== undefined && isCompaction(receipt)) emit("compaction", compactionOf(accepted, receipt));
  const figures = { tokens, percentUsed: tokens / budget.usable, budget, entries, leftOut };
  emit("view", { session, strategy: plan.strategy, ...figures, receipt: receipt?.id });
}

function compactionOf({ session, view, attempts }: Accepted, receipt: Receipt): CompactionEvent {
  const { tokensBefore: before, tokensAfter: after, reason } = receipt;
  const { notes, covers } = view.plan;
  const level = notes === 0 ? 0 : 1 + Math.max(0, ...covers.map((cover) => cover.level ?? 0));
  return { session, before, after, ratio: after / before, level, attempts, reason, messages: view.messages, receipt };
}

const keyOf = ({ kind, at, call }: Repair): string => `${kind} ${at} ${call ?? ""}`;

function repaired({ session, log }: Accepted, repairs: readonly Repair[]): VarveError {
  const places = repairs.map(({ at, ...repair }) => ({ ...repair, entry: log[at]?.id }));
  const kinds = places.map(({ kind, entry }) => (entry === undefined ? kind : `${kind} (${entry})`));
  return new VarveError({
    code: "repaired",
    message: `A view of the session "${session}" shows otherwise what no provider would take: ${kinds.join(", ")}.`,
    hint: "The log keeps what was appended. docs/views.md says what each repair shows instead.",
    details: { session, repairs: places },
  });
}
