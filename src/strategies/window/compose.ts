import type { ShortenedMessage, ShownExchange } from "../../compaction/shown.js";
import type { Block } from "../../compaction/view.js";
import { messageText } from "../../message/content.js";
import type { Exchange } from "../../message/exchanges.js";
import { OPENER } from "../../message/repair.js";
import type { Message } from "../../message/types.js";
import type { ContextForm } from "./context-block.js";
import { type Counted, totalTokens } from "./counted.js";
import type { FixedBlocks } from "./fixed.js";
import type { FittedTurn } from "./last-turn.js";
import type { Lead } from "./lead.js";
import type { Scene } from "./scene.js";

/** What was chosen to be shown. */
export interface Choice {
  readonly fixed: FixedBlocks;
  /** What stands in for the part before the cut, and whether that is all of it. */
  readonly memory: readonly Counted[];
  readonly memoryWhole: boolean;
  readonly context: ContextForm | undefined;
  readonly lead: Lead;
  readonly cut: number;
  /** The last turn in a shorter form, where it alone was too large. */
  readonly turn?: FittedTurn | undefined;
}

export interface Composition {
  readonly messages: Message[];
  readonly tokens: number;
  readonly blocks: readonly Block[];
  /** Position of the cut. */
  readonly cut: number;
  /** The exchanges shown from before the cut, with their tokens. */
  readonly lead: readonly { readonly exchange: Exchange; readonly tokens: number; readonly pinned: boolean }[];
  /** Messages of the log that are shown shorter than they are. */
  readonly shortened: readonly ShortenedMessage[];
  readonly context: ContextForm | undefined;
  readonly memoryWhole: boolean;
  /** What stands in for the part before the cut, as text and as tokens. */
  readonly replacedBy: string;
  readonly memory: number;
  readonly standIns: readonly Message[];
  readonly opener: number;
}

/** An exchange in the form in which a view shows it. */
interface Piece {
  readonly at: number;
  readonly shown: ShownExchange;
}

/** Puts the chosen parts in order. */
export function compose(scene: Scene, choice: Choice): Composition {
  const { memory, context, lead, cut, memoryWhole } = choice;
  const front = lead.exchanges.map((at) => pieceOf(scene, choice, at));
  const pieces = [...front, ...tailPieces(scene, choice)];
  const opener = lead.needsOpener ? scene.counter.message(OPENER) : 0;
  const blocks = blocksOf(choice, opener + totalOf(pieces));
  return {
    messages: messagesOf(scene, choice, pieces),
    tokens: blocks.reduce((sum, { tokens }) => sum + tokens, 0),
    blocks,
    cut: scene.log.exchanges[cut]!.first,
    lead: front.map(({ at, shown: { tokens } }) => leadOf(scene, at, tokens)),
    shortened: shortenedIn(pieces),
    context,
    memoryWhole,
    replacedBy: memory.map(({ message }) => messageText(message)).join("\n\n"),
    memory: totalTokens(memory),
    standIns: memory.map(({ message }) => message),
    opener,
  };
}

const leadOf = (scene: Scene, at: number, tokens: number): Composition["lead"][number] => ({
  exchange: scene.log.exchanges[at]!,
  tokens,
  pinned: scene.isPinned(at),
});

const totalOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { shown }) => sum + shown.tokens, 0);

function shortenedIn(pieces: readonly Piece[]): ShortenedMessage[] {
  const shorter = pieces.filter(({ shown }) => shown.shortened.length > 0);
  return shorter.flatMap(({ shown }) => shown.shortened);
}

function blocksOf({ fixed, context, memory }: Choice, history: number): Block[] {
  return [
    { name: "system", tokens: fixed.system },
    { name: "tools", tokens: fixed.tools },
    { name: "context", tokens: context?.shown?.tokens ?? 0 },
    { name: "memory", tokens: totalTokens(memory) },
    { name: "history", tokens: history },
  ];
}

/** The context stands before the latest request, or before all where there is none. */
function messagesOf({ latest, log }: Scene, choice: Choice, pieces: readonly Piece[]): Message[] {
  const { fixed, memory, context, lead } = choice;
  const messages: Message[] = [...fixed.messages];
  for (const { message, position } of memory) if (position === undefined) messages.push(message);
  const own = memory.filter(({ position }) => position !== undefined);
  if (lead.needsOpener) messages.push(OPENER);
  const place = Math.max(
    0,
    pieces.findLastIndex(({ at }) => at === latest),
  );
  for (let at = 0; at < pieces.length; at++) {
    const { at: exchange, shown } = pieces[at]!;
    const { first } = log.exchanges[exchange]!;
    while (own.length > 0 && own[0]!.position! < first) messages.push(own.shift()!.message);
    if (at === place && context?.shown !== undefined) messages.push(context.shown.message);
    for (const message of shown.messages) messages.push(message);
  }
  return messages;
}

function tailPieces(scene: Scene, choice: Choice): Piece[] {
  const { log, last } = scene;
  const pieces: Piece[] = [];
  for (let at = log.visibleFrom(choice.cut); at !== undefined && at <= last; at = log.visibleFrom(at + 1)) {
    pieces.push(pieceOf(scene, choice, at));
  }
  return pieces;
}

function pieceOf(scene: Scene, { cut, turn }: Choice, at: number): Piece {
  const fitted = at === scene.last ? turn?.final : at === scene.latest ? turn?.request : undefined;
  const shown = fitted ?? (at < cut ? scene.inFront(at, cut) : scene.whole(at));
  return { at, shown };
}
