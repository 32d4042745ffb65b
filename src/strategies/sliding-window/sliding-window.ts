import { ALONE, ANY, checkedOptions, FLAG, type OptionRules, TAIL } from "../check-options.js";
import type { BuiltInStrategy } from "../strategy.js";
import { duePolicy, type ThresholdOptions } from "../summarization/thresholds.js";
import type { StandInInput } from "../window/stand-in.js";
import { type WindowPolicy, WindowViewer } from "../window/viewer.js";
import { type AloneSettings, windowStrategy } from "../window-strategy.js";
import { Note } from "./note.js";

export interface SlidingWindowOptions extends AloneSettings {
  /** Messages at the end that a cut spares as long as they fit; 6 unless given. */
  readonly lockLast?: number;
  /** Share of the usable tokens that one tool result may take; 0.25 unless given. */
  readonly resultShare?: number;
  /**
   * Whether old tool results of the last turn shrink to a line where that keeps the turn together; true unless given.
   * The newest results, and those that tell of a failure, stay.
   */
  readonly clearResults?: boolean;
  /** Cuts once the history shown in full exceeds any of these, also where it fits; about half of it stays. */
  readonly after?: ThresholdOptions["after"];
}

const DEFAULTS = { lockLast: 6, resultShare: 0.25, clearResults: true };

const RULES: OptionRules<SlidingWindowOptions> = { ...ALONE, ...TAIL, clearResults: FLAG, after: ANY };

/**
 * The sliding window: system messages and the newest exchanges stay, the oldest go first and always whole, and a note
 * says what was left out. A view only grows between cuts, so that the provider's prompt cache holds.
 *
 * Inside a session the session's window counts; alone, through `composePayload`, give `window` or `model` here.
 *
 * @example
 * ```ts
 * const strategy = slidingWindow({ window: 8_000 });
 * const payload = await strategy.composePayload("You are a helpful agent.", history, tools);
 * payload.messages; // fits 8,000 tokens
 * ```
 */
export function slidingWindow(options: SlidingWindowOptions = {}): BuiltInStrategy {
  const given = checkedOptions("sliding-window", options, RULES);
  const policy = resolvePolicy(given);
  return windowStrategy("sliding-window", given, (input) => new WindowViewer(input, policy));
}

function resolvePolicy({
  lockLast = DEFAULTS.lockLast,
  resultShare = DEFAULTS.resultShare,
  clearResults = DEFAULTS.clearResults,
  after,
}: SlidingWindowOptions): WindowPolicy {
  const standIn = (input: StandInInput) => new Note(input);
  return { name: "sliding-window", lockLast, resultShare, clears: clearResults, standIn, ...duePolicy({ after }) };
}
