/** An agent's message that keeps what does not retell what is forgotten. */
import { namesIn, tellingTerms, withoutSentences } from "../../memory/echoes.js";
import { sentencesOf } from "../../memory/facts/sentences.js";
import { termsOf } from "../../memory/text/terms.js";
import type { Message } from "../../message/types.js";
import { FORGOTTEN, redactedMessage } from "./redacted-message.js";
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
   * A message that is known to retell the texts, without the sentences that do. Nothing is left where no sentence can be
   * told from the others, and where code or a table still names what was told. One that has lost text before may be done.
   */
  redacted(message: Message): Message {
    const whole = redactedMessage(message);
    if (this.#statements.length === 0 || message.role !== "assistant") return whole;
    const said = saidIn(message);
    const left = withoutSentences(said, (sentence) => this.#isTold(sentence));
    if (left === said) return said.startsWith(FORGOTTEN) ? message : whole;
    const isTelling = tellingTerms(left.replaceAll(FORGOTTEN, "")).length > 0;
    const isClean = isTelling && !this.#isNamed(left) && !sentencesOf(left).some((sentence) => this.#isTold(sentence));
    return isClean ? withText(whole, left) : whole;
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
