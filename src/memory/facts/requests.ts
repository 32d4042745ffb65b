import { type Sentence, sentencesIn } from "./sentences.js";
import type { Span } from "./spans.js";

/**
 * What a user asks of the memory itself. Forgetting cannot be undone, so it takes more than the word: the sentence names
 * what was told or is known, and goes on to nothing else. "Forget the staging server, deploy to production" is talk.
 */
export interface MemoryRequest extends Span {
  /**
   * `forget`: remove what is described. `forget-all`: remove everything, which is for the program to confirm. `expire`:
   * what is described holds no longer. `lapse`: so the user says of a thing, and perhaps of a memory of it.
   */
  readonly kind: "forget" | "forget-all" | "expire" | "lapse";
  /** A description of what is meant; empty where it is everything. */
  readonly what: string;
  /** The sentence that asks. */
  readonly text: string;
  /** It may be somebody else's words, which the user only passes on: it is told, and not done. */
  readonly foreign: boolean;
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

/** What hands over a text that is another's, or is to be worked on: what comes after it may be that text. */
const HANDS_OVER =
  /:["'*_\s]*$|\b(?:here(?:'s| is| are)|following|below|translate|summari[sz]e|proofread|paraphrase|rewrite|(?:wrote|writes|says)(?=(?: (?:this|that|me|us|to me|back)){0,2}[^\S\n]*(?:$|[.:,"“]))|(?<!\b(?:thanks|thank you)(?: \w+)? for )(?:this|the|an?) (?:\w+ )?(?:e?-?mail|letter|message|article|song|poem|story|script|transcript|line))\b|^[>\s]*(?:subject|from|reply-to|in-reply-to|message-id|cc|bcc):[^\S\n]*\S/im;
/** A line that begins a letter. */
const SALUTATION =
  /^[^\S\n]*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))(?<whom>(?: [^\s,!]+){0,3})[,!]?[^\S\n]*\n/im;
/** Whom a user greets who speaks to the agent. */
const AGENT =
  /^(?: (?:there|again|all|claude|chatgpt|gpt|gemini|copilot|siri|alexa|assistant|agent|bot|ai|my|dear|friend))*$/i;
/** A name alone at the end of a letter. */
const SIGNATURE = /\n[^\S\n]*(?:[-–—] ?)?(?!thank|please|cheers)\p{L}[\p{L}.'-]*(?: \p{L}[\p{L}.'-]*)?[^\S\n]*\n*$/iu;
/** Marks that begin or end a quotation; after a number that stands in none, the mark is for inches. */
const QUOTE = /["“”]/g;

/**
 * The requests that a user's text makes of the memory, in its order.
 *
 * @example
 * ```ts
 * requestsIn("I moved. Please forget my old address.").map(({ kind, what }) => [kind, what]); // [["forget", "my old address"]]
 * requestsIn("Forget the staging server, deploy to production."); // []
 * ```
 */
export function requestsIn(text: string): MemoryRequest[] {
  if (!SIGN.test(text)) return [];
  const voice = new Voice(text);
  return sentencesIn(text).flatMap((sentence) => {
    const read = SIGN.test(sentence.text) && !QUESTION.test(sentence.text) ? requestIn(sentence.text) : undefined;
    if (read === undefined) return [];
    return [{ ...sentence, ...read, foreign: voice.isForeign(sentence) } satisfies MemoryRequest & Sentence];
  });
}

/**
 * Whose words a request is. Once a text has been handed over, nothing tells where it ends; a quotation ends with its mark.
 */
class Voice {
  readonly #text: string;
  #from = 0;
  #isHandedOver = false;
  #isQuoted = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** To be asked in the order of the text. */
  isForeign({ start, end }: Span): boolean {
    const before = this.#text.slice(this.#from, start).replace(/[’‘]/g, "'");
    this.#isHandedOver ||= HANDS_OVER.test(before) || this.#beginsLetter(before);
    this.#pass(before);
    const isForeign = this.#isHandedOver || this.#isQuoted;
    this.#pass(this.#text.slice(start, end));
    this.#from = end;
    return isForeign;
  }

  #beginsLetter(before: string): boolean {
    const whom = SALUTATION.exec(before)?.groups?.whom;
    return whom !== undefined && (!AGENT.test(whom) || SIGNATURE.test(this.#text.slice(-100).trimEnd()));
  }

  #pass(piece: string): void {
    for (const { 0: mark, index } of piece.matchAll(QUOTE)) {
      const isInches = mark === '"' && !this.#isQuoted && /\d/.test(piece[index - 1] ?? "");
      if (!isInches) this.#isQuoted = mark === '"' ? !this.#isQuoted : mark === "“";
    }
  }
}

function requestIn(sentence: string): Pick<MemoryRequest, "kind" | "what"> | undefined {
  if (EVERYTHING.some((pattern) => pattern.test(sentence))) return { kind: "forget-all", what: "" };
  const forget = whatIn(sentence, FORGET);
  if (forget !== undefined) return goesOn(forget) ? undefined : { kind: "forget", what: forget };
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

const NEXT_STEP =
  "use|try|take|go|do|make|start|let|let's|just|please|give|tell|book|focus|continue|proceed|move|think|look|work|build|rewrite|write|fix|add|deploy|run|send|switch|keep|stick|put|get|call|set|change|replace|what|how|why|can|could|would|should|I|we|you|he|she|it|they|that|this";
/** What follows a comma is a further name of the same thing only where it looks like one. */
const GOES_ON = new RegExp(
  `;|\\binstead\\b|\\bfor (?:now|a (?:moment|second|minute))\\b|\\bright now\\b|,? (?:and|but|so|then|because|since) (?:then |also |please )?(?:${NEXT_STEP})\\b|, (?:${NEXT_STEP})\\b| [—–-] (?:${NEXT_STEP})\\b`,
  "i",
);

/** Whether a sentence goes on to what is to be done: then its subject is the work. */
const goesOn = (what: string): boolean => GOES_ON.test(what);
