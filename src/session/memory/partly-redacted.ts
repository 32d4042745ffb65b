/** An agent's message that keeps what does not retell what is forgotten. */
import { namesIn, tellingTerms, withoutSentences } from "../../memory/echoes.js";
import { sentencesOf } from "../../memory/facts/sentences.js";
import { FORGOTTEN } from "../../memory/forgotten-texts.js";
import { termsOf } from "../../memory/text/terms.js";
import { mapTexts } from "../../message/map-texts.js";
import type { Message } from "../../message/types.js";
import { redactedMessage } from "./redacted-message.js";
import { saidIn } from "./said.js";

/** Shorter ones stand in any text. */
const SHORTEST_NAME = 3;
/** Shares of a sentence's telling words and of a text's, either of which is enough. Whatever is found as an echo has one. */
const OF_SENTENCE = 0.5;
const OF_TEXT = 0.8;

/** What takes the retelling of texts out of messages. */
export class PartRedactor {
  readonly #names: ReadonlySet<string>;
  readonly #statements: readonly ReadonlySet<string>[];

  constructor(texts: readonly string[]) {
    this.#names = new Set([...namesIn(texts)].filter((name) => name.length >= SHORTEST_NAME));
    const statements = new Set(texts.flatMap((text) => [text, ...sentencesOf(text)]));
    this.#statements = [...statements].map((text) => new Set(tellingTerms(text)));
  }

  /**
   * A message that is known to retell the texts, without what does. Nothing is left of words in which no sentence can be
   * told from the others, and where code or a table still names what was told. One that has lost text before may be done,
   * and of what users say nothing but the texts themselves goes.
   */
  redacted(message: Message): Message {
    if (message.role === "user" || message.role === "system") return message;
    const whole = redactedMessage(message);
    if (this.#statements.length === 0) return whole;
    if (message.role === "tool")
      return mapTexts(message, (text) => (this.#tells(text) ? (this.#left(text) ?? FORGOTTEN) : text));
    const said = saidIn(message);
    const isPlain = typeof message.content === "string" || message.content.every(({ type }) => type === "text");
    if (isPlain && !this.#tells(said)) return said.startsWith(FORGOTTEN) ? message : whole;
    const left = this.#left(said);
    return left === undefined ? whole : withText(whole, left);
  }

  /** What a text says besides; undefined where that is nothing, or cannot be told apart. */
  #left(text: string): string | undefined {
    const left = withoutSentences(text, (sentence) => this.#isTold(sentence));
    return tellingTerms(left.replaceAll(FORGOTTEN, "")).length > 0 && !this.#tells(left) ? left : undefined;
  }

  #tells(text: string): boolean {
    return this.#isNamed(text) || sentencesOf(text).some((sentence) => this.#isTold(sentence));
  }

  #isNamed(text: string): boolean {
    return termsOf(text).some((term) => this.#names.has(term));
  }

  #isTold(sentence: string): boolean {
    if (this.#isNamed(sentence)) return true;
    const terms = tellingTerms(sentence);
    return this.#statements.some((statement) => {
      const shared = terms.filter((term) => statement.has(term)).length;
      return shared > 0 && (shared >= OF_SENTENCE * terms.length || shared >= OF_TEXT * statement.size);
    });
  }
}

function withText(redacted: Message, left: string): Message {
  if (redacted.role !== "assistant") return redacted;
  const text = `${FORGOTTEN}\n${left.replaceAll(FORGOTTEN, "").trim()}`;
  if (typeof redacted.content === "string") return { role: "assistant", content: text };
  const parts = redacted.content.map((part) => (part.type === "text" ? { ...part, text } : part));
  return { role: "assistant", content: parts };
}
