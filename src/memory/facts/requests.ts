import { checkString } from "../../message/option-names.js";
import { sentencesIn } from "./sentences.js";
import type { Span } from "./spans.js";

/**
 * What a user asks of the memory itself. Whose words a sentence is cannot be told from a text that is passed on, and
 * forgetting cannot be undone: only a message that is nothing but its request is done, any other is for the user to confirm.
 */
export interface MemoryRequest extends Span {
  /**
   * `forget`: remove what is described. `forget-all`: remove everything, which is for the program to confirm. `expire`:
   * what is described holds no longer. `lapse`: so the user says of a thing, and perhaps of a memory of it.
   */
  readonly kind: "forget" | "forget-all" | "expire" | "lapse";
  /** A description of what is meant; empty where it is everything. */
  readonly what: string;
  /** The sentence that asks, as it stands in the text. */
  readonly text: string;
  /** Whether the message is nothing but this: one short sentence on one line, with nothing set apart in it. */
  readonly alone: boolean;
}

const POLITE =
  "^(?:(?:please|ok|okay|hey|also|and|now|so|oh|actually|well|btw|by the way|(?:can|could|would|will) you(?: please)?|I(?:'d like| want| need) you to|you (?:should|can|may|must))[, ]+)*";
const asked = (pattern: string): RegExp => new RegExp(`${POLITE}(?:${pattern})`, "i");

const REMOVE = "(?:forget|delete|erase|remove|wipe|clear|drop|purge|unlearn)";
const BOTH = `(?:forget and (?:delete|erase|remove)|(?:delete|erase|remove|wipe) and forget)`;
const ALL = "(?:everything|all|anything|whatever|what)";
const KNOWN =
  "(?:that )?(?:you (?:know|remember|have learned|learned|learnt|stored|saved|have|have stored|have saved)|I(?:'ve| have)? (?:said|told you|mentioned|shared|wrote))";
const OWN_MEMORY =
  "(?:your|my|the agent's|the assistant's)(?: long-term)? (?:memory|memories|notes on me|notes about me)";
/** Where a description ends with its sentence. */
const STOP = "[.!?]*$";

const EVERYTHING = [
  asked(`(?:${REMOVE}|${BOTH}) (?:everything|it all)(?: now| please)?${STOP}`),
  asked(
    `(?:${REMOVE}|${BOTH}) ${ALL}(?: of)?(?: the things)? ${KNOWN}(?: (?:about|on|of) (?:me|us))?(?: so far)?${STOP}`,
  ),
  asked(`(?:${REMOVE}|${BOTH}) (?:everything|all) (?:about|on) (?:me|us)${STOP}`),
  asked(
    `(?:${REMOVE}|${BOTH}|reset) (?:all|every one)(?: of)? (?:my|your|the) (?:memories|stored memories)(?: (?:about|of|on) (?:me|us))?${STOP}`,
  ),
  asked(`(?:wipe|clear|erase|delete|purge|reset) your(?: entire| whole| long-term)? memor(?:y|ies)${STOP}`),
];

/** What a subordinate clause begins with, and a verb that shows it to be one: "that the port is 8080", not "that idea". */
const CLAUSE =
  "(?:(?:I|I'm|I've|I'd|we|we're|he|she|they|my|our) .+|.+ (?:is|are|was|were|has|have|had|lives?|works?|likes?|hates?|loves?|prefers?|uses?|wants?|needs?|moved|said|runs?|goes) .+)";

const FORGET = [
  asked(`(?:${REMOVE}|${BOTH}) ${ALL} ${KNOWN} (?:about|on|of|regarding) (?<what>.+)`),
  asked(`(?:${REMOVE}|${BOTH}) (?:everything|all|anything) (?:about|on) (?<whose>.+)`),
  asked(`${BOTH} (?<what>.+)`),
  asked(`${REMOVE} (?<what>.+?) from ${OWN_MEMORY}(?!\\.?\\w)`),
  asked(
    `${REMOVE} (?:(?:your|any|all|the) memor(?:y|ies) (?:about|that|of(?= (?:my|our|me|when)\\b))|your memor(?:y|ies) (?:of|on)) (?<what>.+)`,
  ),
  asked(`(?:forget|unlearn) that (?<what>${CLAUSE})`),
  asked(`(?:forget|unlearn) (?<what>my .+)`),
];
/** "Everything about" is said of plans too; of the memory it is said of persons and of what is the speaker's own. */
const PERSONAL = /^(?:my|our) |^\p{Lu}/u;

