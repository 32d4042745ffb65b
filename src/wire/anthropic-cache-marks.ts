/** A request to Anthropic may hold four cache marks; one more and it is refused. */
import { isObject } from "../message/plain-value.js";
import type { AnthropicPrompt } from "./anthropic-types.js";

export const MOST_MARKS = 4;

/** A block with a mark that counts: `null` is none. */
interface Marked {
  cache_control?: unknown;
}

/**
 * Takes marks away until there are four. The system prompt keeps its first and its last ones, as it is read again by
 * every request, and leaves a place for the newest mark of the messages; these keep their newest, for an older one only
 * covers what a newer one covers too.
 */
export function limitCacheMarks({ system, messages }: AnthropicPrompt): void {
  const marked = messages.flatMap(({ content }) => markedIn(content));
  const leading = markedIn(system);
  if (leading.length + marked.length <= MOST_MARKS) return;
  const kept = Math.min(leading.length, marked.length > 0 ? MOST_MARKS - 1 : MOST_MARKS);
  unmark(leading.slice(1, leading.length - kept + 1));
  unmark(marked.slice(0, marked.length - (MOST_MARKS - kept)));
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

function unmark(blocks: readonly Marked[]): void {
  for (const block of blocks) delete block.cache_control;
}
