/**
 * The clauses of a sentence, and whether each is said in earnest. A condition, a report of somebody else's words or a
 * question holds for all that follows it in the sentence; a "maybe" for its own clause.
 */
export interface Clause {
  readonly text: string;
  /** Under a condition, in a question, or in somebody else's words. */
  readonly governed: boolean;
  /** Said as true of now or of the past: neither governed, nor a guess, a wish or a plan. */
  readonly firm: boolean;
}

const BREAK =
  /;\s+|\s+[—–]\s*|\s-\s|,?\s(?:but|because|so|although|though|while|whereas)\s(?!that\b)|,\s(?:and|which|who|where|when)\s|\sand\s(?=(?:I|we|my|our|he|she|they|it|the)\b)|,\s(?=(?:I|I'm|we|my|our|can|could|how|what|please|do|is|should)\b)/;

/** These take the whole sentence back, wherever they stand. */
const VOID =
  /\b(?:not because|unverified|unconfirmed|not (?:authoritative|confirmed|verified|true)|must not override|similar (?:\w+ )?(?:note|feedback|item|mention)|was discussed elsewhere|another workspace (?:note|says)|hypothetical(?:ly)?|just kidding|for example|e\.g\.|role-?play)\b/i;
const GOVERNING =
  /\b(?:if|unless|whether|suppose|supposing|imagine|assuming|assume|pretend|heard|hear that|said|says|saying|told|claims?|claimed|according to|rumou?r(?:ed)?|apparently|allegedly|reportedly|supposedly|wonder(?:ing)?|asked|in case|as though|as if|seems?|when I was|when we were|back when|years? ago I|in my (?:story|novel|dream|screenplay|script)|the (?:character|story|novel|docs?|article|book) (?:is|says?))\b/i;
const INTERROGATIVE =
  /^(?:(?:so|and|but|hey|ok|okay|well),? )?(?:can|could|would|will|do|does|did|is|are|am|was|were|should|shall|how|what|why|who|whom|where|when|which|has|have (?:you|I|we|they)|any|isn't|aren't|don't you|didn't)\b/i;
const LOCAL =
  /\b(?:maybe|perhaps|might|probably|possibly|potentially|could|would|should|wouldn't|couldn't|think|thought|guess|suspect|believe|hope|hoping|wish|wished|want|wants|wanted|wanna|plan|plans|planning|planned|intend|going to|gonna|will|I'll|we'll|he'll|she'll|they'll|I'd|we'd|trying to|try to|considering|thinking (?:of|about)|looking (?:to|for|into)|not sure|unsure|supposed to|almost|nearly|about to|tempted|dream(?:ed|ing|t)?|as long as|until|like I)\b/i;
/** Not the month. */
const MAY = /\bmay\b/;

/** Words of somebody else, or of a text that is being written. */
const QUOTATION = /["“][^"”]{25,}["”]/g;
const LABEL = /^(?:example|sample|template|draft|script|subject|[QA])\b[^:]{0,30}:/i;

const isQuoted = (sentence: string): boolean =>
  /^["“]/.test(sentence) || LABEL.test(sentence) || (sentence.match(/["“”]/g)?.length ?? 0) % 2 === 1;

/** "I left Acme and joined Globex": the second verb has the first one's subject. */
const SHARED =
  /^(.*?\b)(I|[Ww]e)\b([^,;]*?),? and ((?:(?:now|then|recently|just) )?(?:joined|moved|work|live|started|switched|use|prefer|relocated)\b)/;

const withSubjects = (sentence: string): string =>
  sentence
    .replace(/(?<![.!\s])[.!\s]+$/, "")
    .replace(QUOTATION, "…")
    .replace(SHARED, "$1$2$3 and $2 $4");

export function clausesOf(sentence: string): Clause[] {
  if (VOID.test(sentence) || isQuoted(sentence)) return [{ text: sentence, governed: true, firm: false }];
  const texts = withSubjects(sentence)
    .split(BREAK)
    .filter((text) => text !== undefined && text.trim() !== "");
  const asked = sentence.endsWith("?");
  let governed = false;
  return texts.map((text, index) => {
    governed ||= GOVERNING.test(text) || INTERROGATIVE.test(text) || (asked && index === texts.length - 1);
    return { text: text.trim(), governed, firm: !governed && !LOCAL.test(text) && !MAY.test(text) };
  });
}