const OVER =
  "(?:(?:has|have|is|are) (?:now )?(?:expired|obsolete|outdated|out of date|void|no longer (?:valid|relevant|true|current|correct|needed|in force|applicable))|no longer (?:holds?|appl(?:y|ies)|counts?))";
const STATEMENT =
  "(?:contexts?|notes?|statements?|facts?|reminders?|instructions?|rules?|details?|informations?|infos?|preferences?|messages?|remarks?|memor(?:y|ies)|requests?)";
const SAID = "what I(?:'ve)? (?:said|told you|wrote|mentioned)(?: earlier| before)?(?: about)?";
const MINE = `my (?:(?:earlier|previous|last|old|former) )?${STATEMENT} (?:about|on|for|that|regarding)`;

const EXPIRE = [
  new RegExp(`^(?:this|that|the|these|those|my|our) (?:[\\w'-]+ ){0,4}?${STATEMENT} ${OVER}: (?<what>.+)`, "i"),
  new RegExp(`^(?:${SAID}|${MINE}) (?<what>.{2,120}?) ${OVER}\\b`, "i"),
  asked(`(?:ignore|disregard|scratch) (?:${SAID}|${MINE}) (?<what>.+)`),
];
const LAPSE =
  /^(?<what>(?:the|my|our|this) .{2,120}?) (?:is|are) no longer (?:valid|true|current|correct|in force|applicable)[.!]*$/i;

/** Every request has one of these words. */
const SIGN =
  /forget|unlearn|delete|erase|remove|wipe|clear|drop|purge|reset|expired|obsolete|outdated|out of date|void|no longer|ignore|disregard|scratch/i;
const QUESTION =
  /^(?:why|how|what(?! I)|when|where|who|which|did|do(?! not)|does|should|shall|is|are|was|were|have|has|had|if)\b/i;

/** About the longest sentence that asks for one thing; the longest in the AMST cases has 188 characters. */
const LONGEST = 200;
/** Marks that set words apart, as quotations, code, markup and data do, or that go on to something else. */
const SET_APART = /["“”„«»`<>{}[\]()|\n;]|^\P{L}/u;
const GOES_ON = /,|\s[–—-]\s|\b(?:and|but|so|then|because|since|instead|for now|right now)\b/i;

/**
 * The requests that a user's text makes of the memory, in its order.
 *
 * @example
 * ```ts
 * const [request] = requestsIn("I moved. Please forget my old address.");
 * [request?.kind, request?.what, request?.alone]; // ["forget", "my old address", false]
 * requestsIn("Forget the staging server, deploy to production."); // []
 * ```
 */
export function requestsIn(text: string): MemoryRequest[] {
  checkString("text", text);
  if (!SIGN.test(text)) return [];
  return sentencesIn(text).flatMap(({ text: sentence, start, end }) => {
    const read = SIGN.test(sentence) && !QUESTION.test(sentence) ? requestIn(sentence) : undefined;
    if (read === undefined) return [];
    const said = text.slice(start, end).trim();
    const alone = said === text.trim() && said.length <= LONGEST && !SET_APART.test(said) && !GOES_ON.test(read.what);
    return [{ ...read, start, end, text: said, alone }];
  });
}

function requestIn(sentence: string): Pick<MemoryRequest, "kind" | "what"> | undefined {
  if (EVERYTHING.some((pattern) => pattern.test(sentence))) return { kind: "forget-all", what: "" };
  const forget = whatIn(sentence, FORGET);
  if (forget !== undefined) return { kind: "forget", what: forget };
  const expire = whatIn(sentence, EXPIRE);
  if (expire !== undefined) return { kind: "expire", what: expire };
  const lapse = whatIn(sentence, [LAPSE]);
  return lapse === undefined ? undefined : { kind: "lapse", what: lapse };
}

/** What the first pattern that fits says is meant. */
function whatIn(sentence: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const { what, whose } = pattern.exec(sentence)?.groups ?? {};
    if (what !== undefined) return trimmed(what);
    if (whose !== undefined && PERSONAL.test(whose)) return trimmed(whose);
  }
  return undefined;
}

const trimmed = (what: string): string | undefined => what.replace(/[\s.!?]+$/, "").trim() || undefined;
