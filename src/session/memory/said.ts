import { outputText } from "../../message/content.js";
import type { Message, Part, ToolResultPart } from "../../message/types.js";

/** Tools by which an agent looks into its own past: what they return has been said before. */
const OWN_TOOL =
  /(?:^|_|\.)(?:context|memory)_(?:expand|search|store|retrieve|recall|list|get|history|update|forget|audit)$/;

/** A whole message of dynamic context, as views show it. */
const CONTEXT = /^<context>\n[\s\S]*\n<\/context>$/;

const partsOf = ({ content }: Message): readonly Part[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** What somebody said in a message: its words, without calls, reasoning and what varve had put into a view. */
export function saidIn(message: Message): string {
  const words = partsOf(message).flatMap((part) => (part.type === "text" ? [part.text] : []));
  const own = withoutMemories(words.join("\n")).trim();
  return CONTEXT.test(own) ? "" : own;
}

const OPENING = "<memories>\n";
const CLOSING = "</memories>";

/** A text without the memories that a view had shown and somebody copied into it. */
function withoutMemories(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(OPENING, from);
    const end = start < 0 ? -1 : text.indexOf(CLOSING, start);
    if (end < 0) return kept.length === 0 ? text : [...kept, text.slice(from)].join("");
    const next = end + CLOSING.length;
    const isShown = text.slice(start, end).includes("\n<memory ");
    kept.push(text.slice(from, isShown ? start : next));
    from = next;
  }
}

/** The results of tools in a message: of varve's own, or of others. */
export function resultsIn(message: Message, { own, nameOf }: ResultChoice): string {
  const results = partsOf(message).filter((part): part is ToolResultPart => part.type === "tool-result");
  return results
    .filter((part) => OWN_TOOL.test(part.toolName || nameOf(part.toolCallId)) === own)
    .map(({ output }) => outputText(output))
    .join("\n");
}

const NAMED = /<memory id="([^"]{1,200})"|"id": ?"((?:[^"\\]){1,200})"/g;
const MOST = 100;

/** The ids of memories that the result of a tool may name. */
export function idsIn(text: string): string[] {
  const ids = new Set<string>();
  for (const [, rendered, listed] of text.matchAll(NAMED)) {
    if (ids.size === MOST) break;
    ids.add(rendered ?? listed ?? "");
  }
  return [...ids];
}

export interface ResultChoice {
  readonly own: boolean;
  /** The tool of a call, for results that do not name it. */
  nameOf(toolCallId: string): string;
}
