/** From a strategy's plan to a view: its messages, what had to be mended, and the receipt. */
import { VarveError } from "../errors.js";
import type { AnyTool, Message } from "../message/types.js";
import { toOpenAI } from "../wire/openai-chat.js";
import { CHAT_MESSAGES } from "../wire/openai-chat-mend.js";
import { checkPlan } from "./check-plan.js";
import type { Plan, ViewState } from "./plan.js";
import { callFault } from "./plugin-fault.js";
import type { PlanInput } from "./policy.js";
import { receiptOf } from "./receipt-of.js";
import { render, repairsIn } from "./render.js";
import type { Strategy } from "./strategy.js";
import type { View } from "./view.js";

export interface MadeView {
  readonly view: View;
  /** What the next view goes on from. */
  readonly next: ViewState;
}

export async function makeView(strategy: Strategy, input: PlanInput): Promise<MadeView> {
  const plan = checkPlan(await planned(strategy, input), strategy, input);
  return { view: viewOf(plan, strategy, input), next: plan.next };
}

/** No view leaves that a provider would refuse for its length. */
function checkCount(messages: Message[]): Message[] {
  const parts = messages.reduce((sum, { role, content }) => sum + (role === "tool" ? content.length + 1 : 1), 0);
  const count = parts <= CHAT_MESSAGES ? parts : toOpenAI(messages).length;
  if (count <= CHAT_MESSAGES) return messages;
  throw new VarveError({
    code: "too-many-messages",
    message: `The view has ${count} messages; OpenAI's Chat Completions take ${CHAT_MESSAGES}.`,
    hint: "Unpin something, or append less at once: an exchange is shown whole, with the results of all its calls.",
    details: { count, most: CHAT_MESSAGES },
  });
}

async function planned(strategy: Strategy, input: PlanInput): Promise<Plan> {
  try {
    return await strategy.plan(input);
  } catch (error) {
    throw strategy.policy === undefined ? callFault(strategy.name, "plan", error) : error;
  }
}

function viewOf(plan: Plan, strategy: Strategy, input: PlanInput): View {
  const { reading, budget, request } = input;
  const { tokens, blocks, leftOut, entries } = plan;
  const receipt = receiptOf(plan, input, strategy.policy);
  const tools = [...((request.tools ?? []) as AnyTool[])] as View["tools"];
  // A plan of somebody else's may be changed in place.
  const shown = strategy.policy === undefined ? render(plan, reading.log) : [...reading.rendered(plan.items)];
  const messages = checkCount(shown);
  return {
    messages,
    tools,
    tokens,
    blocks,
    budget,
    leftOut,
    entries,
    receipt,
    repairs: repairsIn(plan, reading.log),
    plan,
  };
}
