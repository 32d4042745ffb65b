import { checkString } from "../../message/option-names.js";
import { type Sentence, sentencesIn } from "./sentences.js";
import { withoutSpans } from "./spans.js";

/**
 * What of a text its author wants not kept. The wish is said to the agent, as an order; what a program or somebody else
 * "must not keep" is talk. Of the message as a whole it speaks at its beginning or at its end; elsewhere it means its own
 * sentence and, where that begins with it, the one before.
 */
const KEEP = "(?:save|store|remember|record|retain|memori[sz]e|keep|write down)";
const ALSO = "(?:persist|log|repeat|echo|share)";
const VERBS = `(?:${ALSO}(?:,| or| and|, or|,? nor) )*${KEEP}(?:(?:,| or| and|, or|,? nor) (?:${KEEP}|${ALSO}))*`;
const BAN = `(?:(?:do not|don't|never)(?: ever)?|you (?:must|should|may|can) ?(?:not|n't)|please do(?: not|n't)) ${VERBS}`;
/** Where an order may begin: at the start of the sentence, or of a part of it. */
const ORDER =
  "(?:^(?:(?:please|ok|okay|hey|also|and|but|now|so|oh|actually|btw|by the way|(?:can|could|would|will) you(?: please)?|I(?:'d like| want| need) you(?: to)?)[, ]+)*|[,;:(—–-] ?(?:(?:so|but|and|please)[, ]+)*)";
const MESSAGE =
  "(?:this|that|any of (?:this|it|that)|the (?:above|following)|what I (?:just |am about to )?(?:said|told you|wrote|say|tell you)|my last message|this (?:message|conversation|chat|information|info))";
const PART = "(?:it|these|those|them|this (?:value|secret|password|key|token|number|code))";
const PLACE = "(?: (?:in|to) (?:your |the )?memory| anywhere| for later| please)?";
const END = "(?=$|[.!,;:)]| (?:or|and|please)\\b)";
const KEPT = "(?:saved|stored|remembered|recorded|kept|retained|logged|memori[sz]ed)";
const PASSIVE = `(?:must|should|may|can|is|are)(?: not|n't) (?:to )?be ${KEPT}${PLACE}${END}`;

const OF_MESSAGE = [
  new RegExp(`${ORDER}${BAN} ${MESSAGE}${PLACE}${END}`, "i"),
  new RegExp(`^(?:this|that|the (?:above|following)|this message) ${PASSIVE}`, "i"),
  /^(?:this is |all of this is |that was )?(?:strictly )?off the record\b/i,
];
const OF_PART = [
  new RegExp(`${ORDER}${BAN} (?:${PART}|${MESSAGE})${PLACE}${END}`, "i"),
  new RegExp(`^(?:this|that|it|these|the (?:above|following)) ${PASSIVE}`, "i"),
  /\b(?:this|that|it) is (?:strictly )?off the record\b|^off the record\b|^(?:please )?(?:forget|pretend) (?:that )?I (?:ever |just |never )?(?:said|told you|mentioned)\b/i,
];
const SIGN =
  /off the record|sav(?:e|ed)|stor(?:e|ed)|remember|record|retain|memori|keep|kept|write down|logged|I (?:ever |just |never )?(?:said|told|mentioned)/i;
const SETTING = /^(?:when|if|while|because|since|unless)\b/i;

/**
 * The text without what its author wants not kept; empty where that is all of it.
 *
 * @example
 * ```ts
 * keptOf("I live in Lyon. The pin is 4711. Do not save it."); // "I live in Lyon."
 * keptOf("Don't save this message. I live in Lyon."); // ""
 * ```
 */
export function keptOf(text: string): string {
  checkString("text", text);
  if (!SIGN.test(text)) return text;
  const sentences = sentencesIn(text);
  const banned = sentences.flatMap((sentence, at) => {
    const from = banIn(sentence, OF_PART);
    return from === undefined ? [] : sentences.slice(from === 0 ? Math.max(0, at - 1) : at, at + 1);
  });
  const ends = [sentences[0], sentences.at(-1)];
  const whole = ends.some((sentence) => sentence !== undefined && banIn(sentence, OF_MESSAGE) !== undefined);
  return whole ? "" : withoutSpans(text, banned);
}

/** Where in the sentence the wish begins; undefined where there is none. */
function banIn({ text }: Sentence, patterns: readonly RegExp[]): number | undefined {
  if (!SIGN.test(text) || SETTING.test(text)) return undefined;
  return patterns.map((pattern) => pattern.exec(text)?.index).find((index) => index !== undefined);
}
