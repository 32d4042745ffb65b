import type { Log } from "../message/log.js";
import { checkMessages, isSealed, sealMessage } from "../message/seal-message.js";
import type { Message } from "../message/types.js";
import type { Block } from "./block.js";
import { checkPlanInput } from "./check-request.js";
import type { MessageItem, Plan, ViewState } from "./plan.js";
import type { PlanInput } from "./policy.js";
import { planSent } from "./sent.js";
import { totalOf } from "./stage.js";
import { isUnthought, withoutReasoning } from "./thinking.js";

/**
 * A plan that shows these messages, whoever composed them: for strategies of your own. What of the log is not among them
 * is accounted for.
 *
 * @example
 * ```ts
 * const lastTen = (input: PlanInput) =>
 *   planMessages("last-ten", input.reading.log.entries.slice(-10).map(({ message }) => message), input);
 * ```
 */
export function planMessages(strategy: string, composed: readonly Message[], input: PlanInput): Plan {
  checkPlanInput(input);
  checkMessages(composed);
  const messages = composed.map((message, at) => (isSealed(message) ? message : sealMessage(message, at)));
  const { reading, request, state } = input;
  const { log } = reading;
  const found = placesIn(log, messages);
  const places = new Set(found);
  const dropped = log.entries.flatMap(({ blank }, at) => (at < log.start || blank || places.has(at) ? [] : [at]));
  const planned = (state: ViewState): Plan => {
    const items = messages.map((message, at): MessageItem => {
      const said = isUnthought(state, found[at] ?? 0) ? withoutReasoning(message) : message;
      return { kind: "foreign", message: said, tokens: reading.tokens(said) };
    });
    const blocks: Block[] = [
      { name: "system", tokens: totalOf(items.filter(({ message }) => message.role === "system")) },
      { name: "tools", tokens: reading.toolTokens(request.tools ?? []) },
      { name: "history", tokens: totalOf(items.filter(({ message }) => message.role !== "system")) },
    ];
    const showing = {
      start: log.start,
      cut: log.start,
      lead: [],
      dropped,
      changes: [],
      covers: [],
      context: undefined,
      tokens: totalOf(blocks),
      notes: 0,
      notesWhole: true,
      opener: 0,
    };
    return {
      ...showing,
      strategy,
      items,
      blocks,
      reason: `the strategy "${strategy}" did not show it as it is`,
      demanded: true,
      growth: undefined,
      trigger: input.budget.trigger,
      entries: log.entries.length,
      leftOut: dropped.length,
      next: { ...state, seen: log.entries.length, showing },
    };
  };
  return planSent(planned(state), input, planned);
}

/** The position in the log of each of these messages; undefined for one that is not there. Of equal ones the latest count. */
export function placesIn(log: Log, messages: readonly Message[]): (number | undefined)[] {
  const byText = new Map<string, number[]>();
  for (const [at, message] of messages.entries()) {
    const text = JSON.stringify(message);
    byText.set(text, [...(byText.get(text) ?? []), at]);
  }
  const places: (number | undefined)[] = messages.map(() => undefined);
  for (let position = log.entries.length - 1; position >= log.start; position--) {
    const at = byText.get(JSON.stringify(log.messageAt(position)))?.pop();
    if (at !== undefined) places[at] = position;
  }
  return places;
}
