import type { Memory, Retrieved } from "../../memory/memory.js";
import type { PassagePlace } from "../../memory/text/search-text.js";
import { renderMemories, renderMemory } from "../../memory/trust/render.js";
import type { Message, UserMessage } from "../../message/types.js";
import { ELLIPSIS } from "../../reduce/marks.js";
import { safeCut } from "../../reduce/safe-cut.js";
import { shortenText } from "../../reduce/shorten-text.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Recalled } from "../../view/recalled.js";
import type { View } from "../../view/view.js";

/** A memory as it is shown: where it is too long, its passage that matched. */
export type ShownPart = Memory & Pick<Retrieved, "passage">;

/** The memories that the views of one turn show. */
export interface RecallBlock {
  readonly ids: readonly string[];
  /** What of them is shown: whole ones by their id, others by id and passage. */
  readonly keys: readonly string[];
  readonly message: UserMessage;
  /** Tokens that one memory may take. */
  readonly most: number;
}

/** Tokens below which a part of a text tells nothing. */
const LEAST = 8;

/**
 * As many of the best as fit, oldest first. One that would take more than half of the room is shortened; undefined where
 * there is room for none.
 */
export function fitMemories(
  memories: readonly ShownPart[],
  room: number,
  counter: TokenCounter,
): RecallBlock | undefined {
  const [first] = memories;
  if (first === undefined) return undefined;
  const frame = counter.message(messageOf([{ ...first, content: "" }]));
  const most = Math.floor((room - frame) / 2);
  if (most < LEAST) return undefined;
  const chosen: ShownPart[] = [];
  let left = room - frame;
  for (const memory of memories) {
    const tokens = counter.text(renderMemory(shortened(memory, most, counter))) + 1;
    if (tokens > left) continue;
    chosen.push(memory);
    left -= tokens;
  }
  while (chosen.length > 0) {
    const block = blockOf(chosen, most, counter);
    if (counter.message(block.message) <= room) return block;
    chosen.pop();
  }
  return undefined;
}

/** What is shown of a memory: the whole, or a passage. */
export const partKey = (id: string, passage: PassagePlace | undefined): string =>
  passage === undefined ? id : `${id}\n${passage.start}`;

/** Those of the memories that are shown in part, with the passage that they are shown by. */
export const partsIn = (memories: readonly ShownPart[], most: number, counter: TokenCounter): ShownPart[] =>
  memories.filter((memory) => memory.passage !== undefined && shortened(memory, most, counter) !== memory);

/** The block of these memories, each within its room: the same for the same. */
export function blockOf(memories: readonly ShownPart[], most: number, counter: TokenCounter): RecallBlock {
  const ordered = memories.toSorted((a, b) => (a.at === b.at ? compare(a.id, b.id) : compare(a.at, b.at)));
  const shown = ordered.map((memory) => shortened(memory, most, counter));
  const keys = ordered.map((memory, at) => partKey(memory.id, shown[at] === memory ? undefined : memory.passage));
  return { ids: ordered.map(({ id }) => id), keys, message: messageOf(shown), most };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const messageOf = (memories: readonly Memory[]): UserMessage => ({ role: "user", content: renderMemories(memories) });

/** No token is longer than this many characters, about: texts far beyond their room are cut before they are counted. */
const LONGEST_TOKEN = 40;

function shortened(memory: ShownPart, maxTokens: number, counter: TokenCounter): Memory {
  const { content, passage } = memory;
  const longest = maxTokens * LONGEST_TOKEN;
  const count = (piece: string): number => counter.text(piece);
  const isLong = content.length > 2 * longest;
  if (passage !== undefined && (isLong || count(content) > maxTokens))
    return { ...memory, content: around(content, passage, { maxTokens, count }) };
  const near = isLong ? `${content.slice(0, longest)}…${content.slice(-longest)}` : content;
  const text = shortenText(near.toWellFormed(), { maxTokens, counter: count });
  return text === content ? memory : { ...memory, content: text };
}

interface Room {
  readonly maxTokens: number;
  count(text: string): number;
}

/** Tries at how much of the text around a passage fits. */
const ROUNDS = 10;

/** A passage with as much of the text on both sides as fits; of one that is too long itself, its head and its tail. */
function around(content: string, { start, end }: PassagePlace, { maxTokens, count }: Room): string {
  const alone = pieceOf(content, start, end);
  if (count(alone) > maxTokens)
    return shortenText(content.slice(start, end).toWellFormed(), { maxTokens, counter: count });
  let best = alone;
  let [low, high] = [0, Math.min(content.length, maxTokens * LONGEST_TOKEN)];
  for (let round = 0; round < ROUNDS; round++) {
    const more = Math.floor((low + high) / 2);
    const wider = pieceOf(content, start - more, end + more);
    const fits = count(wider) <= maxTokens;
    if (fits) best = wider;
    [low, high] = fits ? [more, high] : [low, more];
  }
  return best;
}

function pieceOf(content: string, start: number, end: number): string {
  const [from, to] = [safeCut(content, Math.max(0, start)), safeCut(content, end)];
  return `${from > 0 ? ELLIPSIS : ""}${content.slice(from, to).trim()}${to < content.length ? ELLIPSIS : ""}`;
}

/** A block at its place in a view's messages. */
export interface PlacedBlock {
  readonly at: number;
  readonly block: RecallBlock;
}

/** A view with memories, where they fit: they take no room from anything else, and the earlier ones give way first. */
export function withMemories(view: View, blocks: readonly PlacedBlock[], counter: TokenCounter): View {
  const placed = [blocks, blocks.slice(-1)].find((some) => view.tokens + tokensOf(some, counter) <= view.budget.usable);
  if (placed === undefined || placed.length === 0) return view;
  const tokens = tokensOf(placed, counter);
  const recalled: Recalled = { ids: placed.flatMap(({ block }) => block.ids), tokens };
  const { receipt } = view;
  return {
    ...view,
    messages: placed.reduceRight((messages, { at, block }) => messages.toSpliced(at, 0, block.message), view.messages),
    tokens: view.tokens + tokens,
    blocks: withBlock(view.blocks, recalled),
    receipt: receipt && {
      ...receipt,
      tokensBefore: receipt.tokensBefore + tokens,
      tokensAfter: receipt.tokensAfter + tokens,
      recalled,
    },
  };
}

export const tokensOf = (blocks: readonly PlacedBlock[], counter: TokenCounter): number =>
  blocks.reduce((sum, { block }) => sum + counter.message(block.message), 0);

function withBlock(blocks: View["blocks"], recalled: Recalled): View["blocks"] {
  const known = blocks.some(({ name }) => name === "memory")
    ? blocks
    : [...blocks, { name: "memory", tokens: 0 } as const];
  return known.map((block) =>
    block.name === "memory" ? { ...block, tokens: block.tokens + recalled.tokens, recalled } : block,
  );
}

/** Where memories stand: in front of a request and of the context that belongs to it; -1 where it is not shown. */
export function placeOf(messages: readonly Message[], request: Message): number {
  const at = messages.lastIndexOf(request);
  return at > 0 && isContext(messages[at - 1]!) ? at - 1 : at;
}

/** The same for the latest request, which a view may show in another form than the log. */
export function latestPlace(messages: readonly Message[], request: Message): number {
  const latest = messages.includes(request) ? request : messages.findLast(({ role }) => role === "user");
  return latest === undefined ? -1 : placeOf(messages, latest);
}

const isContext = ({ role, content }: Message): boolean =>
  role === "user" && typeof content === "string" && content.startsWith("<context>\n");
