import { invalidOption } from "../errors.js";
import type { Log } from "../message/log.js";
import { type Repair, repairsOf } from "../message/repair.js";
import type { Message } from "../message/types.js";
import type { Plan, PlanItem } from "./plan.js";

/** The messages that a plan shows. A plan that has been through JSON gives the same. */
export function render(plan: Pick<Plan, "items">, log: Log): Message[] {
  if (!Array.isArray(plan?.items)) throw invalidOption({ option: "plan", value: plan, allowed: "a plan: { items }" });
  return plan.items.flatMap((item) => messagesOf(item, log));
}

function messagesOf(item: PlanItem, log: Log): readonly Message[] {
  if (item.kind !== "exchange") return [item.message];
  return (item.form?.messages ?? log.legal(log.holding(item.at)!)).filter(({ content }) => content.length > 0);
}

/** What had to be mended in what a plan shows: its lead, and all from the cut on. */
export function repairsIn({ items, cut, opener }: Plan, log: Log): Repair[] {
  const shown = items.flatMap((item) => (item.kind === "exchange" ? (log.holding(item.at) ?? []) : []));
  const firsts = new Set(shown.map(({ first }) => first));
  const void_ = log.exchanges.slice(log.exchangeFrom(cut)).filter(({ first }) => !firsts.has(first));
  const repairs = [...shown, ...void_].flatMap((exchange) => repairsOf(exchange, log));
  if (opener > 0) repairs.push({ kind: "missing-opener", at: shown[0]?.first ?? cut });
  return repairs.sort((a, b) => a.at - b.at);
}
