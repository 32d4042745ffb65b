/** What all drafts of one plan share: what stands in every view, and the room that it leaves. */
import { isBlank, messageText } from "../message/content.js";
import { foreignText } from "../message/foreign-text.js";
import type { Message } from "../message/types.js";
import { shortenText } from "../reduce/shorten-text.js";
import { CHAT_MESSAGES } from "../wire/openai-chat-mend.js";
import { triggerIn } from "./depth.js";
import type { MessageItem } from "./plan.js";
import type { PlanInput, Policy } from "./policy.js";
import type { Reading } from "./reading.js";

/** Share of what the system prompt and the tools leave that the dynamic context may take. */
const CONTEXT_SHARE = 0.5;

/** Share of the messages that Chat Completions take for the tail: notes and the system prompt are messages too. */
const TAIL_SHARE = 0.75;

export type Stage = ReturnType<typeof stageOf>;

export function stageOf(input: PlanInput, policy: Policy) {
  const { reading, budget, request } = input;
  const { log } = reading;
  const system = systemOf(input);
  const fixed = { system: totalOf(system), tools: reading.toolTokens(request.tools ?? []) };
  const left = budget.usable - fixed.system - fixed.tools;
  const context = contextOf(request.context, Math.max(0, Math.floor(left * CONTEXT_SHARE)), reading);
  const held = input.pinned.flatMap((at) => log.holding(at) ?? []);
  const pinned = messageCount(held.flatMap((exchange) => log.legal(exchange)));
  return {
    input,
    policy,
    system,
    /** Tokens that no view can do without. */
    fixed,
    context,
    ...triggerIn(input, left - (context?.item?.tokens ?? 0)),
    /** The latest request, which every view shows. */
    latest: log.requests.at(-1),
    pins: new Map(held.map((exchange) => [exchange.first, exchange])),
    /** The most messages of a tail. */
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

/**
 * The dynamic context as a message: data from the application, not words of the user, and marked so. It stands right
 * before the latest user message, where it may change from turn to turn without touching the cached prefix. No item
 * where no word of it has room.
 */
function contextOf(text: string | undefined, room: number, reading: Reading) {
  if (text === undefined || !/\S/.test(text)) return undefined;
  const item = (words: string): MessageItem => {
    const message = reading.said("user", `<context>\n${foreignText(words)}\n</context>`);
    return { kind: "context", message, tokens: reading.tokens(message) };
  };
  const whole = item(text);
  if (whole.tokens <= room) return { whole: whole.tokens, item: whole };
  const maxTokens = room - item("").tokens - 2;
  const shorter =
    maxTokens <= 0 ? "" : shortenText(text, { maxTokens, counter: (piece) => reading.counter.text(piece) });
  return { whole: whole.tokens, item: /\S/.test(shorter) ? item(shorter) : undefined };
}

/** Messages as Chat Completions count them: one for each result. */
export const messageCount = (messages: readonly Message[]): number =>
  messages.reduce((sum, { role, content }) => sum + (role === "tool" ? content.length : 1), 0);

export const totalOf = (list: readonly { readonly tokens: number }[]): number =>
  list.reduce((sum, { tokens }) => sum + tokens, 0);
