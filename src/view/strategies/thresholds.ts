import { invalidOption } from "../../errors.js";
import { isObject } from "../../message/plain-value.js";
import type { TailExchange } from "../policy.js";

export interface ThresholdOptions {
  /**
   * Summarises once the history shown in full exceeds any of these, also where it fits: turns, entries of the log, or
   * tokens. About half of it stays. Without them only the window decides.
   */
  readonly after?: { readonly turns?: number; readonly entries?: number; readonly tokens?: number };
  /** Turns above which the history is summarised: another name for `after.turns`. */
  readonly threshold?: number;
  /** Turns at the end that such a summary spares; half of the turns, and the one under way, unless given. */
  readonly keepLastTurns?: number;
}

interface Threshold {
  readonly limit: number;
  /** What may be left once it was exceeded. */
  readonly keep: number;
}

export interface Thresholds {
  readonly turns: Threshold;
  readonly entries: Threshold;
  readonly tokens: Threshold;
  /** Turns that are spared whatever was exceeded. */
  readonly spared: number;
}

const NEVER: Threshold = { limit: Number.POSITIVE_INFINITY, keep: Number.POSITIVE_INFINITY };

/** Undefined where no threshold is given. */
export function resolveThresholds(options: ThresholdOptions): Thresholds | undefined {
  const { after = {}, threshold, keepLastTurns } = options;
  const { turns = threshold, entries, tokens, ...others } = isObject(after) ? after : { after };
  if (Object.keys(others).length > 0)
    throw invalidOption({ option: "after", value: after, allowed: "an object of turns, entries and tokens alone" });
  check("after.turns", turns);
  check("after.entries", entries);
  check("after.tokens", tokens);
  check("keepLastTurns", keepLastTurns, turns);
  if (turns === undefined && entries === undefined && tokens === undefined) return undefined;
  return {
    turns:
      turns === undefined ? NEVER : { limit: turns, keep: keepLastTurns ?? Math.min(turns, Math.ceil(turns / 2) + 1) },
    entries: halved(entries),
    tokens: halved(tokens),
    spared: keepLastTurns ?? 0,
  };
}

const halved = (limit: number | undefined): Threshold =>
  limit === undefined ? NEVER : { limit, keep: Math.ceil(limit / 2) };

function check(option: string, value: number | undefined, most = Number.POSITIVE_INFINITY): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= most)) return;
  const allowed = most === Number.POSITIVE_INFINITY ? "a whole number from 1" : `a whole number from 1 to ${most}`;
  throw invalidOption({ option, value, allowed });
}

/** The part of a window's policy that such thresholds are; nothing where none is given. */
export function duePolicy(options: ThresholdOptions): {
  readonly due?: (tail: readonly TailExchange[]) => number | undefined;
} {
  const thresholds = resolveThresholds(options);
  return thresholds === undefined ? {} : { due: (tail) => dueCut(tail, thresholds) };
}

/** The position at which a tail that exceeds a threshold is to be cut; undefined where it exceeds none. */
export function dueCut(tail: readonly TailExchange[], thresholds: Thresholds): number | undefined {
  const { turns, entries, tokens, spared } = thresholds;
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
