import type { Message, Part } from "../message/types.js";
import { fitsWithin } from "../reduce/measure.js";
import type { TokenCounter } from "../tokens/counter.js";
import { countMessages } from "./count-messages.js";
import { fillLevel } from "./fill.js";
import { type Cut, cutPart, cutResult, cutText, isMedia, mediaMark, pieceSizes, textIn } from "./shrink-part.js";

export interface ShrinkOptions {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/** Rounds of lowering the level: the tokens of a shortened piece are known only once it is made. */
const ROUNDS = 8;
/** From this round on the level falls by a share as well: what is over may be a matter of marks. */
const STEEP_ROUND = 4;
const STEEP = 0.7;
/** A user's text that is cut to fewer tokens than these keeps its head alone. */
const HEAD_BELOW = 40;
/** Share of the room that media may take from long texts. */
const MEDIA_SHARE = 0.5;
/** Of a file that is text at least so many tokens are shown, or it is left out as media are. */
const LEAST_FILE = 16;

/** What of the images and files of an exchange is shown. */
interface Shown {
  /** Ids of the pieces that stay as they are. */
  readonly media: ReadonlySet<string>;
  /** Whether files that are text are shown, as far as there is room. */
  readonly files: boolean;
}

const NO_MEDIA: Shown = { media: new Set(), files: true };
const NOTHING: Shown = { media: new Set(), files: false };

/**
 * Makes the messages of one exchange smaller without dropping any: long texts, results and arguments are shortened
 * with a mark, small ones stay whole, ids and pairs are untouched. Signed reasoning is never changed. What was counted
 * for one size is kept for the next.
 */
export class Shrinker {
  readonly messages: readonly Message[];
  readonly #counter: TokenCounter;
  #tokens: number | undefined;
  #sizes: readonly (readonly number[])[] | undefined;
  #smallest: { messages: Message[]; tokens: number } | undefined;

  constructor(messages: readonly Message[], counter: TokenCounter, tokens?: number) {
    this.messages = messages;
    this.#counter = counter;
    this.#tokens = tokens;
  }

  /** Tokens of the messages as they are. */
  get tokens(): number {
    this.#tokens ??= countMessages(this.messages, this.#counter);
    return this.#tokens;
  }

  /** The tokens of the shortest form. */
  get least(): number {
    return Math.min(this.tokens, this.#shortest().tokens);
  }

  /** The messages shortened to at most `maxTokens`, or undefined where even the shortest form is larger. */
  fit(maxTokens: number): readonly Message[] | undefined {
    if (this.tokens <= maxTokens) return this.messages;
    for (const shown of this.#choices(maxTokens)) {
      const fitted = this.#fitWith(shown, maxTokens);
      if (fitted !== undefined) return fitted;
    }
    const { messages, tokens } = this.#shortest();
    return tokens <= maxTokens ? messages : undefined;
  }

  /** What may be shown of the media and the files, the most first. */
  #choices(maxTokens: number): Shown[] {
    const media = this.#mediaWithin(maxTokens);
    const most = media.size === 0 ? [] : [{ media, files: true }];
    return [...most, NO_MEDIA, ...(this.#pieces().some(({ file }) => file) ? [NOTHING] : [])];
  }

  /** The same with these media and files and no others; undefined where too little would be left of the rest. */
  #fitWith(shown: Shown, maxTokens: number): readonly Message[] | undefined {
    const { sizes, space, least } = this.#spaceBeside(shown, maxTokens);
    const longest = Math.max(0, ...sizes);
    let level = fillLevel(sizes, space);
    for (let round = 0; round < ROUNDS && level >= least; round++) {
      const cut = this.#cutTo(level, shown);
      const over = countMessages(cut, this.#counter) - maxTokens;
      if (over <= 0) return cut;
      const start = Math.min(level, longest);
      const longer = sizes.filter((size) => size > start).length;
      level = Math.floor(start * (round < STEEP_ROUND ? 1 : STEEP)) - Math.ceil(over / Math.max(1, longer));
    }
    return undefined;
  }

  /**
   * The sizes of what can be cut, the tokens that are left for it beside these media and the marks of others, and the
   * least level it may be cut to.
   */
  #spaceBeside({ media, files }: Shown, maxTokens: number): { sizes: number[]; space: number; least: number } {
    const pieces = this.#pieces();
    const isGone = (piece: Piece) => (piece.media ? !media.has(piece.id) : piece.file && !files);
    const gone = pieces.filter(isGone);
    const left = pieces.filter((piece) => !piece.media && !isGone(piece));
    const sizes = left.map(({ size }) => size);
    const least = left.some(({ file, size }) => file && size > LEAST_FILE) ? LEAST_FILE : 1;
    const marks = new Set(gone.map(({ at }) => at)).size * this.#counter.text(mediaMark(gone.length));
    const removed = gone.reduce((sum, { size }) => sum + size, 0);
    return { sizes, space: maxTokens - this.tokens + removed - marks + totalOf(sizes), least };
  }

  /** The media that have room, the latest first: they may take what the rest leaves, and half of all in any case. */
  #mediaWithin(maxTokens: number): ReadonlySet<string> {
    const pieces = this.#pieces();
    const space = maxTokens - this.tokens + totalOf(pieces.map(({ size }) => size));
    const rest = totalOf(pieces.filter((piece) => !piece.media).map(({ size }) => size));
    let room = Math.max(space - rest, space * MEDIA_SHARE);
    const shown = new Set<string>();
    for (const { id, size, media } of pieces.reverse()) {
      if (!media || size > room) continue;
      shown.add(id);
      room -= size;
    }
    return shown;
  }

