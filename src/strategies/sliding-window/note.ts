import { messageText } from "../../message/content.js";
import { foreignText } from "../../message/foreign-text.js";
import type { Log } from "../../message/log.js";
import type { SystemMessage } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Counted } from "../window/counted.js";
import type { Move, StandIn, StandInInput } from "../window/stand-in.js";

const EXCERPT_LENGTH = 100;
const LATEST = 2;

/** Share of the usable tokens that a note may take, and the most it needs however large the window. */
const NOTE_SHARE = 0.08;
const LARGEST_NOTE = 256;
const SMALLEST_NOTE = 16;

/** The note that stands at the cut: how much is missing, and what it was about. Changes only when the cut moves. */
export class Note implements StandIn {
  readonly bound: number;
  readonly #log: Log;
  readonly #counter: TokenCounter;
  #messages: readonly Counted<SystemMessage>[] = [];
  #short: readonly Counted<SystemMessage>[] = [];

  constructor({ log, counter, budget }: StandInInput) {
    this.#log = log;
    this.#counter = counter;
    this.bound = Math.min(LARGEST_NOTE, Math.max(SMALLEST_NOTE, Math.floor(budget.usable * NOTE_SHARE)));
  }

  get messages(): readonly Counted<SystemMessage>[] {
    return this.#messages;
  }

  get shorter(): readonly (readonly Counted<SystemMessage>[])[] {
    return [this.#short];
  }

  moveTo({ position, leftOut, kept }: Move): void {
    const count = `${leftOut} earlier ${leftOut === 1 ? "message" : "messages"}`;
    const requests = this.#log.requests.filter((at) => at < position && !kept?.has(at));
    const full = this.#count(fullText(count, requests, this.#log));
    this.#short = [this.#count(`[Memory Summary] ${count} left out.`)];
    this.#messages = full.tokens <= this.bound ? [full] : this.#short;
  }

  get state(): NoteState {
    return { messages: this.#messages, short: this.#short };
  }

  restore({ messages, short }: NoteState): void {
    this.#messages = messages;
    this.#short = short;
  }

  #count(content: string): Counted<SystemMessage> {
    const message: SystemMessage = { role: "system", content };
    return { message, tokens: this.#counter.message(message) };
  }
}

interface NoteState {
  readonly messages: readonly Counted<SystemMessage>[];
  readonly short: readonly Counted<SystemMessage>[];
}

/** The requests are those left out: one that is still shown needs no excerpt, and its turn is not gone. */
function fullText(count: string, requests: readonly number[], log: Log): string {
  const turns = requests.length > 1 ? ` (${requests.length} turns)` : "";
  const head = `[Memory Summary] Previous conversation context: ${count}${turns} left out to fit the window; the log keeps them.`;
  const [first, ...later] = requests;
  if (first === undefined) return head;
  const latest = later.slice(-LATEST).map((at) => `Later request: ${excerpt(log, at)}`);
  return [head, `First request: ${excerpt(log, first)}`, ...latest].join("\n");
}

/** In quotes that the request cannot close. */
function excerpt(log: Log, position: number): string {
  const text = messageText(log.messageAt(position))
    .slice(0, EXCERPT_LENGTH * 4)
    .replace(/\s+/g, " ")
    .trim();
  const cut = [...text].slice(0, EXCERPT_LENGTH).join("");
  return foreignText(JSON.stringify(cut.length < text.length ? `${cut}…` : cut));
}
