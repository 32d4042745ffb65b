import { callsOf } from "../message/content.js";
import type { Message } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import { type DigestItem, type ItemGroup, lineOf } from "./digest.js";
import { findIdentifiers } from "./identifiers.js";
import type { Passage } from "./passages.js";
import { named } from "./worth.js";

/** Turns a message into the lines that a digest may keep of it. */
export interface ExtractInput {
  readonly message: Message;
  readonly position: number;
  readonly passages: readonly Passage[];
  readonly counter: TokenCounter;
  /** What became of a call, by its id, where it is worth saying. */
  readonly outcomes: ReadonlyMap<string, string>;
}

/** Worth of a line beyond its identifiers, on the scale of likelihoods. */
const BONUS = {
  /** What the user forbade or demanded outweighs all else. */
  rule: 3,
  constraint: 0.3,
  request: 0.15,
  /** An answer begins with what came of the work. */
  lead: 0.2,
  decision: 0.05,
  answer: 0.03,
  note: 0.004,
  error: 0.005,
};
/** So many statements at the start of an answer say what came of the work. */
const LEAD = 2;

export function extractItems(input: ExtractInput): DigestItem[] {
  const { message, passages } = input;
  return [...statements(message, input), ...passages.map((passage) => passageItem(passage, input))];
}

function passageItem(passage: Passage, input: ExtractInput): DigestItem {
  const failed = passage.failed && passage.source === "result";
  const isCall = passage.source === "call" && passage.call !== undefined && passage.text.startsWith(`${passage.tool} `);
  const outcome = isCall ? input.outcomes.get(passage.call) : undefined;
  return item(input, {
    text: passage.text.trim(),
    ...(outcome !== undefined && { state: outcome }),
    group: groupOf(passage),
    identifiers: [...passage.identifiers, ...passage.whole.map(named)],
    bonus: failed ? BONUS.error : 0,
  });
}

function groupOf({ source, failed }: Passage): ItemGroup {
  if (source === "user") return "User";
  if (source === "agent") return "Notes";
  if (source === "call") return "Calls";
  return failed ? "Errors" : "Seen";
}

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
/** "Don't" as an order, not as in "I don't know". */
const RULE =
  /\b(never|always|must(n'?t)?|under no circumstances)\b|(^|[.,;:-]\s*|\b(please|and|but|so|also|then)\s+)(don'?t|do not)\b/i;
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
        ? spoken.map((text, at) => (at < LEAD ? leadStatement(text) : answerStatement(text)))
        : spoken.slice(0, 1).map(noteStatement);
  return fields.map((each) => item(input, { ...each, identifiers: names(each.text) }));
}

const names = (text: string): string[] => [...new Set(findIdentifiers(text).map((each) => each.text))];

function spokenText(message: Message): string {
  if (typeof message.content === "string") return message.content;
  return message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

type Statement = Omit<ItemFields, "identifiers">;

function userStatement(text: string): Statement {
  const isQuestion = text.endsWith("?");
  if (isQuestion || !CONSTRAINT.test(text)) return { text, group: "User", bonus: BONUS.request };
  return { text, group: "Constraints", bonus: RULE.test(text) ? BONUS.rule : BONUS.constraint };
}

const leadStatement = (text: string): Statement => ({ text, group: "Decided", bonus: BONUS.lead });

const answerStatement = (text: string): Statement =>
  DECISION.test(text)
    ? { text, group: "Decided", bonus: BONUS.decision }
    : { text, group: "Notes", bonus: BONUS.answer };

const noteStatement = (text: string): Statement =>
  DECISION.test(text) ? { text, group: "Decided", bonus: BONUS.decision } : { text, group: "Notes", bonus: BONUS.note };

/** Sentences of a message beyond these are left to search. */
const MOST_SENTENCES = 16;

/** The sentences of a text that say something: not marks, fences or data. */
function sentences(text: string): string[] {
  const found = text.slice(0, 8_000).match(SENTENCE) ?? [];
  return found.map((sentence) => sentence.trim()).filter(isStatement);
}

const isStatement = (sentence: string): boolean =>
  sentence.length >= 12 &&
  sentence.length <= 280 &&
  !sentence.endsWith(":") &&
  !/^[<`|#]/.test(sentence) &&
  /([\p{L}\p{N}#'’/-]+[,:;]?\s+){2}[\p{L}\p{N}]/u.test(sentence) &&
  /\p{L}{3}/u.test(sentence);
