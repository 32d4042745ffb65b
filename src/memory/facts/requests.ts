import { sentencesOf } from "./sentences.js";

/** What a user asks of the memory itself, in so many words. */
export interface MemoryRequests {
  /** What is to be kept, as it was said. */
  readonly remember: readonly string[];
  /** What is to be removed: a description of it. */
  readonly forget: readonly string[];
  /** What is said to hold no longer. */
  readonly expired: readonly string[];
  /** Rules on what is never to be kept. */
  readonly rules: readonly string[];
  /** Nothing of this text is to be kept. */
  readonly doNotStore: boolean;
}

const NOTHING: MemoryRequests = { remember: [], forget: [], expired: [], rules: [], doNotStore: false };

const POLITE =
  "^(?:(?:please|ok|okay|hey|also|and|now|so|oh|actually|well|btw|by the way|(?:can|could|would|will) you(?: please)?|I(?:'d like| want| need) you to|you (?:should|can|may|must))[, ]+)*";
const asked = (pattern: string): RegExp => new RegExp(`${POLITE}(?:${pattern})`, "i");

const REMEMBER = [
  asked(
    "(?:remember|memori[sz]e|keep in mind|bear in mind|make a note|take note|note down|note|don't forget|do not forget|never forget)(?: (?:this|that|the following|of this|of the following))?(?: for (?:later|me|next time|the future))?(?: that|:|,| -)? (?<what>.+)",
  ),
  asked(
    "(?:save|store|add|put|keep|record|write)(?: down)? (?:this|that|the following|it)(?: (?:in|to|into) (?:your |the )?memory| for (?:later|next time|the future))[:,]? ?(?<what>.*)",
  ),
  /^(?:for [^,:]{1,120}, )?(?:remember|note|keep|save) this [\w ]{1,30}: (?<what>.+)/i,
  /^[\w ]{1,40} to (?:remember|preserve|keep in mind)(?: [\w ]{1,30})?: (?<what>.+)/i,
];
/** Of a past, a task, or a thing: "remember when…", "remember to…", "note the error below". */
const NOT_REMEMBER =
  /^(?:when|to|how|the (?:time|day|good)|what|if|me|him|her|us|them|not|you|it|this|that|taking|on|in)\b/i;

const FORGET = [
  asked(
    "(?:forget and (?:delete|erase|remove)|forget|unlearn|(?:delete|erase|remove|wipe) and forget)(?: (?:everything|all|anything|whatever)(?: (?:that )?(?:you (?:know|remember|learned|stored|have)|I (?:said|told you|mentioned)))?)?(?: (?:about|that|what I (?:said|told you)(?: about)?))? (?<what>.+)",
  ),
  asked(
    "(?:delete|erase|remove|wipe|clear|drop|purge)(?: (?:everything|all|anything))?(?: (?:about|of))? (?<what>.+?) from (?:your |the |my |long-term )*(?:memory|memories|notes on me)(?!\\.?\\w)",
  ),
  asked(
    "(?:delete|erase|remove|wipe|clear|purge) (?<what>everything|all|anything|what)(?: (?:that )?you (?:know|remember|stored|have)(?: (?:about|on|of) (?<about>.+))?)",
  ),
  asked("(?:delete|erase|remove|wipe|clear|purge) (?:the |your |any )?memor(?:y|ies) (?:of|about|that|on) (?<what>.+)"),
];
/** "Forget it", "forget to", and what somebody else forgot. */
const NOT_FORGET = /^(?:it|to|about it|that|this|me not)[.!]*$|^to\b/i;

