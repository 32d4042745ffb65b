import { outputText } from "../message/content.js";
import { argumentsText } from "../message/tool-call.js";
import type { Message, ToolOutput } from "../message/types.js";
import { findIdentifiers, type Identifier } from "./identifiers.js";

/** Who speaks in a piece of text. */
export type Source = "user" | "agent" | "call" | "result";

/** A stretch of a message, word for word, with the identifiers that stand in it. */
export interface Passage {
  readonly text: string;
  readonly source: Source;
  readonly identifiers: readonly string[];
  /** The tool, for calls and results where it is known. */
  readonly tool: string | undefined;
  /** True for the result of a call that failed. */
  readonly failed: boolean;
}

/** Characters shown on either side of an identifier: enough to see what it is about. */
const AROUND = 20;
const LONGEST = 180;
/** A cut this close to the end of a line or word moves there. */
const SNAP = 24;
/** Identifiers of one piece of text beyond these are left to search. */
const MOST = 1_200;

/** The passages of a message: around each identifier, where it was last named in it. */
export function passagesOf(message: Message): Passage[] {
  return piecesOf(message).flatMap((piece) => passagesIn(piece));
}

interface Piece {
  readonly text: string;
  readonly source: Source;
  readonly tool: string | undefined;
  readonly failed: boolean;
}

function piecesOf(message: Message): Piece[] {
  if (message.role === "system") return [];
  const source = message.role === "user" ? "user" : "agent";
  if (typeof message.content === "string") return [{ text: message.content, source, tool: undefined, failed: false }];
  return message.content.flatMap((part): Piece[] => {
    if (part.type === "text") return [{ text: part.text, source, tool: undefined, failed: false }];
    if (part.type === "tool-call") {
      const text = `${part.toolName} ${argumentsText(part)}`;
      return [{ text, source: "call", tool: part.toolName, failed: false }];
    }
    if (part.type !== "tool-result") return [];
    return [
      {
        text: outputText(part.output),
        source: "result",
        tool: part.toolName || undefined,
        failed: isFailure(part.output),
      },
    ];
  });
}

const FAILURE = /^\s*(<error>|error\b|traceback|fatal\b|exit code:? [1-9]|command failed|<tool_use_error>)/i;

/** Whether a result says that its call failed. */
function isFailure(output: ToolOutput): boolean {
  if (output.type === "error-text" || output.type === "error-json" || output.type === "execution-denied") return true;
  return output.type === "text" && FAILURE.test(output.value.slice(0, 200));
}

function passagesIn(piece: Piece): Passage[] {
  const last = new Map<string, Identifier>();
  for (const identifier of findIdentifiers(piece.text)) {
    last.delete(identifier.text);
    last.set(identifier.text, identifier);
    if (last.size >= MOST) break;
  }
  const stretches = joined([...last.values()].sort((a, b) => a.start - b.start));
  return stretches.map(({ from, to, identifiers }) => {
    const { source, tool, failed } = piece;
    return { text: cut(piece.text, from, to), source, identifiers, tool, failed };
  });
}

interface Stretch {
  from: number;
  to: number;
  identifiers: string[];
}

/** Neighbouring identifiers share a stretch as long as it stays short. */
function joined(identifiers: readonly Identifier[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { text, start, end } of identifiers) {
    const from = Math.max(0, start - AROUND);
    const before = stretches.at(-1);
    if (before !== undefined && from <= before.to + 8 && end + AROUND - before.from <= LONGEST) {
      before.to = Math.max(before.to, end + AROUND);
      before.identifiers.push(text);
    } else stretches.push({ from, to: end + AROUND, identifiers: [text] });
  }
  return stretches;
}

function cut(text: string, from: number, to: number): string {
  return text.slice(startOf(text, from), endOf(text, Math.min(to, text.length)));
}

function startOf(text: string, from: number): number {
  if (from <= SNAP) return 0;
  const line = text.lastIndexOf("\n", from);
  if (from - line <= SNAP) return line + 1;
  const word = text.lastIndexOf(" ", from);
  const start = from - word <= SNAP ? word + 1 : from;
  return isLowSurrogate(text, start) ? start - 1 : start;
}

function endOf(text: string, to: number): number {
  if (text.length - to <= SNAP) return text.length;
  const line = text.indexOf("\n", to);
  if (line >= 0 && line - to <= SNAP) return line;
  const word = text.indexOf(" ", to);
  const end = word >= 0 && word - to <= SNAP ? word : to;
  return isLowSurrogate(text, end) ? end + 1 : end;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
