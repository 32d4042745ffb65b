import { outputText } from "../message/content.js";
import { argumentsText } from "../message/tool-call.js";
import type { Message, ToolCallPart, ToolOutput, ToolResultPart } from "../message/types.js";

/** Who speaks in a piece of text. */
export type Source = "user" | "agent" | "call" | "result";

/** A stretch of a message by one speaker, as a reader would see it: texts inside JSON without their escapes. */
export interface Piece {
  readonly text: string;
  readonly source: Source;
  /** The tool, for calls and results where it is known. */
  readonly tool: string | undefined;
  /** The call that it is, or that it answers. */
  readonly call: string | undefined;
  /** True for the result of a call that failed. */
  readonly failed: boolean;
}

export function piecesOf(message: Message): Piece[] {
  if (message.role === "system") return [];
  const source = message.role === "user" ? "user" : "agent";
  if (typeof message.content === "string") return [spoken(message.content, source)];
  return message.content.flatMap((part): Piece[] => {
    if (part.type === "text") return [spoken(part.text, source)];
    if (part.type === "tool-call") return [callPiece(part)];
    return part.type === "tool-result" ? resultPieces(part) : [];
  });
}

const spoken = (text: string, source: Source): Piece => ({
  text,
  source,
  tool: undefined,
  call: undefined,
  failed: false,
});

function callPiece(part: ToolCallPart): Piece {
  const { toolName: tool, toolCallId: call } = part;
  return { text: `${tool} ${argumentsText(part)}`, source: "call", tool, call, failed: false };
}

function resultPieces({ output, toolName, toolCallId: call }: ToolResultPart): Piece[] {
  const failed = isFailure(output);
  const { head, texts } = unwrapped(outputText(output));
  const piece = (text: string): Piece => ({ text, source: "result", tool: toolName || undefined, call, failed });
  return [...(head === "" ? [] : [piece(head)]), ...texts.map(piece)];
}

const FAILURE = /^\s*(<error>|error\b|traceback|fatal\b|exit code:? [1-9]|command failed|<tool_use_error>)/i;

/** Whether a result says that its call failed. */
export function isFailure(output: ToolOutput): boolean {
  if (output.type === "error-text" || output.type === "error-json" || output.type === "execution-denied") return true;
  return output.type === "text" && FAILURE.test(output.value.slice(0, 200));
}

/** Texts in JSON from this length on are read for themselves. */
const LONG_TEXT = 120;
/** Larger JSON is data, and parsing it would take longer than it is worth. */
const LARGEST_JSON = 400_000;

/** JSON with the long texts in it taken out, and those texts without escapes; any other text as it is. */
function unwrapped(raw: string): { head: string; texts: readonly string[] } {
  if (raw.length > LARGEST_JSON || !/^\s*[[{]/.test(raw) || !raw.includes("\\")) return { head: raw, texts: [] };
  const texts: string[] = [];
  const takeOut = (_key: string, value: unknown): unknown => {
    if (typeof value !== "string" || value.length < LONG_TEXT) return value;
    texts.push(value);
    return "…";
  };
  try {
    const value: unknown = JSON.parse(raw, takeOut);
    return texts.length === 0 ? { head: raw, texts } : { head: JSON.stringify(value), texts };
  } catch {
    return { head: raw, texts: [] };
  }
}
