/** What all drafts of one plan share: what stands in every view, and the room that it leaves. */
import { isBlank, messageText } from "../message/content.js";
import type { Exchange } from "../message/exchanges.js";
import type { Position } from "../message/positions.js";
import { CHAT_MESSAGES } from "../wire/openai-chat-mend.js";
import { type ContextForm, contextOf } from "./context.js";
import { triggerIn } from "./depth.js";
import type { MessageItem } from "./plan.js";
import type { PlanInput, Policy } from "./policy.js";
import type { Shown } from "./reading.js";

export interface Stage {
  readonly input: PlanInput;
  readonly policy: Policy;
  readonly system: readonly MessageItem[];
  /** Tokens that no view can do without. */
  readonly fixed: { readonly system: number; readonly tools: number };
  readonly context: ContextForm | undefined;
  /** Tokens for the history and what stands in for the past: what system prompt, tools and context leave. */
  readonly space: number;
  /** The same, above which a view is reduced. */
  readonly trigger: number;
  /** Whether the price of a step sets that, rather than the window. */
  readonly isSpend: boolean;
  /** The latest request, which every view shows. */
  readonly latest: Position | undefined;
  readonly pins: ReadonlyMap<Position, Exchange>;
  /** The most messages of a tail. */
  readonly mostMessages: number;
}

/** Share of what the system prompt and the tools leave that the dynamic context may take. */
const CONTEXT_SHARE = 0.5;

/** Share of the messages that Chat Completions take for the tail: notes and the system prompt are messages too. */
const TAIL_SHARE = 0.75;

export function stageOf(input: PlanInput, policy: Policy): Stage {
  const { reading, budget, request } = input;
  const { log } = reading;
  const system = systemOf(input);
  const fixed = { system: totalOf(system), tools: reading.toolTokens(request.tools ?? []) };
  const left = budget.usable - fixed.system - fixed.tools;
  const context = contextOf(request.context, Math.max(0, Math.floor(left * CONTEXT_SHARE)), reading);
  const space = left - (context?.item?.tokens ?? 0);
  const held = input.pinned.flatMap((at) => log.holding(at) ?? []);
  const pinned = held.reduce((sum, exchange) => sum + messageCount({ messages: log.legal(exchange) }), 0);
  return {
    input,
    policy,
    system,
    fixed,
    context,
    space,
    ...triggerIn(space, input),
    latest: log.requests.at(-1),
    pins: new Map(held.map((exchange) => [exchange.first, exchange])),
    mostMessages: TAIL_SHARE * CHAT_MESSAGES - pinned,
  };
}

/** The request's system prompt and the messages that the log begins with: one message, where there is such a prompt. */
function systemOf({ reading, request }: PlanInput): MessageItem[] {
  const { log } = reading;
  const leading = log.entries.slice(0, log.start).flatMap(({ message }) => (isBlank(message) ? [] : [message]));
  const prompt = request.system ?? "";
  const said = /\S/.test(prompt)
    ? [reading.said("system", [prompt, ...leading.map(messageText)].join("\n\n"))]
    : leading;
  return said.map((message): MessageItem => ({ kind: "system", message, tokens: reading.tokens(message) }));
}

/** Messages as Chat Completions count them: one for each result. */
export const messageCount = ({ messages }: Pick<Shown, "messages">): number =>
  messages.reduce((sum, { role, content }) => sum + (role === "tool" ? content.length : 1), 0);

export const totalOf = (list: readonly { readonly tokens: number }[]): number =>
  list.reduce((sum, { tokens }) => sum + tokens, 0);
