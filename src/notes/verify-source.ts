/** What a summary is held against: who said what. */
import { outputText } from "../message/content.js";
import { argumentsText } from "../message/tool-call.js";
import type { Message, Part } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import type { Summary } from "./summariser.js";
import { has, TERMS } from "./verify-terms.js";
import { contentWords, languageOf, sameLanguage, sentencesOf, type Words } from "./verify-words.js";

export interface VerifySource {
  readonly messages: readonly Message[];
  /** The summary that was carried on: it was checked when it was made. */
  readonly previous?: string;
  readonly counter: TokenCounter;
  /** Why the model stopped writing, where it said so. */
  readonly finish?: Summary["finish"];
  /** The most tokens that the summary may have. */
  readonly maxTokens?: number;
}

/** Who says a thing: a call is what the agent did, a result what the world answered. */
export type Speaker = "user" | "agent" | "system" | "call" | "result";

/** What was said: in one go, or a sentence or line of it. */
export interface Passage {
  readonly text: string;
  readonly words: Words;
}
export interface Spoken extends Passage {
  readonly speaker: Speaker;
  readonly passages: readonly Passage[];
}

const SPEAKERS: Readonly<Record<Message["role"], Speaker>> = {
  user: "user",
  assistant: "agent",
  system: "system",
  tool: "result",
};

function spokenPart(part: Part, speaker: Speaker): Spoken[] {
  if (part.type === "text" || part.type === "reasoning") return spoken(speaker, part.text);
  if (part.type === "tool-call") return spoken("call", `${part.toolName} ${argumentsText(part)}`);
  if (part.type === "tool-result") return spoken("result", outputText(part.output));
  return part.type === "file" && part.filename !== undefined ? spoken(speaker, part.filename) : [];
}

/** A longer line of a result says several things, and a longer message is no mere reply. */
const ONE_LINE = 400;
const REPLY = 100;

function spoken(speaker: Speaker, text: string): Spoken[] {
  if (text.trim() === "") return [];
  // Arguments are JSON, in which the end of a line is written out.
  const lines = speaker === "call" ? text.split(/\n|\\n/) : speaker === "result" ? text.split("\n") : [text];
  const isOne = (line: string) => speaker === "call" || (speaker === "result" && line.length <= ONE_LINE);
  const passages = lines.flatMap((line) => (isOne(line) ? [line] : sentencesOf(line)));
  return [{ speaker, ...passage(text), passages: passages.map(passage) }];
}

const passage = (text: string): Passage => ({ text, words: contentWords(text) });

export interface Evidence {
  readonly spoken: readonly Spoken[];
  /** All texts, the summary before included. */
  readonly texts: readonly string[];
  /** What the user asked, by message, each with what it answers. */
  readonly asked: readonly Words[];
  /** Those who may set rules, and those who may say what is to be done: the agent too, by word and deed. */
  readonly rulers: readonly Words[];
  readonly workers: readonly Words[];
  /** What the user agreed to or not. */
  readonly replies: readonly Reply[];
  /** Whether the summary can be compared with the user's words, and whether its language writes all nouns like names. */
  readonly comparable: boolean;
  readonly hasCapitals: boolean;
}

/** A short answer of the user's, with the words of the statement that it answers. */
export interface Reply {
  readonly words: Words;
  readonly agrees: boolean | undefined;
}

/** Where the messages hold no word of a user, the agent's answer to one is the nearest there is. */
export function evidenceFor(summary: string, { messages, previous = "" }: VerifySource): Evidence {
  const all = messages.flatMap(({ role, content }) => {
    const speaker = SPEAKERS[role];
    return typeof content === "string"
      ? spoken(speaker, content)
      : content.flatMap((part) => spokenPart(part, speaker));
  });
  const of = (speaker: Speaker) => all.filter((each) => each.speaker === speaker);
  const parts = (those: readonly Spoken[]) => those.flatMap(({ passages }) => passages);
  const user = of("user").length === 0 ? of("agent") : of("user");
  const own = [...user, ...spoken("user", previous)];
  const replies = all.flatMap((each, at) => repliesIn(each, all[at - 1]));
  const rulers = wordsIn([...own, ...parts(own), ...parts(of("system"))]);
  const plans = parts(of("agent")).filter(({ text }) => !has(TERMS.quoted, text) && !has(TERMS.declined, text));
  return {
    spoken: all,
    texts: [previous, ...all.map(({ text }) => text)],
    asked: wordsIn([...own, ...replies]),
    rulers,
    workers: [...rulers, ...wordsIn([...plans, ...of("call"), ...parts(of("call")), ...replies])],
    replies,
    comparable: sameLanguage(user.map(({ text }) => text).join("\n"), summary),
    hasCapitals: languageOf(summary) === "de",
  };
}

const wordsIn = (all: readonly { readonly words: Words }[]): Words[] => all.map(({ words }) => words);

function repliesIn({ speaker, text, words }: Spoken, before: Spoken | undefined): Reply[] {
  if (speaker !== "user" || text.length > REPLY || before?.speaker !== "agent") return [];
  const begins = (pattern: RegExp) => /^\W{0,3}$/u.test(text.slice(0, text.search(pattern))) && has(pattern, text);
  const agrees = begins(TERMS.no) ? false : begins(TERMS.yes) ? true : undefined;
  return before.passages.slice(-3).map((said) => ({ words: new Set([...words, ...said.words]), agrees }));
}
