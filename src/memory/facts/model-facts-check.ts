import { looksLikeInstruction } from "../trust/instructions.js";
import type { MemorySource } from "../trust/source.js";
import { clausesOf } from "./clauses.js";
import type { Fact } from "./fact.js";
import type { NotedFact } from "./model-facts-answer.js";
import { slotOf } from "./rule.js";
import { sentencesOf } from "./sentences.js";
import { normalValue, trimValue } from "./value.js";

/** A text to take facts from, with who said it. */
export interface Passage {
  readonly text: string;
  readonly source: MemorySource;
  readonly speaker?: string | undefined;
}

/** Why a fact was dropped. */
export type DropReason = "no such passage" | "not in the source" | "wrong speaker" | "not stated";

export type Checked = { readonly fact: Fact } | { readonly dropped: DropReason };

/**
 * Holds what a model noted against the passage it names. Quote, value and what ended stand there word for word; nobody is
 * given words of somebody else; what is hedged, asked or reported gives no value.
 */
export function checkFact(noted: NotedFact, passage: Passage | undefined): Checked {
  if (passage === undefined) return { dropped: "no such passage" };
  const quote = noted.quote.trim();
  const held = [quote, noted.value, noted.ended].every((part) => !part || holds(passage.text, part));
  if (!held) return { dropped: "not in the source" };
  if (passage.source === "tool" || passage.source === "import") return ofDocument(noted, quote);
  if (passage.source === "agent" && noted.kind === "preference") return { dropped: "wrong speaker" };
  return isStated(quote) ? { fact: factOf(noted, quote, passage) } : { dropped: "not stated" };
}

/** What a program or a document says is a fact found there: it is nobody's wish, and it ends nothing. */
function ofDocument({ kind }: NotedFact, quote: string): Checked {
  return kind === "fact" && !looksLikeInstruction(quote)
    ? { fact: { text: quote, kind } }
    : { dropped: "wrong speaker" };
}

const plain = (text: string): string => normalValue(text.replace(/[*_]{2}/g, "").replace(/[\n\r]+/g, " "));

const holds = (source: string, part: string): boolean => {
  const wanted = plain(part);
  return wanted !== "" && plain(source).includes(wanted);
};

/** A quotation of a question, of a guess or of others' words states nothing. Decisions and events may look ahead. */
const isStated = (quote: string): boolean => {
  const sentences = sentencesOf(quote);
  return sentences.length > 0 && sentences.some((sentence) => clausesOf(sentence).some(({ governed }) => !governed));
};

/** A slot only where the sentence is firm: a guess may be worth a note, and closes nothing. */
function factOf(noted: NotedFact, quote: string, passage: Passage): Fact {
  const firm = sentencesOf(quote).every((sentence) => clausesOf(sentence).some((clause) => clause.firm));
  const value = noted.value ? trimValue(noted.value) : undefined;
  const closes = noted.ended ? trimValue(noted.ended) : undefined;
  const slot = firm && noted.single === true && (value || closes) ? slotFor(noted, passage) : undefined;
  return {
    text: quote,
    kind: noted.kind,
    ...(slot !== undefined && { slot }),
    ...(value && firm && { value }),
    ...(closes && firm && { closes }),
    ...(noted.changed === true && { update: true as const }),
  };
}

/** Of the speaker, or of somebody that the passage names. What the agent says of itself is of no use later. */
function slotFor({ subject, attribute }: NotedFact, { text, source, speaker }: Passage): string | undefined {
  if (!attribute || !subject) return undefined;
  if (/^(?:the )?(?:speaker|i|me|user)$/i.test(subject)) {
    return source === "user" ? slotOf(speaker ?? "user", attribute) : undefined;
  }
  if (/^(?:we|us|our team|(?:the |this |our )?project|(?:the |our )?team)$/i.test(subject))
    return slotOf("project", attribute);
  return holds(text, subject) ? slotOf(subject, attribute) : undefined;
}
