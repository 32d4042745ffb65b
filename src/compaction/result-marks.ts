import { outputText } from "../message/content.js";
import type { Log } from "../message/log.js";
import { clearedMark, supersededMark } from "../reduce/marks.js";
import { measureTokens } from "../reduce/measure.js";
import type { CallResult, Superseded } from "../reduce/supersede.js";
import { failureIn, firstLineOf, isRefusal } from "../reduce/supersede-result.js";
import type { TokenCounter } from "../tokens/counter.js";
import type { Mark } from "./marked.js";

export interface Marking {
  readonly log: Log;
  readonly counter: TokenCounter;
  /** Whether the model has the tool that reads entries. */
  readonly expandable: boolean;
}

/** A result of fewer tokens than this is not cleared. */
const LEAST_CLEARED = 100;

/** The mark for a stale result. How a run that failed had ended stays in it. */
export function markSuperseded(result: CallResult, stale: Superseded, marking: Marking): Mark {
  const { log, expandable } = marking;
  const { entries } = log;
  const reason = `${stale.how} in ${entries[stale.by]!.id}`;
  const line = stale.how === "run again" ? failureIn(result.output) : undefined;
  const entry = entries[result.at]!.id;
  const text = supersededMark(reason, { tokens: sizeOf(result, marking), entry, line, expandable });
  return { at: result.at, call: stale.call, fate: "superseded", reason, text };
}

/** The mark for an old result; undefined for a short one, and for one that tells of a failure. */
export function markCleared(result: CallResult, marking: Marking): Mark | undefined {
  const { at, call, output } = result;
  const tokens = sizeOf(result, marking);
  if (tokens < LEAST_CLEARED || isRefusal(output) || failureIn(output) !== undefined) return undefined;
  const line = firstLineOf(output);
  const { log, expandable } = marking;
  const text = clearedMark(call.toolName, { tokens, entry: log.entries[at]!.id, line, expandable });
  return { at, call: call.toolCallId, fate: "cleared", reason: "the rest of its turn needed the room", text };
}

/** Tokens of a result: those of its message where it is alone in there and counted, else measured from samples. */
function sizeOf({ at, output }: CallResult, { log, counter }: Marking): number {
  const { message, tokens } = log.entries[at]!;
  if (tokens !== undefined && message.content.length === 1) return tokens;
  return measureTokens(outputText(output), (piece) => counter.text(piece));
}
