import type { Message, Part } from "../message/types.js";
import { fitsWithin } from "../reduce/measure.js";
import type { TokenCounter } from "../tokens/counter.js";
import { countMessages } from "./count-messages.js";
import { type Cut, cutResult, cutText, mediaMark, type Piece, piecesIn, textsOf } from "./shrink-part.js";

/** Rounds of lowering the level: the tokens of a shortened piece are known only once it is made. */
const ROUNDS = 8;
/** From this round on the level falls by a share as well: what is over may be a matter of marks. */
const STEEP_ROUND = 4;
const STEEP = 0.7;
/** Share of the room that media may take from long texts. */
const MEDIA_SHARE = 0.5;
/** Of a file that is text at least so many tokens are shown, or it is left out as media are. */
const LEAST_FILE = 16;

/**
 * Makes the messages of one exchange smaller without dropping any: long texts, results and arguments are shortened
 * with a mark, small ones stay whole, ids and pairs are untouched. Signed reasoning is never changed.
 */
export interface Shrinker {
  /** Tokens of the messages as they are, and of their shortest form. */
  readonly tokens: number;
  readonly least: number;
  /** The messages shortened to at most `maxTokens`, or undefined where even the shortest form is larger. */
  fit(maxTokens: number): readonly Message[] | undefined;
}

/** A shrinker of messages; what was counted for one size is kept for the next. */
export function shrinkerOf(
  messages: readonly Message[],
  counter: TokenCounter,
  tokens = countMessages(messages, counter),
): Shrinker {
  const pieces = once(() => messages.map((message) => piecesIn(message, counter)));
  const cutTo = (level: number, hidden: ReadonlySet<Piece>): Message[] =>
    messages.map((message, at) => cutMessage(message, pieces()[at]!, { level, hidden }));
  const shortest = once(() => {
    const cut = cutTo(
      0,
      new Set(
        pieces()
          .flat()
          .filter(({ kind }) => kind !== "text"),
      ),
    );
    return { messages: cut, tokens: countMessages(cut, counter) };
  });
  /** Without what is hidden; undefined where too little would be left of what can be cut. */
  const fitWithout = (hidden: ReadonlySet<Piece>, maxTokens: number): readonly Message[] | undefined => {
    const cuttable = pieces()
      .flat()
      .filter((piece) => piece.kind !== "media" && !hidden.has(piece));
    const sizes = cuttable.map(({ size }) => size);
    const least = cuttable.some(({ kind, size }) => kind === "file" && size > LEAST_FILE) ? LEAST_FILE : 1;
    let level = fillLevel(sizes, maxTokens - tokens + totalOf(cuttable) + savedBy(hidden, pieces(), counter));
    for (let round = 0; round < ROUNDS && level >= least; round++) {
      const cut = cutTo(level, hidden);
      const over = countMessages(cut, counter) - maxTokens;
      if (over <= 0) return cut;
      const start = Math.min(level, Math.max(0, ...sizes));
      const longer = sizes.filter((size) => size > start).length;
      level = Math.floor(start * (round < STEEP_ROUND ? 1 : STEEP)) - Math.ceil(over / Math.max(1, longer));
    }
    return undefined;
  };
  return {
    tokens,
    get least() {
      return Math.min(tokens, shortest().tokens);
    },
    fit: (maxTokens) => {
      if (tokens <= maxTokens) return messages;
      for (const hidden of choices(pieces().flat(), maxTokens - tokens)) {
        const fitted = fitWithout(hidden, maxTokens);
        if (fitted !== undefined) return fitted;
      }
      return shortest().tokens <= maxTokens ? shortest().messages : undefined;
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What may be left out, the least first: media that have no room, all media, and the files as well. Texts never are. */
function choices(pieces: readonly Piece[], over: number): ReadonlySet<Piece>[] {
  const media = pieces.filter(({ kind }) => kind === "media");
  const files = pieces.filter(({ kind }) => kind === "file");
  const hidden = [mediaBeyond(pieces, over), media, [...media, ...files]];
  return hidden.filter(({ length }, at) => length !== hidden[at + 1]?.length).map((list) => new Set(list));
}

/** The media that have no room. The latest come first: they may take what the rest leaves, and half of all in any case. */
function mediaBeyond(pieces: readonly Piece[], over: number): Piece[] {
  const space = over + totalOf(pieces);
  const rest = totalOf(pieces.filter(({ kind }) => kind !== "media"));
  let room = Math.max(space - rest, space * MEDIA_SHARE);
  return pieces.toReversed().filter(({ kind, size }) => {
    const isBeyond = kind === "media" && size > room;
    if (kind === "media" && !isBeyond) room -= size;
    return isBeyond;
  });
}

/** Tokens of what is hidden, less those of the marks in its place: one a message. */
function savedBy(hidden: ReadonlySet<Piece>, pieces: readonly (readonly Piece[])[], counter: TokenCounter): number {
  const marked = pieces.filter((list) => list.some((piece) => hidden.has(piece))).length;
  return totalOf([...hidden]) - marked * counter.text(mediaMark(hidden.size));
}

const totalOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { size }) => sum + size, 0);

/**
 * Water-filling: the level L at which pieces of the given sizes, each cut to at most L, just fit into the space.
 * Small pieces stay whole and the large ones share what is left evenly.
 */
export function fillLevel(sizes: readonly number[], space: number): number {
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = space;
  for (const [at, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - at));
    if (size > share) return Math.max(0, share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** A message with each of its tool results, or the words of an instruction, cut to `level`; itself where none is longer. */
export function capMessage(message: Message, cut: Cut): Message {
  const isLong = (text: string) => !fitsWithin(text, cut.level, (piece) => cut.counter.text(piece));
  if (message.role === "system")
    return isLong(message.content) ? { ...message, content: cutText(message.content, cut) } : message;
  if (message.role !== "tool") return message;
  const content = message.content.map((part) =>
    part.type === "tool-result" && isLong(textsOf(part.output).join("\n")) ? cutResult(part, cut) : part,
  );
  return content.some((part, at) => part !== message.content[at]) ? { ...message, content } : message;
}

interface Shorter {
  readonly level: number;
  readonly hidden: ReadonlySet<Piece>;
}

/** All that is left out of a message shares one mark. */
function cutMessage(message: Message, pieces: readonly Piece[], { level, hidden }: Shorter): Message {
  const gone = pieces.filter((piece) => hidden.has(piece));
  const parts = pieces.flatMap((piece): Part[] => {
    if (!hidden.has(piece)) return [piece.cut(level)];
    return piece === gone[0] ? [{ type: "text", text: mediaMark(gone.length) }] : [];
  });
  if (parts.every((part, at) => part === pieces[at]!.part)) return message;
  const [first] = parts;
  const isText = typeof message.content === "string" && first?.type === "text";
  return { ...message, content: isText ? first.text : parts } as Message;
}
