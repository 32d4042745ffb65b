/** A conversation as a recording that a summariser reads, in chunks that fit its window. Nothing is left out. */
import { outputText } from "../message/content.js";
import { membersOf, toExchanges } from "../message/exchanges.js";
import { argumentsText } from "../message/tool-call.js";
import type { Message, Part, ToolResultPart } from "../message/types.js";
import { reduceObservation } from "../reduce/reduce-observation.js";
import { safeCut } from "../reduce/safe-cut.js";
import type { TokenCounter } from "../tokens/counter.js";
import { ENTRY_MARK, encodeContent } from "./prompts.js";

/** One entry of the recording: who speaks, and what is said, as it is. It is encoded where it is shown, so that a cut cannot bring a mark to light. */
export interface Block {
  readonly head: string;
  readonly body: string;
  readonly tokens: number;
}

/** The entries of one exchange. */
export type Unit = readonly Block[];

/** What a summariser reads in one call. */
export interface Chunk {
  readonly units: readonly Unit[];
  readonly tokens: number;
}

export interface TranscriptOptions {
  readonly counter: TokenCounter;
  /** Results of tools are shortened to so many tokens; without it they are read whole. */
  readonly maxResultTokens?: number | undefined;
  /** What the messages go by; their numbers unless given. */
  readonly ids?: readonly string[] | undefined;
}

export const chunkText = ({ units }: Chunk): string => units.flat().map(blockText).join("\n");

const blockText = ({ head, body }: Omit<Block, "tokens">): string => `${head}\n${encodeContent(body)}`;

const blockOf = (head: string, body: string, counter: TokenCounter): Block => ({
  head,
  body,
  tokens: counter.text(blockText({ head, body })) + 1,
});

/** Every message, once, by exchange. */
export function toUnits(messages: readonly Message[], options: TranscriptOptions): Unit[] {
  const shown = new Set<number>();
  return toExchanges(messages).map((exchange) =>
    membersOf(exchange).flatMap((at) => {
      if (shown.has(at)) return [];
      shown.add(at);
      const spoken = spokenIn(messages[at]!, options).filter(([, body]) => body.trim() !== "");
      const mark = `${ENTRY_MARK}${options.ids?.[at] ?? at + 1}`;
      return spoken.map(([role, body]) => blockOf(`${mark} ${role}`, body, options.counter));
    }),
  );
}

/** A message as roles with what they say: its words, its calls and results one by one. */
function spokenIn({ role, content }: Message, options: TranscriptOptions): [string, string][] {
  if (typeof content === "string") return [[role, content]];
  return content.map((part: Part): [string, string] => {
    if (part.type === "text") return [role, part.text];
    if (part.type === "reasoning") return [`${role}, thinking`, part.text];
    if (part.type === "tool-call") return [named("call", part), argumentsText(part)];
    if (part.type === "tool-result") return [named(`result${failure(part)}`, part), resultText(part, options)];
    return [role, described(part)];
  });
}

const named = (what: string, { toolName, toolCallId }: { toolName: string; toolCallId: string }): string =>
  [what, plain(toolName), plain(toolCallId)].filter(Boolean).join(" ");

/** A name as it may stand in a head: one line, not long. */
const plain = (name: string): string => encodeContent(name.replaceAll(/\s+/g, " ").trim().slice(0, 80));

const failure = ({ output }: ToolResultPart): string =>
  output.type.startsWith("error") ? ", failed" : output.type === "execution-denied" ? ", denied" : "";

function resultText({ output, toolName }: ToolResultPart, { maxResultTokens, counter }: TranscriptOptions): string {
  const text = outputText(output) || "(no text)";
  if (maxResultTokens === undefined) return text;
  const count = (each: string) => counter.text(each);
  return reduceObservation(text, { maxTokens: maxResultTokens, counter: count, hint: { toolName } }).text;
}

/** What has no text is named. */
function described(part: Exclude<Part, { type: "text" | "reasoning" | "tool-call" | "tool-result" }>): string {
  if (part.type === "tool-approval-response")
    return `(call ${part.approved ? "approved" : "refused"}) ${part.reason ?? ""}`;
  if (part.type === "tool-approval-request") return "(asks to approve a call)";
  if (part.type === "custom") return `(${part.kind})`;
  const name = part.type === "file" && part.filename !== undefined ? ` ${part.filename}` : "";
  return `(${part.type}${name}${part.mediaType === undefined ? "" : `, ${part.mediaType}`})`;
}

const size = (unit: Unit): number => unit.reduce((sum, { tokens }) => sum + tokens, 0);

/**
 * Packs all units into chunks of at most `room` tokens, in order. Cuts fall between exchanges; an exchange larger than
 * a chunk is cut between its entries, and an entry larger than a chunk within. Two neighbours always exceed the room
 * together, so there are at most twice as many chunks as would be needed, and one.
 */
export function pack(units: readonly Unit[], room: number, counter: TokenCounter): Chunk[] {
  const parts = (block: Block) => (block.tokens <= room ? [block] : splitBlock(block, room, counter));
  const pieces = units.flatMap((unit): Unit[] =>
    size(unit) <= room ? [unit] : unit.flatMap(parts).map((part) => [part]),
  );
  const chunks: { units: Unit[]; tokens: number }[] = [];
  for (const piece of pieces) {
    const tokens = size(piece);
    const last = chunks.at(-1);
    if (last !== undefined && last.tokens + tokens <= room) {
      last.units.push(piece);
      last.tokens += tokens;
    } else if (tokens > 0) chunks.push({ units: [piece], tokens });
  }
  return chunks;
}

/** Tokens for "part 12 of 34" in a head. */
const PART_TOKENS = 16;
/** Where no line ends near a cut, the next part repeats so many characters: no word is seen only in halves. */
const OVERLAP = 200;
/** A cut moves back to the end of a line within this share of the part. */
const SNAP = 0.25;
/** No part is cut shorter than this. */
const SHORTEST = 16;

function splitBlock({ head, body, tokens }: Block, room: number, counter: TokenCounter): Block[] {
  const space = Math.max(1, room - counter.text(head) - PART_TOKENS);
  const length = Math.max(SHORTEST, Math.floor((space * body.length) / tokens));
  const parts: string[] = [];
  for (let start = 0; start < body.length; ) {
    let end = Math.min(body.length, start + length);
    while (end - start > SHORTEST && counter.text(encodeContent(body.slice(start, end))) > space)
      end = start + Math.floor((end - start) * 0.8);
    const line = body.lastIndexOf("\n", end - 1) + 1;
    const isLine = line > end - (end - start) * SNAP && line > start;
    if (end < body.length) end = isLine ? line : Math.max(start + 1, safeCut(body, end));
    parts.push(body.slice(start, end));
    const next = isLine ? end : safeCut(body, Math.max(start + Math.ceil((end - start) / 2), end - OVERLAP));
    start = end < body.length && next > start ? next : end;
  }
  return parts.map((part, at) => blockOf(`${head}, part ${at + 1} of ${parts.length}`, part, counter));
}
