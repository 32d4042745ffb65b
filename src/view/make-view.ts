/** From a strategy's plan to a view: its messages, what had to be mended, and the receipt. */
import { VarveError } from "../errors.js";
import type { AnyTool, Message } from "../message/types.js";
import { toOpenAI } from "../wire/openai-chat.js";
import { CHAT_MESSAGES } from "../wire/openai-chat-mend.js";
import { callFault, checkPlan } from "./check-plan.js";
import type { Plan, ViewState } from "./plan.js";
import type { PlanInput } from "./policy.js";
import { receiptOf } from "./receipt-of.js";
import { render, repairsIn } from "./render.js";
import type { Strategy } from "./strategy.js";
import type { View } from "./view.js";

/** The view, and what the next one goes on from. */
export async function makeView(strategy: Strategy, input: PlanInput): Promise<{ view: View; next: ViewState }> {
  const { reading, budget, request } = input;
  const { name, policy } = strategy;
  let made: Plan;
  try {
    made = await strategy.plan(input);
  } catch (error) {
    throw policy === undefined ? callFault(name, "plan", error) : error;
  }
  const plan = checkPlan(made, strategy, input);
  const { tokens, blocks, leftOut, entries, next } = plan;
  const receipt = receiptOf(plan, input, policy);
  const tools = [...((request.tools ?? []) as AnyTool[])] as View["tools"];
  // A plan of somebody else's may be changed in place.
  const messages = policy === undefined ? render(plan, reading.log) : [...reading.rendered(plan.items)];
  checkCount(messages);
  const repairs = repairsIn(plan, reading.log);
  return { view: { messages, tools, tokens, blocks, budget, leftOut, entries, receipt, repairs, plan }, next };
}

/** No view leaves that a provider would refuse for its length. */
function checkCount(messages: readonly Message[]): void {
  const parts = messages.reduce((sum, { role, content }) => sum + (role === "tool" ? content.length + 1 : 1), 0);
  const count = parts <= CHAT_MESSAGES ? parts : toOpenAI(messages).length;
  if (count <= CHAT_MESSAGES) return;
  throw new VarveError({
    code: "too-many-messages",
    message: `The view has ${count} messages; OpenAI's Chat Completions take ${CHAT_MESSAGES}.`,
    hint: "Unpin something, or append less at once: an exchange is shown whole, with the results of all its calls.",
    details: { count, most: CHAT_MESSAGES },
  });
}
