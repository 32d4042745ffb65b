import { callsOf } from "../content.js";
import type { Message } from "../types.js";
import { pairingViolations } from "./pairing.js";
import { blankMessages, emptyList, systemFirst, userFirst } from "./rules.js";
import type { Violation } from "./violation.js";

/**
 * What Gemini refuses. A turn with function calls must come right after the user or after function responses, and the
 * responses must be as many as the calls.
 */
export function geminiViolations(messages: readonly Message[]): Violation[] {
  return [
    ...emptyList(messages),
    ...userFirst(messages),
    ...systemFirst(messages),
    ...pairingViolations(messages),
    ...blankMessages(messages),
    ...messages.flatMap((_, at) => callTurn(messages, at)),
  ];
}

function callTurn(messages: readonly Message[], at: number): Violation[] {
  if (callsOf(messages[at]!).length === 0) return [];
  let before = at - 1;
  while (before >= 0 && messages[before]!.role === "assistant") before--;
  const role = messages[before]?.role;
  return role === "user" || role === "tool" ? [] : [{ rule: "call-out-of-turn", at }];
}
