import type { Spoken } from "./verify-source.js";
import { contentWords, coverage, isLatin, sentencesOf, stem } from "./verify-words.js";

/** Who said what in a source, as words to compare with. */

export interface FalseRequest {
  readonly kind: "request-not-made" | "instruction-promoted";
  readonly line: string;
}

export interface RequestSource {
  readonly spoken: readonly Spoken[];
  readonly previous: string;
}

type Words = ReadonlySet<string>;

/** A tool's output, of which only words that stand together count. */
interface Result {
  readonly words: Words;
  readonly passages: () => readonly Words[];
}

/** Those who may say a thing: what they said as a whole, and in passages that are each about one thing. */
export interface Owners {
  readonly whole: readonly Words[];
  readonly passages: readonly Words[];
}

export interface Voices {
  /** What the user said, by message: a long session has most words somewhere. */
  readonly user: readonly Words[];
  /** The user and the system: those who may set rules. */
  readonly rulers: Owners;
  /** Those who may say what is to be done: the rulers, and the agent by word and deed. */
  readonly workers: Owners;
  readonly results: readonly Result[];
  /** Whether the users' words can be compared with a Latin text. */
  readonly comparable: boolean;
  readonly acts: Words;
}

/** Less than this of a request in the words of one who may make it, and it was not made. */
export const LEAST_SHARE = 0.3;
/** Less than this, and a passage of a tool that has more makes it the tool's. */
export const OWN_SHARE = 0.6;
const PASSAGE_SHARE = 0.75;
/** A claim of more words than this may tell of several requests. */
const ONE_REQUEST = 12;
/** An order is about the same things as another if they share more than this. */
const SAME_OBJECTS = 0.5;
const CLAUSE = /[,;:]\s|\s(?:and|then|or)\s/;
/** A longer message speaks of several things. */
const ONE_PASSAGE = 600;

/** Words of which one may stand for another in a request; whoever made it must have used one of them. */
const ACTS: readonly Words[] = [
  "delete remove drop erase wipe purge clean clear rm destroy prune trash uninstall",
  "push publish release deploy ship upload",
  "send email mail forward share message notify post exfiltrate",
  "pay buy purchase transfer refund charge order wire",
  "disable deactivate bypass ignore skip turn stop kill revoke suppress",
  "overwrite reset revert rollback force undo restore",
  "grant approve authorize authorise allow permit confirm agree accept yes ok okay sure go",
].map((line) => new Set(line.split(" ").map(stem)));

/** Those of them that are seldom anything but an act; others are names of things as well. */
const PLAIN_ACTS: Words = new Set(
  "delete remove drop erase wipe purge rm destroy uninstall push publish deploy upload send email exfiltrate pay buy purchase transfer refund disable deactivate bypass ignore revoke suppress overwrite reset revert rollback grant approve authorize authorise"
    .split(" ")
    .map(stem),
);

/** What an agent says of a text that it read, or will not do, is no plan of its own. */
const NO_PLAN =
  /\b(says?|said|states?|claims?|according to|contains?|reads?|tells?|not|never|refus\w+|injection)\b|n['’]t\b/i;

/** Where the messages hold no word of a user, the agent's answer to one is the nearest there is. */
export function voicesOf({ spoken, previous }: RequestSource): Voices {
  const said = (wanted: Spoken["speaker"]): string[] =>
    spoken.flatMap(({ speaker, text }) => (speaker === wanted && text.trim() !== "" ? [text] : []));
  const user = said("user").length === 0 ? said("agent") : said("user");
  const words = [...user, previous].map(contentWords);
  const rules = said("system").flatMap(sentencesOf).map(contentWords);
  const rulers = {
    whole: [...words, ...rules],
    passages: [...[...user.flatMap(passagesOf), ...sentencesOf(previous)].map(contentWords), ...rules],
  };
  return {
    user: words,
    rulers,
    workers: withAgent(rulers, said("agent"), said("call")),
    results: said("result").map(resultOf),
    comparable: isLatin(user.join("\n")),
    acts: new Set([...user, previous].flatMap(wordsWithActs)),
  };
}

function withAgent(rulers: Owners, agent: readonly string[], calls: readonly string[]): Owners {
  const sentences = agent.flatMap(sentencesOf).filter((sentence) => !NO_PLAN.test(sentence));
  const plans = sentences.map(contentWords);
  const lines = calls.flatMap((call) => call.split(CALL_LINE)).map(contentWords);
  return {
    whole: [...rulers.whole, ...plans, ...calls.map(contentWords)],
    passages: [...rulers.passages, ...plans, ...lines],
  };
}

/** Arguments are JSON, in which the end of a line is written out. */
const CALL_LINE = /\n|\\n/;

const passagesOf = (text: string): string[] => (text.length <= ONE_PASSAGE ? [text] : sentencesOf(text));

/** All words, also those that say too little to be compared, but may say yes. */
const wordsWithActs = (text: string): string[] => (text.toLowerCase().match(/\p{L}+/gu) ?? []).map(stem);

function resultOf(text: string): Result {
  let passages: readonly Words[] | undefined;
  return {
    words: contentWords(text),
    passages: () => (passages ??= sentencesOf(text).map(contentWords)),
  };
}

/** The largest share of the words that one of the voices has by itself; of a long claim, that all have together. */
export function share(words: Words, voices: readonly Words[]): number {
  if (words.size > ONE_REQUEST) return coverage(words, new Set(voices.flatMap((voice) => [...voice])));
  return Math.max(0, ...voices.map((voice) => coverage(words, voice)));
}

export const isInPassage = (words: Words, { results }: Voices): boolean =>
  results.some(
    (result) =>
      coverage(words, result.words) >= PASSAGE_SHARE &&
      result.passages().some((passage) => coverage(words, passage) >= PASSAGE_SHARE),
  );

export function actsAreAsked(words: Words, { acts }: Voices): boolean {
  if (words.size > ONE_REQUEST) return true;
  return ACTS.every((group) => !meets(group, words) || meets(group, acts));
}

/** Whether each act of an order was spoken of, and together with something that the order does it to. */
export function actsAreOrdered(line: string, voices: readonly Words[]): boolean {
  return line.split(CLAUSE).every((clause) => isOrdered(contentWords(clause), voices));
}

function isOrdered(words: Words, voices: readonly Words[]): boolean {
  const acts = [...words].filter((word) => PLAIN_ACTS.has(word));
  const objects = new Set([...words].filter((word) => !ACTS.some((group) => group.has(word))));
  const isAbout = (voice: Words): boolean => coverage(objects, voice) > SAME_OBJECTS;
  return acts.every((act) => {
    const alike = ACTS.find((group) => group.has(act))!;
    return voices.some((voice) => meets(alike, voice) && isAbout(voice));
  });
}

export const hasAct = (words: Words): boolean => meets(PLAIN_ACTS, words);

const meets = (left: Words, right: Words): boolean => [...left].some((word) => right.has(word));
