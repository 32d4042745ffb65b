import { invalidOption } from "../errors.js";
import type { Entry } from "../message/entry.js";
import { Log } from "../message/log.js";
import { type Repair, repairsOf } from "../message/repair.js";
import type { Message } from "../message/types.js";
import type { Plan, PlanItem } from "./plan.js";

/**
 * The messages that a plan shows of its log, or of the entries of its session. A plan that has been through JSON gives the
 * same.
 *
 * @example
 * ```ts
 * const { plan } = await session.view();
 * render(JSON.parse(JSON.stringify(plan)), session.entries()); // the messages of that view
 * ```
 */
export function render(plan: Pick<Plan, "items">, log: Log | readonly Entry[]): Message[] {
  if (!Array.isArray(plan?.items)) throw invalidOption({ option: "plan", value: plan, allowed: "a plan: { items }" });
  const whole = Array.isArray(log) ? new Log() : log;
  if (!(whole instanceof Log))
    throw invalidOption({ option: "log", value: log, allowed: "the entries of the plan's session: session.entries()" });
  if (Array.isArray(log)) whole.append(log);
  return plan.items.flatMap((item: PlanItem) => {
    if (item.kind !== "exchange") return [item.message];
    const messages = item.form?.messages ?? whole.legal(whole.holding(item.at)!);
    return messages.filter(({ content }) => content.length > 0);
  });
}

/** What had to be mended in what a plan shows: its lead, and all from the cut on. */
export function repairsIn({ items, cut, opener }: Plan, log: Log): Repair[] {
  const lead = items.flatMap((item) =>
    item.kind === "exchange" && item.lead !== undefined ? (log.holding(item.at) ?? []) : [],
  );
  const tail = log.exchanges.slice(log.exchangeFrom(cut)).filter(({ first }) => first >= cut);
  const repairs = [...lead, ...tail].flatMap((exchange) => repairsOf(exchange, log));
  if (opener > 0) repairs.push({ kind: "missing-opener", at: [...lead, ...tail][0]?.first ?? cut });
  return repairs.sort((a, b) => a.at - b.at);
}
