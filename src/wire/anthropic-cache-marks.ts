/**
 * Marks for Anthropic's prompt cache. None that came in goes out: they say what one request is to leave in the cache, and
 * of a long conversation there would soon be too many. Those of a request are set anew, by the rules of
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching:
 *
 * - A mark stands for all before it, in the order tools, system, messages: the one behind the system prompt holds the
 *   tools too, which need none.
 * - There are four at most, and none on thinking or on empty text ("cache_control cannot be set for empty text blocks").
 * - From a mark the API looks back over 20 blocks for what an earlier request has left, so the place where the request
 *   before ended keeps its mark: a turn of many calls would lose it.
 * - A prefix below the model's least, 512 to 4,096 tokens, is not cached; a mark there does no harm.
 */
import { isObject, type UnknownFields } from "../message/plain-value.js";
import { isThinking } from "./anthropic-server-calls.js";
import type { AnthropicBlock, AnthropicCacheControl, AnthropicMessage, AnthropicPrompt } from "./anthropic-types.js";

export const MOST_MARKS = 4;

/** A block with a mark that counts: `null` is none. */
interface Marked {
  cache_control?: unknown;
}

/** The blocks with a mark in a content, those in results and documents too. */
export function markedIn(content: unknown): Marked[] {
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).flatMap((block) => {
    const inner = block.type === "tool_result" ? markedIn(block.content) : [];
    if (block.type === "document" && isObject(block.source)) inner.push(...markedIn(block.source.content));
    if (block.cache_control !== undefined && block.cache_control !== null) inner.push(block);
    return inner;
  });
}

export function removeCacheMarks({ system, messages }: AnthropicPrompt): void {
  for (const content of [system, ...messages.map((message) => message.content)])
    for (const block of markedIn(content)) delete block.cache_control;
}

export interface CacheMarks {
  /** What stands in for the past, word for word. */
  readonly notes: string | undefined;
  readonly ttl: AnthropicCacheControl["ttl"] | undefined;
  /** The tools that the request declares: those that are marked already count among the four. */
  readonly tools: readonly unknown[];
}

/** Marks the end of the request and that of the one before, the notes and the system prompt, as many as there may be. */
export function setCacheMarks(prompt: AnthropicPrompt, { notes, ttl, tools }: CacheMarks): void {
  const isNotes = (block: AnthropicBlock) => block.type === "text" && block.text === notes?.toWellFormed();
  const system = typeof prompt.system === "string" ? [{ type: "text" as const, text: prompt.system }] : prompt.system;
  if (system !== undefined) prompt.system = system;
  const spoken = prompt.messages.filter(({ role }: { role: string }) => role !== "system");
  const answer = spoken.findLastIndex(({ role }) => role === "assistant");
  const before = spoken.slice(0, Math.max(0, answer)).findLast(({ role }) => role === "user");
  const places = [
    spoken.at(-1) && blocksOf(spoken.at(-1)!).findLast(mayBeMarked),
    before && blocksOf(before).findLast(mayBeMarked),
    [...(system ?? []), ...spoken.slice(0, 1).flatMap(blocksOf)].find(isNotes),
    system?.findLast((block) => !isNotes(block)),
  ].filter((block) => block !== undefined);
  const cache_control: AnthropicCacheControl = { type: "ephemeral", ...(ttl !== undefined && { ttl }) };
  const most = Math.max(0, MOST_MARKS - markedIn(tools).length);
  for (const block of [...new Set(places)].slice(0, most)) Object.assign(block, { cache_control });
}

/** The blocks of a message; a text becomes one, for only blocks can be marked. */
function blocksOf(message: AnthropicMessage): AnthropicBlock[] {
  if (typeof message.content === "string") message.content = [{ type: "text", text: message.content }];
  return message.content;
}

export const mayBeMarked = (block: AnthropicBlock | UnknownFields): boolean =>
  !isThinking(block as AnthropicBlock) && !(block.type === "text" && /^\s*$/.test(String(block.text)));
