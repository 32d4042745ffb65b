import { type AloneSettings, strategyOf } from "../alone.js";
import type { BuiltInStrategy } from "../strategy.js";
import { ALONE, ANY, checkedOptions, FLAG, NOTE_ROLE, type OptionRules, TAIL } from "./check-options.js";
import { note } from "./note.js";
import { duePolicy, type ThresholdOptions } from "./thresholds.js";

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
  /** Whose message the note at the cut is: the user's, framed as data, unless given; "system" as spec 1 shows it. */
  readonly noteRole?: "user" | "system";
  /** Cuts once the history shown in full exceeds any of these, also where it fits; about half of it stays. */
  readonly after?: ThresholdOptions["after"];
}

const RULES: OptionRules<SlidingWindowOptions> = {
  ...ALONE,
  ...TAIL,
  clearResults: FLAG,
  noteRole: NOTE_ROLE,
  after: ANY,
};

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
  const { lockLast = 6, resultShare = 0.25, clearResults: clears = true, noteRole = "user", after } = given;
  const due = duePolicy({ after });
  const policy = { name: "sliding-window", lockLast, resultShare, clears, past: note(noteRole), ...due };
  return strategyOf("sliding-window", given, { policy });
}
