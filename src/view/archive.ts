import type { Log } from "../message/log.js";
import type { Position } from "../message/positions.js";
import type { Plan } from "./plan.js";
import type { Archive } from "./strategy.js";

/** What an archive has got of a log: all exchanges up to a position but for those that still wait to leave the view. */
export interface Archived {
  readonly upTo: Position;
  readonly waiting: readonly Position[];
}

export const NOTHING_ARCHIVED: Archived = { upTo: 0, waiting: [] };

/** Hands an archive the exchanges that have left the view, and says what it has then. It gets each of them once. */
export async function handOver(
  archive: Archive,
  before: Archived,
  { plan, log }: { plan: Plan; log: Log },
): Promise<Archived> {
  const isForeign = plan.items.some(({ kind }) => kind === "foreign");
  const from = Math.max(before.upTo, plan.start);
  const to = Math.max(from, isForeign ? plan.entries : plan.cut);
  const shown = new Set(plan.items.flatMap((item) => (item.kind === "exchange" ? [item.at] : [])));
  const dropped = new Set(plan.dropped);
  const isShown = (at: Position) => (isForeign ? !dropped.has(at) : shown.has(at));
  log.reach(from);
  const opened = log.exchanges.slice(log.exchangeFrom(from), log.exchangeFrom(to)).map(({ first }) => first);
  const firsts = [...before.waiting, ...opened];
  const gone = firsts.filter((at) => !isShown(at));
  const messages = gone.flatMap((at) => log.legal(log.holding(at)!));
  if (messages.length > 0) await archive(messages);
  return { upTo: to, waiting: firsts.filter(isShown) };
}
