import type { Message } from "../types.js";
import { customViolations } from "./custom-pairing.js";
import { pairingViolations } from "./pairing.js";
import { blankMessages, emptyList, systemFirst, userFirst } from "./rules.js";
import type { Violation } from "./violation.js";

/**
 * What Anthropic's Messages refuse. Neighbours of one role are one message there, so the results of a batch must stand
 * right behind their calls: a user message in between would come before them in the same list of blocks.
 */
export function anthropicViolations(messages: readonly Message[]): Violation[] {
  return [
    ...emptyList(messages),
    ...userFirst(messages),
    ...systemFirst(messages),
    ...pairingViolations(messages),
    ...customViolations(messages, "anthropic"),
    ...blankMessages(messages),
  ];
}
