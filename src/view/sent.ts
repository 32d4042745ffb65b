/** Bound reasoning is sent only under the prefix that it was written under: see `thinking.ts`. */
import type { Log } from "../message/log.js";
import type { Plan, PlanItem, Sent, ViewState } from "./plan.js";
import type { PlanInput } from "./policy.js";
import { render } from "./render.js";
import { hasReasoning } from "./thinking.js";

/**
 * The plan, where its reasoning stands under what it was written under; else one that is made again without all reasoning
 * that there is. Where nothing is known of what was sent, reasoning was written under the log itself.
 */
export function planSent(plan: Plan, input: PlanInput, again: (state: ViewState) => Plan): Plan {
  if (input.thinking !== "bound") return plan;
  const { log } = input.reading;
  const sent = writtenUnder(input);
  const prefix = prefixOf(plan.items, input);
  const isSame = sent === undefined ? isWholeLog(plan, log) : prefix[sent.count] === sent.hash;
  if (isSame) return { ...plan, next: { ...plan.next, sent, latest: latestOf(prefix, log) } };
  const state = { ...plan.next, showing: input.state.showing, unthought: log.entries.length };
  const { next, ...bare } = again(state);
  const latest = latestOf(prefixOf(bare.items, input), log);
  return { ...bare, reason: plan.reason, next: { ...next, sent: latest, latest } };
}

/** What the newest reasoning was written under: what the latest view sent, where some has come since. */
function writtenUnder({ reading: { log }, state: { sent, latest } }: PlanInput): Sent | undefined {
  const isNew = latest && log.entries.slice(latest.entries).some(({ message }) => hasReasoning(message));
  return isNew ? latest : sent;
}

/** Whether a view shows the log as it is. */
const isWholeLog = ({ cut, items }: Plan, { start }: Log): boolean => cut <= start && items.every(isOfLog);

const isOfLog = (item: PlanItem): boolean => item.kind === "system" || (item.kind === "exchange" && !item.form);

/** What a request begins with, as a chain of hashes: of the tools, then with each message. */
function prefixOf(items: readonly PlanItem[], { reading, request }: PlanInput): number[] {
  let hash = 0;
  return [request.tools ?? [], ...render({ items }, reading.log)].map((part) => {
    hash = (Math.imul(hash, 31) + reading.hash(part)) | 0;
    return hash;
  });
}

const latestOf = (prefix: readonly number[], { entries }: Log): ViewState["latest"] => ({
  count: prefix.length - 1,
  hash: prefix.at(-1)!,
  entries: entries.length,
});