  #pieces(): Piece[] {
    return this.#measured().flatMap((sizes, at) => {
      const { content } = this.messages[at]!;
      return sizes.map((size, place) => {
        const part = typeof content === "string" ? undefined : content[place];
        const media = part !== undefined && isMedia(part);
        return { at, id: pieceId(at, place), size, media, file: part?.type === "file" && !media };
      });
    });
  }

  #measured(): readonly (readonly number[])[] {
    this.#sizes ??= this.messages.map((message) => pieceSizes(message, this.#counter));
    return this.#sizes;
  }

  #cutTo(level: number, { media, files }: Shown): Message[] {
    const sizes = this.#measured();
    return this.messages.map((message, at) => {
      const headBelow = message.role === "user" ? HEAD_BELOW : 0;
      const isShown = (part: Part, place: number) =>
        isMedia(part) ? media.has(pieceId(at, place)) : files || part.type !== "file";
      return cutMessage(message, sizes[at]!, { level, isShown, counter: this.#counter, headBelow });
    });
  }

  #shortest(): { messages: Message[]; tokens: number } {
    if (this.#smallest === undefined) {
      const messages = this.#cutTo(0, NOTHING);
      this.#smallest = { messages, tokens: countMessages(messages, this.#counter) };
    }
    return this.#smallest;
  }
}

/** The messages shortened to at most `maxTokens`, or undefined where even the shortest form is larger. */
export function shrinkMessages(
  messages: readonly Message[],
  { maxTokens, counter }: ShrinkOptions,
): readonly Message[] | undefined {
  return new Shrinker(messages, counter).fit(maxTokens);
}

/** A message with each of its tool results, or the words of an instruction, cut to `maxTokens`; itself where none is longer. */
export function capMessage(message: Message, { maxTokens, counter }: ShrinkOptions): Message {
  const isLong = (text: string) => !fitsWithin(text, maxTokens, (piece) => counter.text(piece));
  if (message.role === "system")
    return isLong(message.content)
      ? { ...message, content: cutText(message.content, { level: maxTokens, counter }) }
      : message;
  if (message.role !== "tool") return message;
  const content = message.content.map((part) =>
    part.type === "tool-result" && isLong(textIn(part.output)) ? cutResult(part, { level: maxTokens, counter }) : part,
  );
  return content.some((part, at) => part !== message.content[at]) ? { ...message, content } : message;
}

const totalOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

const pieceId = (message: number, place: number): string => `${message}:${place}`;

/** What can be cut or left out, and where it stands. */
interface Piece {
  readonly at: number;
  readonly id: string;
  readonly size: number;
  readonly media: boolean;
  /** Whether it is a file that is text. */
  readonly file: boolean;
}

interface MessageCut extends Cut {
  /** Whether anything is shown of the part at a place of the message. */
  readonly isShown: (part: Part, place: number) => boolean;
}

/** All that is left out of a message shares one mark. */
function cutMessage(message: Message, sizes: readonly number[], cut: MessageCut): Message {
  if (message.role === "system") return message;
  if (typeof message.content === "string")
    return sizes[0]! <= cut.level ? message : ({ ...message, content: cutText(message.content, cut) } as Message);
  const parts = message.content as readonly Part[];
  const gone = [...parts.keys()].filter((at) => !cut.isShown(parts[at]!, at));
  const content = parts.flatMap((part, at): Part[] => {
    if (!cut.isShown(part, at)) return at === gone[0] ? [{ type: "text", text: mediaMark(gone.length) }] : [];
    return [isMedia(part) || sizes[at]! <= cut.level ? part : cutPart(part, cut)];
  });
  return content.every((part, at) => part === parts[at]) ? message : ({ ...message, content } as Message);
}
