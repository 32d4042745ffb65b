import { z } from "zod";
import type { Policy, TailExchange } from "../policy.js";
import { refused, whole } from "./check-options.js";

const limit = whole(1).optional();

export const thresholdFields = {
  /**
   * Cuts once the history shown in full exceeds any of these, also where it fits: turns, entries of the log, or tokens.
   * About half of it stays. Without them only the window decides.
   */
  after: z
    .strictObject(
      { turns: limit, entries: limit, tokens: limit },
      "an object of turns, entries and tokens, each a whole number from 1",
    )
    .optional(),
};
export const turnFields = {
  /** Turns above which the history is summarised: another name for `after.turns`. */
  threshold: limit,
  /** Turns at the end that such a summary spares; half of the turns, and the one under way, unless given. */
  keepLastTurns: limit,
};
const fields = z.object({ ...thresholdFields, ...turnFields });
export type ThresholdOptions = Readonly<z.input<typeof fields>>;

export interface Threshold {
  readonly limit: number;
  /** What may be left once it was exceeded. */
  readonly keep: number;
}

export interface Thresholds extends Readonly<Partial<Record<"turns" | "entries" | "tokens", Threshold>>> {
  /** Turns that are spared whatever was exceeded. */
  readonly spared?: number;
}

/** The part of a window's policy that such thresholds are; nothing where none is given. */
export function duePolicy({ after = {}, threshold, keepLastTurns }: ThresholdOptions): Pick<Policy, "due" | "limits"> {
  const { turns = threshold, entries, tokens } = after;
  if (keepLastTurns !== undefined && turns !== undefined && keepLastTurns > turns)
    throw refused({
      of: "the strategy",
      option: "keepLastTurns",
      value: keepLastTurns,
      allowed: `a whole number from 1 to ${turns}`,
    });
  if (turns === undefined && entries === undefined && tokens === undefined) return {};
  const limits = { ...(turns && { turns }), ...(entries && { entries }), ...(tokens && { tokens }) };
  const half = (limit = Number.POSITIVE_INFINITY): Threshold => ({ limit, keep: Math.ceil(limit / 2) });
  const usual = (limit: number) => Math.min(Math.max(1, limit - 1), Math.ceil(limit / 2) + 1);
  const thresholds = {
    turns: turns === undefined ? NEVER : { limit: turns, keep: keepLastTurns ?? usual(turns) },
    entries: half(entries),
    tokens: half(tokens),
    spared: keepLastTurns ?? 0,
  };
  return { due: (tail) => dueCut(tail, thresholds), limits };
}

const NEVER: Threshold = { limit: Number.POSITIVE_INFINITY, keep: Number.POSITIVE_INFINITY };

/** The position at which a tail that exceeds a threshold is to be cut; undefined where it exceeds none. */
export function dueCut(tail: readonly TailExchange[], thresholds: Thresholds): number | undefined {
  const { turns = NEVER, entries = NEVER, tokens = NEVER, spared = 0 } = thresholds;
  const left = { turns: 0, entries: 0, tokens: 0 };
  let cut = tail.length - 1;
  for (let at = tail.length - 1; at >= 0; at--) {
    const { turn } = tail[at]!;
    if (turn !== tail[at + 1]?.turn) left.turns++;
    left.entries += tail[at]!.entries;
    left.tokens += tail[at]!.tokens;
    const stays = left.turns <= turns.keep && left.entries <= entries.keep && left.tokens <= tokens.keep;
    if (stays || left.turns <= spared) cut = at;
  }
  const exceeded = left.turns > turns.limit || left.entries > entries.limit || left.tokens > tokens.limit;
  return exceeded && cut > 0 ? tail[cut]!.at : undefined;
}
