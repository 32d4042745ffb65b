/** How common the words of a session are, and where each was used last. */
import type { Position } from "../message/positions.js";
import type { History, Message } from "../message/types.js";
import { ownText } from "../tokens/own-text.js";
import { GENERATION } from "./identifier-index.js";
import { type Piece, piecesOf } from "./pieces.js";

/** Texts are read this far, and so many words of a message are looked at. */
const REACH = 4_000;
const MOST_WORDS = 160;

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
/** Scripts that put no space between words: pairs of signs stand for them. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]{2,}/u;

/** The words of a text, each once. */
export function wordsIn(text: string): Set<string> {
  const words = new Set<string>();
  for (const [word] of text.slice(0, REACH).toLowerCase().matchAll(WORD)) {
    if (UNSPACED.test(word)) for (let at = 0; at + 1 < word.length; at++) words.add(word.slice(at, at + 2));
    else if (word.length > 1) words.add(word);
    if (words.size >= MOST_WORDS) break;
  }
  return words;
}

/** What was said, by its words alone: the same where only numbers are others. No word looks like it. */
export function wordingOf(words: Iterable<string>): string {
  let hash = 0;
  for (const word of words) {
    if (/\p{N}/u.test(word)) continue;
    for (let at = 0; at < word.length; at++) hash = (Math.imul(hash, 31) + word.charCodeAt(at)) | 0;
    hash = Math.imul(hash, 31) | 0;
  }
  return `#${hash}`;
}

/** The words of a message that its speaker says. */
export const spokenIn = (message: Message): string => textOf(piecesOf(message).filter(isSpoken));

const isSpoken = ({ source }: Piece): boolean => source === "user" || source === "agent";
const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join("\n");

interface WordRecord {
  messages: number;
  last: Position;
}

/**
 * Words of what people and agents say and of what calls ask for; each message is read once. What was used in neither the
 * latest generation of messages nor the one before is forgotten.
 */
export class WordIndex {
  #before = new Map<string, WordRecord>();
  #latest = new Map<string, WordRecord>();
  #read = { before: 0, latest: 0 };
  #upTo: Position;

  constructor(from: Position) {
    this.#upTo = from;
  }

  /** Messages that are remembered. */
  get messages(): number {
    return this.#read.before + this.#read.latest;
  }

  readTo(position: Position, history: History): void {
    for (; this.#upTo < position; this.#upTo++) {
      if (this.#upTo % GENERATION === 0) {
        [this.#before, this.#latest] = [this.#latest, new Map()];
        this.#read = { before: this.#read.latest, latest: 0 };
      }
      const message = history.messageAt(this.#upTo);
      if (message.role === "user" || message.role === "assistant") this.#take(piecesOf(message), this.#upTo);
    }
  }

  /** Of a word, or of a wording. */
  record(word: string): WordRecord {
    const [before, latest] = [this.#before.get(word), this.#latest.get(word)];
    return {
      messages: (before?.messages ?? 0) + (latest?.messages ?? 0),
      last: latest?.last ?? before?.last ?? -1,
    };
  }

  #take(pieces: readonly Piece[], position: Position): void {
    this.#read.latest++;
    const spoken = wordsIn(textOf(pieces.filter(isSpoken)));
    const asked = wordsIn(textOf(pieces.filter((piece) => !isSpoken(piece))));
    for (const word of new Set([wordingOf(spoken), ...spoken, ...asked])) {
      const record = this.#latest.get(word);
      if (record === undefined) this.#latest.set(ownText(word), { messages: 1, last: position });
      else {
        record.messages++;
        record.last = position;
      }
    }
  }
}
