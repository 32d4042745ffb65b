/** Bound reasoning is sent only under the prefix that it was written under: see `thinking.ts`. */
import type { PlanItem, Sent } from "./plan.js";
import type { PlanInput } from "./policy.js";
import { render } from "./render.js";

/** What a view sends, where reasoning is bound to it. */
export function sentOf(items: readonly PlanItem[], input: PlanInput): Sent | undefined {
  if (input.thinking !== "bound") return input.state.sent;
  const prefix = prefixOf(items, input);
  return { count: prefix.length - 1, hash: prefix.at(-1)! };
}

/**
 * Whether a view begins with what the one before sent. Where nothing is known of that, reasoning was written under the log
 * itself: `isLog` says whether the items are that.
 */
export function beginsAsSent(items: readonly PlanItem[], isLog: boolean, input: PlanInput): boolean {
  const { sent } = input.state;
  if (input.thinking !== "bound") return true;
  return sent === undefined ? isLog : prefixOf(items, input)[sent.count] === sent.hash;
}

/** What a request begins with, as a chain of hashes: of the tools, then with each message. */
function prefixOf(items: readonly PlanItem[], { reading, request }: PlanInput): number[] {
  let hash = 0;
  return [request.tools ?? [], ...render({ items }, reading.log)].map((part) => {
    hash = (Math.imul(hash, 31) + reading.hash(part)) | 0;
    return hash;
  });
}
