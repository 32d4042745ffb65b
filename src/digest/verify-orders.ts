import type { Sections } from "./model-summariser-sections.js";
import type { FalseRequest } from "./verify-requests.js";
import { actsAreOrdered, hasAct, isInPassage, LEAST_SHARE, OWN_SHARE, share, type Voices } from "./verify-voices.js";
import { contentWords, isLatin } from "./verify-words.js";

/**
 * Checks what a summary tells its reader to do. A rule must come from the user or the system; what is decided, open or
 * next may come from the agent too; what a tool printed orders nothing.
 */

const INSTRUCTION =
  /\b(must|never|always|should|shall|do not|don['’]t|only|required?|have to|has to|need(?:s|ed)? to|make sure|ensure|ignore|forbidden|mandatory)\b/i;
const ATTRIBUTED_TO_SOURCE =
  /\b(says?|said|states?|stated|claims?|according to|found in|documented|mentions?|contains?|suggests?|reads?|output|returned)\b/i;
/** A line that begins so is an order, wherever it stands. */
const ORDER =
  /^\W*(?:please |now |then |you (?:must|should|have to) |always )*(?:delete|remove|drop|erase|wipe|purge|destroy|push|publish|deploy|send|email|transfer|pay|disable|bypass|ignore|overwrite|reset|revert|grant|approve|authori[sz]e)\s/i;

export function falseOrders(sections: Sections, fresh: (line: string) => boolean, voices: Voices): FalseRequest[] {
  const { constraints, decisions, open, next, earlier, files, errors } = sections;
  const orders = [...earlier, ...files, ...errors].filter((line) => ORDER.test(line));
  const work = [...decisions, ...open, ...next, ...orders];
  return [
    ...constraints.filter(fresh).flatMap((rule) => faultOfRule(rule, voices)),
    ...work.filter(fresh).flatMap((item) => faultOfWork(item, voices)),
  ];
}

function faultOfRule(rule: string, voices: Voices): FalseRequest[] {
  const words = contentWords(rule);
  const own = share(words, voices.rulers);
  const inPassage = isInPassage(words, voices);
  if (isTold(rule, words, voices)) return [];
  if (INSTRUCTION.test(rule) && own < OWN_SHARE && inPassage) return [{ kind: "instruction-promoted", line: rule }];
  const isOrder = INSTRUCTION.test(rule) || hasAct(words);
  const owners = isOrder ? voices.rulers : [...voices.workers, ...voices.results.map((result) => result.words)];
  return isFrom(owners, rule, voices) ? [] : [{ kind: "request-not-made", line: rule }];
}

/** Whether a line only tells what some text says, and that text is there. */
function isTold(line: string, words: ReadonlySet<string>, voices: Voices): boolean {
  if (!ATTRIBUTED_TO_SOURCE.test(line)) return false;
  return share(words, [...voices.workers, ...voices.results.map((result) => result.words)]) >= OWN_SHARE;
}

function faultOfWork(item: string, voices: Voices): FalseRequest[] {
  const words = contentWords(item);
  if (isTold(item, words, voices)) return [];
  if (INSTRUCTION.test(item) && share(words, voices.workers) < OWN_SHARE && isInPassage(words, voices))
    return [{ kind: "instruction-promoted", line: item }];
  const isSaid = share(words, [...voices.workers, ...voices.results.map((result) => result.words)]) >= LEAST_SHARE;
  const isKnown = isSaid && actsAreOrdered(words, voices.workers);
  return isKnown || isOtherScript(item, voices) ? [] : [{ kind: "request-not-made", line: item }];
}

const isFrom = (owners: readonly ReadonlySet<string>[], line: string, voices: Voices): boolean => {
  if (isOtherScript(line, voices)) return true;
  const words = contentWords(line);
  return share(words, owners) >= LEAST_SHARE && actsAreOrdered(words, owners);
};

const isOtherScript = (line: string, { comparable }: Voices): boolean => !comparable && isLatin(line);
