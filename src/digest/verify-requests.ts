import type { Sections } from "./model-summariser-sections.js";
import { falseOrders } from "./verify-orders.js";
import {
  actsAreAsked,
  type FalseRequest,
  isInPassage,
  LEAST_SHARE,
  OWN_SHARE,
  type RequestSource,
  share,
  type Voices,
  voicesOf,
} from "./verify-voices.js";
import { contentWords, isLatin, sentencesOf, stem } from "./verify-words.js";

/** Checks that nothing is put into the user's mouth, and that nobody else's words become an instruction. */

const ATTRIBUTED =
  /\buser(?:'s|s)?\b[^.;\n]{0,24}?\b(?:ask(?:ed|s)?|request(?:ed|s)?|wants?|wanted|told|tells|instruct(?:ed|s|ions?)|insist(?:ed|s)?|demand(?:ed|s)?|requires?|required|would like|needs?|order(?:ed|s)?|approv(?:ed|es|al)|agree[ds]?|confirm(?:ed|s)|authori[sz](?:ed|es)|prefers?|preferred|said|says)\b(?<claim>[^\n]*)/i;
/** Words of a claim that name nothing in particular. */
const VAGUE = new Set(
  "several various some many multiple thing things task tasks question questions change changes help following work step steps item items issue issues problem problems detail details different number couple lot series"
    .split(" ")
    .map(stem),
);

export function falseRequests(sections: Sections, summary: string, source: RequestSource): FalseRequest[] {
  const voices = voicesOf(source);
  const carried = new Set(sentencesOf(source.previous).map(plain));
  const fresh = (line: string): boolean => !carried.has(plain(line));
  const claims = [...sections.goal.filter(fresh), ...sentencesOf(summary).filter(fresh).flatMap(claimIn)];
  const unmade = [...new Set(claims)].filter((claim) => !isMade(claim, voices));
  return [
    ...unmade.map((line): FalseRequest => ({ kind: "request-not-made", line })),
    ...falseOrders(sections, fresh, voices).filter(({ line }) => !unmade.some((claim) => line.includes(claim))),
  ];
}

const plain = (line: string): string =>
  line
    .replace(/^[\s\-*+•]+|^\d+[.)]\s*/g, "")
    .trim()
    .toLowerCase();

function claimIn(sentence: string): string[] {
  const claim = ATTRIBUTED.exec(sentence)?.groups?.claim?.trim();
  return claim === undefined || claim === "" ? [] : [claim];
}

function isMade(claim: string, voices: Voices): boolean {
  const words = contentWords(claim);
  if ([...words].every((word) => VAGUE.has(word))) return true;
  const own = share(words, voices.user);
  if (words.size > 1 && own < OWN_SHARE && isInPassage(words, voices)) return false;
  if (!voices.comparable && isLatin(claim)) return true;
  return (words.size < 2 || own >= LEAST_SHARE) && actsAreAsked(words, voices);
}