const EXPIRED = [
  /^(?:this|that|the|my|our)? ?(?:[\w' -]{1,60}) (?:has|have|is|are) (?:now )?(?:expired|obsolete|outdated|out of date): (?<what>.+)/i,
  /^(?<what>(?:this|that|the|my|our|what I said about) .{2,120}?) (?:has|have|is|are) (?:now )?(?:expired|obsolete|outdated|out of date|no longer (?:valid|relevant|true|current|needed|in force|applicable))\b/i,
  asked(
    "(?:ignore|disregard|scratch) (?:what I (?:said|told you|wrote)(?: earlier| before)?(?: about)?|my (?:earlier|previous|last) (?:note|message|statement|comment)(?: about| on)?) (?<what>.+)",
  ),
];

const KEEP = "(?:save|store|remember|record|retain|memori[sz]e|persist|keep|log|repeat|echo|write down)";
const BAN = `(?:(?:do not|don't|never|must not|mustn't|should not|shouldn't|can not|cannot|may not)(?: ever)?|not to) ${KEEP}(?:(?:,| or| and|, or|,? nor) ${KEEP})*`;
const ITSELF =
  "(?:this|that|it|these|those|them|any of (?:this|it|that)|the (?:above|following)|what I (?:just )?(?:said|told you|wrote)|my last message|this (?:message|conversation|chat|information|info|value|secret|password|key|token))";
const OFF_RECORD = [
  new RegExp(
    `\\b${BAN} ${ITSELF}(?: (?:in|to) (?:your |the )?memory| anywhere| for later| please)?(?=$|[.!,;:)]| (?:or|and|please)\\b)`,
    "i",
  ),
  /\b(?:this|that|it|these|the (?:above|following)) (?:must|should|may|can|is|are)(?: not|n't) (?:to )?be (?:saved|stored|remembered|recorded|kept|retained|logged|memori[sz]ed)\b/i,
  /\b(?:this|that|it) is (?:strictly )?off the record\b|^off the record\b|\b(?:forget|pretend) (?:that )?I (?:ever |just )?(?:said|told you|mentioned)\b/i,
];
const RULE = new RegExp(
  `\\b(?:${BAN}|(?:always )?(?:avoid|refrain from) (?:storing|saving|recording|remembering)) (?!${ITSELF}(?:$|\\W))(?=.*\\b(?:secret|password|credential|token|key|personal|private|sensitive|health|medical|financial|confidential|address|phone|card|names?|information|data)s?\\b)`,
  "i",
);
/** Every request has one of these words. */
const SIGN =
  /remember|memor|in mind|note|forget|unlearn|save|stor(?:e|ing)|add|put|keep|record|writ|delet|eras|remov|wipe|clear|drop|purge|expired|obsolete|out ?dated|out of date|no longer|ignore|disregard|scratch|pretend|avoid|refrain|preserve|repeat|echo|log|retain|persist|kept/i;
const QUESTION =
  /^(?:why|how|what|when|where|who|which|did|do(?! not)|does|should|shall|is|are|was|were|have|has|had|if)\b/i;

/**
 * The requests that a user's text makes of the memory.
 *
 * @example
 * ```ts
 * requestsIn("Please forget my old address.").forget; // ["my old address"]
 * requestsIn("The pin is 4711. Do not save it.").doNotStore; // true
 * ```
 */
export function requestsIn(text: string): MemoryRequests {
  if (!SIGN.test(text)) return NOTHING;
  const sentences = sentencesOf(text).filter((sentence) => SIGN.test(sentence) && !QUESTION.test(sentence));
  const described = (patterns: readonly RegExp[], none?: RegExp): string[] =>
    sentences.flatMap((sentence) => whatIn(sentence, patterns).filter((what) => none?.test(what) !== true));
  const banned = sentences.filter((sentence) => OFF_RECORD.some((pattern) => pattern.test(sentence)));
  return {
    remember: described(REMEMBER, NOT_REMEMBER),
    forget: described(FORGET, NOT_FORGET),
    expired: described(EXPIRED),
    rules: sentences.filter((sentence) => RULE.test(sentence) && !banned.includes(sentence)),
    doNotStore: banned.length > 0,
  };
}

/** What the first pattern that fits says is meant. */
function whatIn(sentence: string, patterns: readonly RegExp[]): string[] {
  for (const pattern of patterns) {
    const groups = pattern.exec(sentence)?.groups;
    if (groups === undefined) continue;
    const what = (groups.about ?? groups.what ?? "").replace(/[\s.!?]+$/, "").trim();
    return what === "" ? [] : [what];
  }
  return [];
}
