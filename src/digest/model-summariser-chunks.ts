import { membersOf, toExchanges } from "../message/exchanges.js";
import type { Message } from "../message/types.js";
import { safeCut } from "../reduce/safe-cut.js";
import type { TokenCounter } from "../tokens/counter.js";
import {
  renderBlock,
  type TranscriptBlock,
  type TranscriptOptions,
  transcriptOf,
} from "./model-summariser-transcript.js";
import { encodeContent } from "./prompts.js";

/** The entries of one exchange, with the tokens of each. */
export type Unit = readonly CountedBlock[];

export interface CountedBlock extends TranscriptBlock {
  readonly tokens: number;
}

/** What a summariser reads in one call. */
export interface Chunk {
  readonly units: readonly Unit[];
  readonly tokens: number;
}

export const chunkText = ({ units }: Chunk): string => units.flat().map(renderBlock).join("\n");

/** Every message, once, by exchange. */
export function toUnits(messages: readonly Message[], options: TranscriptOptions): Unit[] {
  const { counter } = options;
  const shown = new Set<number>();
  return toExchanges(messages).map((exchange) =>
    membersOf(exchange).flatMap((at) => {
      if (shown.has(at)) return [];
      shown.add(at);
      return transcriptOf(messages[at]!, at + 1, options).map((block) => counted(block, counter));
    }),
  );
}

const counted = (block: TranscriptBlock, counter: TokenCounter): CountedBlock => ({
  ...block,
  tokens: counter.text(renderBlock(block)) + 1,
});

const size = (unit: Unit): number => unit.reduce((sum, { tokens }) => sum + tokens, 0);

/**
 * Packs all units into chunks of at most `room` tokens, in order. Cuts fall between exchanges; an exchange larger than
 * a chunk is cut between its entries, and an entry larger than a chunk within. Two neighbours always exceed the room
 * together, so there are at most twice as many chunks as would be needed, and one.
 */
export function pack(units: readonly Unit[], room: number, counter: TokenCounter): Chunk[] {
  const pieces = units.flatMap((unit): Unit[] => (size(unit) <= room ? [unit] : splitUnit(unit, room, counter)));
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

const splitUnit = (unit: Unit, room: number, counter: TokenCounter): Unit[] =>
  unit.flatMap((block) => (block.tokens <= room ? [[block]] : splitBlock(block, room, counter).map((part) => [part])));

/** Tokens for "part 12 of 34" in a head. */
const PART_TOKENS = 16;

function splitBlock(block: CountedBlock, room: number, counter: TokenCounter): CountedBlock[] {
  const space = Math.max(1, room - counter.text(block.head) - PART_TOKENS);
  const parts = splitText(block.body, space, counter);
  return parts.map((body, at) => counted({ head: `${block.head}, part ${at + 1} of ${parts.length}`, body }, counter));
}

/** Where no line ends near a cut, the next part repeats so many characters: no word is seen only in halves. */
const OVERLAP = 200;
/** A cut moves back to the end of a line within this share of the part. */
const SNAP = 0.25;
/** No part is cut shorter than this. */
const SHORTEST = 16;

function splitText(text: string, maxTokens: number, counter: TokenCounter): string[] {
  const parts: string[] = [];
  const length = Math.max(SHORTEST, Math.floor((maxTokens * text.length) / Math.max(1, counter.text(text))));
  for (let start = 0; start < text.length; ) {
    const end = endOfPart({ text, start, length, maxTokens, counter });
    parts.push(text.slice(start, end));
    start = nextStart(text, start, end);
  }
  return parts;
}

interface PartPlan {
  readonly text: string;
  readonly start: number;
  /** The length tried first. */
  readonly length: number;
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

function endOfPart({ text, start, length, maxTokens, counter }: PartPlan): number {
  let end = Math.min(text.length, start + length);
  while (end - start > SHORTEST && counter.text(encodeContent(text.slice(start, end))) > maxTokens) {
    end = start + Math.floor((end - start) * 0.8);
  }
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf("\n", end - 1) + 1;
  return line > end - (end - start) * SNAP && line > start ? line : Math.max(start + 1, safeCut(text, end));
}

function nextStart(text: string, start: number, end: number): number {
  if (end >= text.length || text[end - 1] === "\n") return end;
  const next = safeCut(text, Math.max(start + Math.ceil((end - start) / 2), end - OVERLAP));
  return next > start ? next : end;
}
