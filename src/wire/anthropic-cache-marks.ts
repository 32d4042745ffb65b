/** A request to Anthropic may hold four cache marks; one more and it is refused. */
import { isObject } from "../message/plain-value.js";
import type { AnthropicPrompt } from "./anthropic-types.js";

const MOST = 4;

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
  const marked: Marked[] = [];
  for (const { content } of messages) addMarked(marked, content);
  const leading: Marked[] = [];
  addMarked(leading, system);
  if (leading.length + marked.length <= MOST) return;
  const kept = Math.min(leading.length, marked.length > 0 ? MOST - 1 : MOST);
  unmark(leading.slice(1, leading.length - kept + 1));
  unmark(marked.slice(0, marked.length - (MOST - kept)));
}

function addMarked(marked: Marked[], content: unknown): void {
  if (!Array.isArray(content)) return;
  for (const block of content) {
    if (!isObject(block)) continue;
    if (block.type === "tool_result") addMarked(marked, block.content);
    if (block.type === "document" && isObject(block.source)) addMarked(marked, block.source.content);
    if (block.cache_control !== undefined && block.cache_control !== null) marked.push(block);
  }
}

function unmark(blocks: readonly Marked[]): void {
  for (const block of blocks) delete block.cache_control;
}
