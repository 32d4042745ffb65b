import type { Sections } from "./model-summariser-sections.js";
import {
  actsAreOrdered,
  type FalseRequest,
  hasAct,
  isInPassage,
  LEAST_SHARE,
  OWN_SHARE,
  type Owners,
  share,
  type Voices,
} from "./verify-voices.js";
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
    ...constraints.filter(fresh).flatMap((rule) => faultOf(rule, voices.rulers, voices)),
    ...work.filter(fresh).flatMap((item) => faultOf(item, voices.workers, voices)),
  ];
}

/** What is wrong with a line that only these may have said, where it is an order; else anyone may. */
function faultOf(line: string, owners: Owners, voices: Voices): FalseRequest[] {
  const words = contentWords(line);
  const isOrder = INSTRUCTION.test(line) || hasAct(words);
  const told = [...voices.workers.whole, ...voices.results.map((result) => result.words)];
  if (ATTRIBUTED_TO_SOURCE.test(line) && share(words, told) >= OWN_SHARE) return [];
  if (INSTRUCTION.test(line) && share(words, owners.whole) < OWN_SHARE && isInPassage(words, voices))
    return [{ kind: "instruction-promoted", line }];
  if (!voices.comparable && isLatin(line)) return [];
  const isSaid = share(words, isOrder ? owners.whole : told) >= LEAST_SHARE;
  return isSaid && actsAreOrdered(line, owners.passages) ? [] : [{ kind: "request-not-made", line }];
}
