import { callsOf } from "../message/content.js";
import type { Message } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import { type DigestItem, type ItemGroup, lineOf } from "./digest.js";
import { findIdentifiers } from "./identifiers.js";
import type { Passage } from "./passages.js";

/** Turns a message into the lines that a digest may keep of it. */
export interface ExtractInput {
  readonly message: Message;
  readonly position: number;
  readonly passages: readonly Passage[];
  readonly counter: TokenCounter;
}

/** Worth of a line beyond its identifiers, on the scale of likelihoods. */
const BONUS = { constraint: 0.3, request: 0.05, decision: 0.05, answer: 0.03, note: 0.004, error: 0.005 };

export function extractItems(input: ExtractInput): DigestItem[] {
  const { message, passages } = input;
  return [...statements(message, input), ...passages.map((passage) => passageItem(passage, input))];
}

function passageItem(passage: Passage, input: ExtractInput): DigestItem {
  const failed = passage.failed && passage.source === "result";
  return item(input, {
    text: oneLine(passage.text),
    group: groupOf(passage),
    identifiers: passage.identifiers,
    bonus: failed ? BONUS.error : 0,
  });
}

function groupOf({ source, failed }: Passage): ItemGroup {
  if (source === "user") return "Requests";
  if (source === "agent") return "Notes";
  if (source === "call") return "Calls";
  return failed ? "Errors" : "Found";
}

const oneLine = (text: string): string => text.replace(/^\n+|\s+$/g, "");

interface ItemFields {
  readonly text: string;
  readonly group: ItemGroup;
  readonly identifiers: readonly string[];
  readonly bonus: number;
  readonly state?: string;
}

function item({ position, counter }: ExtractInput, fields: ItemFields): DigestItem {
  const line = { ...fields, state: fields.state };
  return { ...line, position, tokens: counter.text(lineOf(line)) + 1 };
}

const SENTENCE = /[^\n.!?]+(?:[.!?](?!\s|$)[^\n.!?]*)*[.!?]?/g;
const CONSTRAINT =
  /\b(never|don'?t|do not|must(n'?t)?|always|only|avoid|without|make sure|ensure|no more than|at most|at least|instead of|prefer)\b/i;
const DECISION =
  /\b(decided|decision|let'?s|we('| wi)ll|going (with|to use)|instead|because|root cause|the (fix|issue|problem|bug) is|chose|agreed)\b/i;

/** What people said that matters beyond identifiers: what they asked, what they forbade, what was decided and found. */
function statements(message: Message, input: ExtractInput): DigestItem[] {
  if (message.role !== "user" && message.role !== "assistant") return [];
  const spoken = sentences(spokenText(message)).slice(0, MOST_SENTENCES);
  const isAnswer = message.role === "assistant" && callsOf(message).length === 0;
  const fields =
    message.role === "user"
      ? spoken.map(userStatement)
      : isAnswer
        ? spoken.map(answerStatement)
        : spoken.slice(0, 1).map(noteStatement);
  return fields.map((each) => item(input, { ...each, identifiers: names(each.text) }));
}

const names = (text: string): string[] => [...new Set(findIdentifiers(text).map((each) => each.text))];

function spokenText(message: Message): string {
  if (typeof message.content === "string") return message.content;
  return message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

type Statement = Omit<ItemFields, "identifiers">;

const userStatement = (text: string): Statement =>
  CONSTRAINT.test(text)
    ? { text, group: "Constraints", bonus: BONUS.constraint }
    : { text, group: "Requests", bonus: BONUS.request };

const answerStatement = (text: string): Statement =>
  DECISION.test(text)
    ? { text, group: "Decisions", bonus: BONUS.decision }
    : { text, group: "Notes", bonus: BONUS.answer };

const noteStatement = (text: string): Statement =>
  DECISION.test(text)
    ? { text, group: "Decisions", bonus: BONUS.decision }
    : { text, group: "Notes", bonus: BONUS.note };

/** Sentences of a message beyond these are left to search. */
const MOST_SENTENCES = 16;

/** The sentences of a text that say something: not marks, fences or data. */
function sentences(text: string): string[] {
  const found = text.slice(0, 8_000).match(SENTENCE) ?? [];
  return found.map((sentence) => sentence.trim()).filter(isStatement);
}

const isStatement = (sentence: string): boolean =>
  sentence.length >= 8 &&
  sentence.length <= 280 &&
  !/^[<`|#]/.test(sentence) &&
  /(\p{L}{2,}\s+){3}\p{L}/u.test(sentence);
