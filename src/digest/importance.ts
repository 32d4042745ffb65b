import { membersOf } from "../message/exchanges.js";
import type { Log } from "../message/log.js";
import type { IdentifierIndex } from "./identifier-index.js";
import type { Worth } from "./worth.js";

/** Identifiers of an exchange that count: its most likely ones. */
const BEST = 4;
/** What people say and what failed matters beyond the identifiers in it. */
const SPOKEN = { user: 0.5, answer: 0.2, failed: 0.1 };

export interface ImportanceInput {
  readonly index: IdentifierIndex;
  /** How likely an identifier is to be used again. */
  readonly worth: Worth;
}

/**
 * How important an exchange is, from 0 to 1: the chance that something in it is used again, by the learnt likelihood
 * of its identifiers, with more for the user's own words, for answers and for failures.
 */
export function importanceOf(log: Log, exchange: number, { index, worth }: ImportanceInput): number {
  const grouped = log.exchanges[exchange]!;
  if (grouped.kind === "blank" || grouped.kind === "orphan" || grouped.kind === "system") return 0;
  const passages = membersOf(grouped).flatMap((at) => [...index.passagesAt(at, log)]);
  const names = new Set(passages.flatMap(({ identifiers }) => identifiers));
  const chances = [...names].map(worth).sort((a, b) => b - a);
  let unused = 1;
  for (const chance of chances.slice(0, BEST)) unused *= 1 - chance;
  if (grouped.kind === "user") unused *= 1 - SPOKEN.user;
  if (grouped.kind === "assistant") unused *= 1 - SPOKEN.answer;
  if (passages.some(({ failed }) => failed)) unused *= 1 - SPOKEN.failed;
  return 1 - unused;
}
