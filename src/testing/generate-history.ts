/**
 * Histories as agents leave them: parallel calls, ids used again, calls unanswered, answered twice or late, blank
 * messages, system messages in the middle, signed reasoning, other scripts, huge outputs. What the user and the
 * assistant say carries a mark, "(m17)" for the eighteenth message, by which it is found again in a view.
 */
import type { AssistantPart, Message, ToolCallPart, ToolResultPart } from "../message/types.js";
import { Random } from "./random.js";

const WORDS = [
  "error",
  "src/app.ts",
  "merge",
  "port 8443",
  "データ",
  "مرحبا",
  "0xdeadbeef",
  "never",
  "deploy",
  "👩‍👩‍👧",
];
const IDS = ["call_1", "call_2", "call_3"];

/** The history of a seed; about so many messages. */
export function generateHistory(seed: number, length: number): Message[] {
  const random = new Random(seed);
  const messages: Message[] = random.chance(0.3) ? [{ role: "system", content: `Rules: ${text(random)}` }] : [];
  while (messages.length < length) messages.push(...next(random, messages.length));
  return messages;
}

/** The mark of a message, as its text carries it. */
export const markOf = (at: number): string => `(m${at})`;

/** The message that a text carries the first mark of. */
export function markedIn(words: string): number | undefined {
  const mark = /\(m(\d+)\)/.exec(words)?.[1];
  return mark === undefined ? undefined : Number(mark);
}

function next(random: Random, at: number): Message[] {
  const kind = random.next();
  if (kind < 0.3) return [{ role: "user", content: `${markOf(at)} ${text(random)}` }];
  if (kind < 0.5) return [{ role: "assistant", content: `${markOf(at)} ${text(random)}` }];
  if (kind < 0.94) return exchange(random, at);
  if (kind < 0.96) return [{ role: "system", content: `Note: ${text(random)}` }];
  if (kind < 0.98) return [{ role: random.pick(["user", "assistant"]), content: random.pick(["", " \n"]) }];
  return [results([result(random.pick(IDS), text(random))])];
}

/** One message in ten is long. */
function text(random: Random): string {
  const word = () => random.pick(WORDS);
  if (random.chance(0.1)) return `${word()} `.repeat(50 + random.below(400)).trim();
  return Array.from({ length: 1 + random.below(12) }, word).join(" ");
}

/** Calls with their results, most often complete. */
function exchange(random: Random, at: number): Message[] {
  const calls = Array.from({ length: 1 + random.below(3) }, (): ToolCallPart => call(random, at));
  const content: AssistantPart[] = [
    ...reasoning(random),
    { type: "text", text: `${markOf(at)} ${text(random)}` },
    ...calls,
  ];
  const answered = random.chance(0.85) ? calls : calls.slice(1);
  const parts = answered.map(({ toolCallId }) => result(toolCallId, text(random)));
  if (random.chance(0.05) && parts.length > 0) parts.push(parts[0]!);
  const between: Message[] = random.chance(0.07)
    ? [{ role: "user", content: `${markOf(at + 1)} ${text(random)}` }]
    : [];
  return [{ role: "assistant", content }, ...between, ...delivered(random, parts)];
}

function call(random: Random, at: number): ToolCallPart {
  const toolCallId = random.chance(0.8) ? `call_m${at}_${random.below(1_000)}` : random.pick(IDS);
  return { type: "tool-call", toolCallId, toolName: random.pick(["read", "bash"]), input: { path: text(random) } };
}

function reasoning(random: Random): AssistantPart[] {
  if (random.chance(0.7)) return [];
  const signed = random.chance(0.5) ? { providerOptions: { anthropic: { signature: "signed" } } } : {};
  return [{ type: "reasoning", text: "thinking it over", ...signed }];
}

const result = (toolCallId: string, value: string): ToolResultPart => ({
  type: "tool-result",
  toolCallId,
  toolName: "read",
  output: { type: "text", value },
});

const results = (content: ToolResultPart[]): Message => ({ role: "tool", content });

/** All results in one message, or each in its own. */
function delivered(random: Random, parts: readonly ToolResultPart[]): Message[] {
  if (parts.length === 0) return [];
  return random.chance(0.5) ? [results([...parts])] : parts.map((part) => results([part]));
}
