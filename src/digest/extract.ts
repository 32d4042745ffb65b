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

const GIST_LENGTH = 140;
/** Worth of a line beyond its identifiers, on the scale of likelihoods. */
const BONUS = { constraint: 0.3, request: 0.04, decision: 0.04, note: 0.008, error: 0.005 };

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

/** What people said that matters beyond identifiers: what they asked, what they forbade, what was decided. */
function statements(message: Message, input: ExtractInput): DigestItem[] {
  if (message.role !== "user" && message.role !== "assistant") return [];
  const text = spokenText(message);
  if (text === "") return [];
  const spoken = message.role === "user" ? userStatements(text) : agentStatements(text);
  return spoken.map((fields) => item(input, { ...fields, identifiers: names(fields.text) }));
}

const names = (text: string): string[] => [...new Set(findIdentifiers(text).map((each) => each.text))];

function spokenText(message: Message): string {
  if (typeof message.content === "string") return message.content;
  return message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

type Statement = Omit<ItemFields, "identifiers">;

function userStatements(text: string): Statement[] {
  const constraints = sentences(text)
    .filter((sentence) => CONSTRAINT.test(sentence))
    .slice(0, 6);
  const kept = constraints.map(
    (sentence): Statement => ({ text: sentence, group: "Constraints", bonus: BONUS.constraint }),
  );
  const gist = firstWords(text);
  return constraints.includes(gist) ? kept : [{ text: gist, group: "Requests", bonus: BONUS.request }, ...kept];
}

function agentStatements(text: string): Statement[] {
  const decisions = sentences(text)
    .filter((sentence) => DECISION.test(sentence))
    .slice(0, 2);
  const kept = decisions.map((sentence): Statement => ({ text: sentence, group: "Decisions", bonus: BONUS.decision }));
  return kept.length > 0 ? kept : [{ text: firstWords(text), group: "Notes", bonus: BONUS.note }];
}

function sentences(text: string): string[] {
  const found = text.slice(0, 8_000).match(SENTENCE) ?? [];
  return found.map((sentence) => sentence.trim()).filter((sentence) => sentence.length >= 12 && sentence.length <= 240);
}

function firstWords(text: string): string {
  const line = text.trim().split("\n", 1)[0]!;
  if (line.length <= GIST_LENGTH) return line;
  const end = line.lastIndexOf(" ", GIST_LENGTH);
  return `${line.slice(0, end > GIST_LENGTH / 2 ? end : GIST_LENGTH).replace(/[\ud800-\udbff]$/, "")}…`;
}
