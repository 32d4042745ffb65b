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
const NO_MEDIA: ReadonlySet<string> = new Set();

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
    const media = this.#mediaWithin(maxTokens);
    for (const shown of media.size === 0 ? [NO_MEDIA] : [media, NO_MEDIA]) {
      const fitted = this.#fitWith(shown, maxTokens);
      if (fitted !== undefined) return fitted;
    }
    const { messages, tokens } = this.#shortest();
    return tokens <= maxTokens ? messages : undefined;
  }

  /** The same with these media and no others; undefined where nothing would be left of the rest. */
  #fitWith(media: ReadonlySet<string>, maxTokens: number): readonly Message[] | undefined {
    const { sizes, space } = this.#spaceBeside(media, maxTokens);
    const longest = Math.max(0, ...sizes);
    let level = fillLevel(sizes, space);
    for (let round = 0; round < ROUNDS && level > 0; round++) {
      const cut = this.#cutTo(level, media);
      const over = countMessages(cut, this.#counter) - maxTokens;
      if (over <= 0) return cut;
      const start = Math.min(level, longest);
      const longer = sizes.filter((size) => size > start).length;
      level = Math.floor(start * (round < STEEP_ROUND ? 1 : STEEP)) - Math.ceil(over / Math.max(1, longer));
    }
    return undefined;
  }

  /** The sizes of what can be cut, and the tokens that are left for it beside these media and the marks of others. */
  #spaceBeside(media: ReadonlySet<string>, maxTokens: number): { sizes: number[]; space: number } {
    const pieces = this.#pieces();
    const sizes = pieces.filter((piece) => !piece.media).map(({ size }) => size);
    const gone = pieces.filter((piece) => piece.media && !media.has(piece.id));
    const marks = new Set(gone.map(({ at }) => at)).size * this.#counter.text(mediaMark(gone.length));
    const removed = gone.reduce((sum, { size }) => sum + size, 0);
    return { sizes, space: maxTokens - this.tokens + removed - marks + totalOf(sizes) };
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

  #pieces(): { at: number; id: string; size: number; media: boolean }[] {
    return this.#measured().flatMap((sizes, at) => {
      const { content } = this.messages[at]!;
      return sizes.map((size, place) => {
        const media = typeof content !== "string" && isMedia(content[place]!);
        return { at, id: pieceId(at, place), size, media };
      });
    });
  }

  #measured(): readonly (readonly number[])[] {
    this.#sizes ??= this.messages.map((message) => pieceSizes(message, this.#counter));
    return this.#sizes;
  }

  #cutTo(level: number, media: ReadonlySet<string>): Message[] {
    const sizes = this.#measured();
    return this.messages.map((message, at) => {
      const headBelow = message.role === "user" ? HEAD_BELOW : 0;
      const isShown = (place: number) => media.has(pieceId(at, place));
      return cutMessage(message, sizes[at]!, { level, isShown, counter: this.#counter, headBelow });
    });
  }

  #shortest(): { messages: Message[]; tokens: number } {
    if (this.#smallest === undefined) {
      const messages = this.#cutTo(0, NO_MEDIA);
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

/** A message with each of its tool results cut to `maxTokens`; the message itself where none is longer. */
export function capResults(message: Message, { maxTokens, counter }: ShrinkOptions): Message {
  if (message.role !== "tool") return message;
  const isLong = (text: string) => !fitsWithin(text, maxTokens, (piece) => counter.text(piece));
  const content = message.content.map((part) =>
    part.type === "tool-result" && isLong(textIn(part.output)) ? cutResult(part, { level: maxTokens, counter }) : part,
  );
  return content.some((part, at) => part !== message.content[at]) ? { ...message, content } : message;
}

const totalOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

const pieceId = (message: number, place: number): string => `${message}:${place}`;

interface MessageCut extends Cut {
  /** Whether the medium at a place of the message stays. */
  readonly isShown: (place: number) => boolean;
}

/** All media of a message that are left out share one mark. */
function cutMessage(message: Message, sizes: readonly number[], cut: MessageCut): Message {
  if (message.role === "system") return message;
  if (typeof message.content === "string")
    return sizes[0]! <= cut.level ? message : ({ ...message, content: cutText(message.content, cut) } as Message);
  const parts = message.content as readonly Part[];
  const fits = (part: Part, at: number) => (isMedia(part) ? cut.isShown(at) : sizes[at]! <= cut.level);
  const gone = [...parts.keys()].filter((at) => isMedia(parts[at]!) && !cut.isShown(at));
  const content = parts.flatMap((part, at): Part[] => {
    if (fits(part, at)) return [part];
    if (!isMedia(part)) return [cutPart(part, cut)];
    return at === gone[0] ? [{ type: "text", text: mediaMark(gone.length) }] : [];
  });
  return content.every((part, at) => part === parts[at]) ? message : ({ ...message, content } as Message);
}
