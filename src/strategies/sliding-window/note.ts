import { messageText } from "../../message/content.js";
import type { Log } from "../../message/log.js";
import type { SystemMessage } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Counted } from "./counted.js";

const EXCERPT_LENGTH = 100;
const LATEST = 2;

/** The note that stands at the cut: how much is missing, and what it was about. Changes only when the cut moves. */
export class Note {
  readonly #counter: TokenCounter;
  readonly #maxTokens: number;
  #position = 0;
  #leftOut = 0;
  #full: Counted<SystemMessage> | undefined;
  #short: Counted<SystemMessage> | undefined;

  constructor(counter: TokenCounter, maxTokens: number) {
    this.#counter = counter;
    this.#maxTokens = maxTokens;
  }

  /** Upper bound of the tokens that a note takes, for planning before its text is known. */
  get bound(): number {
    return this.#maxTokens;
  }

  /** How many entries the cut left out. */
  get leftOut(): number {
    return this.#leftOut;
  }

  get full(): Counted<SystemMessage> | undefined {
    return this.#full;
  }

  /** The least that a note says. */
  get short(): Counted<SystemMessage> | undefined {
    return this.#short;
  }

  /** Writes the note for a cut at a position of the log, before which `kept` entries are shown all the same. */
  moveTo(position: number, log: Log, kept: number): void {
    if (position === this.#position) return;
    this.#position = position;
    this.#leftOut = Math.max(0, position - log.start - kept);
    if (this.#leftOut === 0) return;
    const count = `${this.#leftOut} earlier ${this.#leftOut === 1 ? "message" : "messages"}`;
    this.#short = this.#count(`[Memory Summary] ${count} left out.`);
    const full = this.#count(fullText(count, position, log));
    this.#full = full.tokens <= this.#maxTokens ? full : this.#short;
  }

  #count(content: string): Counted<SystemMessage> {
    const message: SystemMessage = { role: "system", content };
    return { message, tokens: this.#counter.message(message) };
  }
}

function fullText(count: string, position: number, log: Log): string {
  const requests = log.requests.slice(0, turnsBefore(log, position));
  const turns = requests.length > 1 ? ` (${requests.length} turns)` : "";
  const head = `[Memory Summary] Previous conversation context: ${count}${turns} left out to fit the window; the log keeps them.`;
  const [first, ...later] = requests;
  if (first === undefined) return head;
  const latest = later.slice(-LATEST).map((at) => `Later request: "${excerpt(log, at)}"`);
  return [head, `First request: "${excerpt(log, first)}"`, ...latest].join("\n");
}

function turnsBefore(log: Log, position: number): number {
  const next = log.requests.findLastIndex((at) => at < position);
  return next + 1;
}

function excerpt(log: Log, position: number): string {
  const text = messageText(log.messages[position]!)
    .slice(0, EXCERPT_LENGTH * 4)
    .replace(/\s+/g, " ")
    .trim();
  const cut = [...text].slice(0, EXCERPT_LENGTH).join("");
  return cut.length < text.length ? `${cut}…` : cut;
}
