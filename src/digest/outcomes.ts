import { outputText } from "../message/content.js";
import type { Message } from "../message/types.js";
import { isFailure } from "./pieces.js";

/** An outcome is told in no more than this. */
const LONGEST = 80;
const ERROR_LINE = /error|fail|fatal|exception|not found|denied|cannot|invalid|refused|timed? ?out/i;

/** What became of the calls that these messages answer: why one failed, or the one line that it gave back. */
export function outcomesIn(messages: Iterable<Message>): Map<string, string> {
  const outcomes = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== "tool") continue;
    for (const part of message.content) {
      if (part.type !== "tool-result") continue;
      const text = outputText(part.output);
      const outcome = isFailure(part.output) ? failure(text) : shortAnswer(text);
      if (outcome !== undefined) outcomes.set(part.toolCallId, outcome);
    }
  }
  return outcomes;
}

/** The line that says why, as far as it is short. */
function failure(text: string): string {
  const lines = text.slice(0, 4_000).split("\n");
  const line = (lines.find((each) => ERROR_LINE.test(each)) ?? lines[0] ?? "").trim();
  return line.length <= LONGEST ? `failed: ${line}` : "failed";
}

function shortAnswer(text: string): string | undefined {
  const line = text.length <= LONGEST ? text.trim() : "";
  return line === "" || line.includes("\n") ? undefined : `gave ${line}`;
}
