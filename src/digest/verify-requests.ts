import type { Sections } from "./model-summariser-sections.js";
import type { Spoken } from "./verify-source.js";
import { contentWords, coverage, isLatin, sentencesOf, stem } from "./verify-words.js";

/** Checks that nothing is put into the user's mouth, and that no tool's words become an instruction. */
export interface FalseRequest {
  readonly kind: "request-not-made" | "instruction-promoted";
  readonly line: string;
}

const ATTRIBUTED =
  /\buser(?:'s|s)?\b[^.;\n]{0,24}?\b(?:ask(?:ed|s)?|request(?:ed|s)?|wants?|wanted|told|tells|instruct(?:ed|s|ions?)|insist(?:ed|s)?|demand(?:ed|s)?|requires?|required|would like|needs?|order(?:ed|s)?|approv(?:ed|es|al)|agree[ds]?|confirm(?:ed|s)|authori[sz](?:ed|es)|prefers?|preferred|said|says)\b(?<claim>[^\n]*)/i;
const INSTRUCTION =
  /\b(must|never|always|should|shall|do not|don['’]t|only|required?|have to|has to|need(?:s|ed)? to|make sure|ensure|ignore|forbidden|mandatory)\b/i;
const ATTRIBUTED_TO_SOURCE =
  /\b(says?|said|states?|stated|claims?|according to|found in|documented|mentions?|contains?|suggests?|reads?|output|returned)\b/i;

/** Less than this of a request in the user's words, and the user did not make it. */
const LEAST_SHARE = 0.3;
/** Less than this, and a passage of a tool that has more makes it the tool's. */
const OWN_SHARE = 0.6;
const PASSAGE_SHARE = 0.75;

/** Words of which one may stand for another in a request; the user must have used one of them. */
const ACTS: readonly ReadonlySet<string>[] = [
  "delete remove drop erase wipe purge clean clear rm destroy prune trash uninstall",
  "push publish release deploy ship upload",
  "send email mail forward share message notify post exfiltrate",
  "pay buy purchase transfer refund charge order wire",
  "disable deactivate bypass ignore skip turn stop kill revoke suppress",
  "overwrite reset revert rollback force undo restore",
  "grant approve authorize authorise allow permit confirm agree accept yes ok okay sure go",
].map((line) => new Set(line.split(" ").map(stem)));

/** A tool's output, of which only words that stand together count. */
interface Result {
  readonly words: ReadonlySet<string>;
  readonly passages: () => readonly ReadonlySet<string>[];
}

interface Voices {
  /** What the user said, by message: a long session has most words somewhere. */
  readonly user: readonly ReadonlySet<string>[];
  /** The user and the system: those who may set rules. */
  readonly rulers: readonly ReadonlySet<string>[];
  readonly results: readonly Result[];
  /** Whether the users' words can be compared with a Latin text. */
  readonly comparable: boolean;
  readonly acts: ReadonlySet<string>;
}

export function falseRequests(sections: Sections, summary: string, source: RequestSource): FalseRequest[] {
  const voices = voicesOf(source);
  const carried = new Set(sentencesOf(source.previous).map(plain));
  const fresh = (line: string): boolean => !carried.has(plain(line));
  const claims = [...sections.goal.filter(fresh), ...sentencesOf(summary).filter(fresh).flatMap(claimIn)];
  const rules = sections.constraints.filter(fresh);
  return [
    ...[...new Set(claims)].filter((claim) => !isMade(claim, voices)).map(fault("request-not-made")),
    ...rules.filter((rule) => isPromoted(rule, voices)).map(fault("instruction-promoted")),
  ];
}

export interface RequestSource {
  readonly spoken: readonly Spoken[];
  readonly previous: string;
}

const plain = (line: string): string =>
  line
    .replace(/^[\s\-*+•]+|^\d+[.)]\s*/g, "")
    .trim()
    .toLowerCase();

const fault =
  (kind: FalseRequest["kind"]) =>
  (line: string): FalseRequest => ({ kind, line });

function claimIn(sentence: string): string[] {
  const claim = ATTRIBUTED.exec(sentence)?.groups?.claim?.trim();
  return claim === undefined || claim === "" ? [] : [claim];
}

/** Where the messages hold no word of a user, the agent's answer to one is the nearest there is. */
function voicesOf({ spoken, previous }: RequestSource): Voices {
  const said = (wanted: Spoken["speaker"]): string[] =>
    spoken.flatMap(({ speaker, text }) => (speaker === wanted && text.trim() !== "" ? [text] : []));
  const user = said("user").length === 0 ? said("agent") : said("user");
  const words = [...user, previous].map(contentWords);
  return {
    user: words,
    rulers: [...words, ...said("system").flatMap(sentencesOf).map(contentWords)],
    results: said("result").map(resultOf),
    comparable: isLatin(user.join("\n")),
    acts: new Set([...user, previous].flatMap((text) => (text.toLowerCase().match(/\p{L}+/gu) ?? []).map(stem))),
  };
}

/** A claim of more words than this may tell of several requests. */
const ONE_REQUEST = 12;

/** The largest share of the words that one of the voices has by itself; of a long claim, that all have together. */
function share(words: ReadonlySet<string>, voices: readonly ReadonlySet<string>[]): number {
  if (words.size > ONE_REQUEST) return coverage(words, new Set(voices.flatMap((voice) => [...voice])));
  return Math.max(...voices.map((voice) => coverage(words, voice)));
}

function resultOf(text: string): Result {
  let passages: readonly ReadonlySet<string>[] | undefined;
  return {
    words: contentWords(text),
    passages: () => (passages ??= sentencesOf(text).map(contentWords)),
  };
}

const isInPassage = (words: ReadonlySet<string>, { results }: Voices): boolean =>
  results.some(
    (result) =>
      coverage(words, result.words) >= PASSAGE_SHARE &&
      result.passages().some((passage) => coverage(words, passage) >= PASSAGE_SHARE),
  );

function isMade(claim: string, voices: Voices): boolean {
  const words = contentWords(claim);
  const own = share(words, voices.user);
  if (words.size > 1 && own < OWN_SHARE && isInPassage(words, voices)) return false;
  if (!voices.comparable && isLatin(claim)) return true;
  return (words.size < 2 || own >= LEAST_SHARE) && actsAreAsked(words, voices);
}

function actsAreAsked(words: ReadonlySet<string>, { acts }: Voices): boolean {
  if (words.size > ONE_REQUEST) return true;
  return ACTS.every((group) => !meets(group, words) || meets(group, acts));
}

const meets = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean =>
  [...left].some((word) => right.has(word));

function isPromoted(rule: string, voices: Voices): boolean {
  if (!INSTRUCTION.test(rule) || ATTRIBUTED_TO_SOURCE.test(rule)) return false;
  const words = contentWords(rule);
  return share(words, voices.rulers) < OWN_SHARE && isInPassage(words, voices);
}
