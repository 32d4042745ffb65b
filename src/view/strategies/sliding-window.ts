import { z } from "zod";
import { type AloneSettings, strategyOf } from "../alone.js";
import type { BuiltInStrategy } from "../strategy.js";
import { aloneFields, checkedOptions, tailFields } from "./check-options.js";
import { note } from "./note.js";
import { duePolicy, thresholdFields } from "./thresholds.js";

const fields = z.strictObject({
  ...aloneFields,
  ...tailFields,
  ...thresholdFields,
  /**
   * Whether old tool results of the last turn shrink to a line where that keeps the turn together; true unless given.
   * The newest results, and those that tell of a failure, stay.
   */
  clearResults: z.boolean("true or false").optional(),
  /** Whose message the note at the cut is: the user's, framed as data, unless given; "system" as spec 1 shows it. */
  noteRole: z.enum(["user", "system"], '"user" or "system"').optional(),
});
export type SlidingWindowOptions = AloneSettings & Readonly<z.input<typeof fields>>;

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
  const given = checkedOptions("sliding-window", fields, options);
  const { lockLast = 6, resultShare = 0.25, clearResults: clears = true, noteRole = "user", after } = given;
  const policy = {
    name: "sliding-window",
    lockLast,
    resultShare,
    clears,
    past: note(noteRole),
    ...duePolicy({ after }),
  };
  return strategyOf("sliding-window", given, { policy });
}
