/** Bound reasoning is sent only under the prefix that it was written under: see `thinking.ts`. */
import type { Log } from "../message/log.js";
import { sameValue } from "../message/plain-value.js";
import type { Position } from "../message/positions.js";
import type { Plan, PlanItem, ViewState } from "./plan.js";
import type { PlanInput } from "./policy.js";
import { hashOf } from "./reading.js";
import { hasReasoning } from "./thinking.js";

/**
 * The plan, where its reasoning stands under what it was written under; else one that is made again without all reasoning
 * that there is. Where nothing is known of what was sent, reasoning was written under the log itself.
 */
export function planSent(plan: Plan, input: PlanInput, again: (state: ViewState) => Plan): Plan {
  if (input.thinking !== "bound") return plan;
  const { log } = input.reading;
  const { latest: before } = input.state;
  // What the newest reasoning was written under: what the latest view sent, where some has come since.
  const sent = before !== undefined && hasReasoningSince(log, before.entries) ? before : input.state.sent;
  const prefix = prefixOf(plan.items, input);
  const isSame = sent === undefined ? isWholeLog(plan, log.start) : prefix[sent.count] === sent.hash;
  if (isSame) return { ...plan, next: { ...plan.next, sent, latest: latestOf(prefix, input) } };
  const state = { ...plan.next, showing: input.state.showing, unthought: log.entries.length };
  const { next, ...bare } = again(state);
  const latest = latestOf(prefixOf(bare.items, input), input);
  const { reason, demanded, growth } = plan;
  return { ...bare, reason, ...(demanded && { demanded }), growth, next: { ...next, sent: latest, latest } };
}

export const hasReasoningSince = (log: Log, from: Position): boolean =>
  log.entries.slice(from).some(({ role, message }) => role === "assistant" && hasReasoning(message));

/** Whether a view shows the log as it is. */
const isWholeLog = ({ cut, items }: Plan, start: Position): boolean =>
  cut <= start && items.every((item) => item.kind === "system" || (item.kind === "exchange" && !item.form));

/** What a request begins with, as a chain of hashes: of the tools, then with each message. */
function prefixOf(items: readonly PlanItem[], { reading, request }: PlanInput): number[] {
  // A list of tools may be changed in place.
  let hash = hashOf(request.tools ?? []);
  const prefix = [hash];
  for (const message of reading.rendered(items)) {
    hash = (Math.imul(hash, 31) + reading.hash(message)) | 0;
    prefix.push(hash);
  }
  return prefix;
}

/** The same object as before where it says the same. */
function latestOf(prefix: readonly number[], { reading, state }: PlanInput): ViewState["latest"] {
  const latest = { count: prefix.length - 1, hash: prefix.at(-1)!, entries: reading.log.entries.length };
  return sameValue(latest, state.latest) ? state.latest : latest;
}
