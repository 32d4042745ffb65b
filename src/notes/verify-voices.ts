/** Checks that nothing is put into anybody's mouth: who may have said what a statement tells. */
import type { Line } from "./verify-lines.js";
import type { Evidence, Passage } from "./verify-source.js";
import { claimIn, has, TERMS } from "./verify-terms.js";
import data from "./verify-terms.json" with { type: "json" };
import { contentWords, coverage, stem, stemsOf, type Words } from "./verify-words.js";

/** Less than this of an order in the words of those who may give it, and nobody gave it. */
const LEAST_SHARE = 0.2;
/** Less than this, and a passage of a tool that has more makes it the tool's. */
const OWN_SHARE = 0.6;
const PASSAGE_SHARE = 0.75;
/** A claim of more words than this may tell of several requests. */
const ONE_REQUEST = 12;
/** An order is about the same things as another if they share more than this. */
const SAME_OBJECTS = 0.5;

/** Words of which one may stand for another in a request; some of them are seldom anything but an act. */
const ACTS = data.acts.map(stemsOf);
const PLAIN_ACTS = stemsOf(data.plainActs);
const VAGUE = stemsOf(data.vague);
/** A line that begins so is an order, wherever it stands. */
const ORDER = new RegExp(
  `^\\W*(?:please |now |then |you (?:must|should|have to) |always )*(?:${data.plainActs.replaceAll(" ", "|")})\\s`,
  "i",
);

type Fault = "request-not-made" | "instruction-promoted" | undefined;

/** What is wrong with a statement that tells what somebody wants or what is to be done. */
export function voiceFault({ said, role }: Line, evidence: Evidence): Fault {
  const claim = claimIn(said) || (role === "goal" ? said : "");
  if (claim !== "") return isAsked(claim, evidence) ? undefined : "request-not-made";
  const isOrder = role === "decision" || role === "open" || has(TERMS.deontic, said) || ORDER.test(said);
  if (role !== "rule" && !isOrder) return undefined;
  return orderFault(said, role === "rule" ? evidence.rulers : evidence.workers, evidence);
}

function isAsked(claim: string, evidence: Evidence): boolean {
  const words = contentWords(claim);
  if ([...words].every((word) => VAGUE.has(word))) return true;
  const own = share(words, evidence.asked);
  if (words.size > 1 && own < OWN_SHARE && isInPassage(words, evidence)) return false;
  if (!evidence.comparable) return true;
  const isOwn = own > 0 || words.size < 2;
  return isOwn && !hasNewName(claim, evidence) && (words.size > ONE_REQUEST || isOrdered(words, evidence.asked));
}

/** Paraphrases bring in words, but no names. */
function hasNewName(claim: string, { texts, hasCapitals }: Evidence): boolean {
  const names = hasCapitals ? [] : (claim.match(/(?<=[\p{Ll},;]\s)\p{Lu}\p{L}{2,}/gu) ?? []);
  return names.some((name) => !texts.some((text) => text.toLowerCase().includes(name.toLowerCase())));
}

/** What is wrong with a line that only these may have said, where it is an order; else anyone may. */
function orderFault(line: string, owners: readonly Words[], evidence: Evidence): Fault {
  const words = contentWords(line);
  const told = evidence.spoken.map((each) => each.words);
  const isDeontic = has(TERMS.deontic, line);
  if (has(TERMS.quoted, line) && share(words, told) >= OWN_SHARE) return undefined;
  if (share(words, owners) < OWN_SHARE && isInPassage(words, evidence, isDeontic ? undefined : actOf(line)))
    return "instruction-promoted";
  const sayers = isDeontic || [...words].some((word) => PLAIN_ACTS.has(word)) ? owners : told;
  const isSaid = coverage(words, new Set(sayers.flatMap((each) => [...each]))) >= LEAST_SHARE;
  const clauses = line.split(/[,;:]\s|\s(?:and|then|or)\s/).map(contentWords);
  const isFine = isSaid && clauses.every((clause) => isOrdered(clause, evidence.workers));
  return isFine || !evidence.comparable ? undefined : "request-not-made";
}

/** Whether each act of an order was spoken of together with something that the order does it to. */
function isOrdered(words: Words, plans: readonly Words[]): boolean {
  const objects = new Set([...words].filter((word) => !ACTS.some((alike) => alike.has(word))));
  return ACTS.every((alike) => {
    if (![...words].some((word) => alike.has(word) && PLAIN_ACTS.has(word))) return true;
    return plans.some((own) => [...alike].some((act) => own.has(act)) && coverage(objects, own) > SAME_OBJECTS);
  });
}

/** The largest share of the words that one of the voices has by itself; of a long claim, that all have together. */
function share(words: Words, voices: readonly Words[]): number {
  if (words.size > ONE_REQUEST) return coverage(words, new Set(voices.flatMap((voice) => [...voice])));
  return Math.max(0, ...voices.map((voice) => coverage(words, voice)));
}

/** Whether a tool's text has the words in one place; with an act, that too, or as what must be. */
function isInPassage(words: Words, { spoken }: Evidence, act?: string): boolean {
  const isIn = (own: Words) => coverage(words, own) >= PASSAGE_SHARE;
  const isOrder = ({ text, words: own }: Passage) => act === undefined || own.has(act) || has(TERMS.deontic, text);
  const results = spoken.filter((each) => each.speaker === "result" && isIn(each.words));
  return results.some(({ passages }) => passages.some((each) => isIn(each.words) && isOrder(each)));
}

/** The word that an order begins with; none where a state is told. */
const actOf = (line: string): string =>
  has(TERMS.undone, line) ? "" : stem(/^[^\p{L}\p{N}]*(\p{L}+)/u.exec(line)?.[1]?.toLowerCase() ?? "");
