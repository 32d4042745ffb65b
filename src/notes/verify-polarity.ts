/** Checks that what the user ruled is not turned to its contrary, and that what was switched off stays off. */
import type { Line } from "./verify-lines.js";
import type { Evidence, Spoken } from "./verify-source.js";
import { asks, claimIn, FLIPS, HOLDS, has, TERMS } from "./verify-terms.js";
import { contentWords, coverage, isFunctionWord, type Words } from "./verify-words.js";

/** A clause, or a sentence, and each word with whether it stands to be (1), not to be (-1), or cannot be told (0). */
interface Clause {
  readonly text: string;
  readonly words: Words;
  readonly signs: ReadonlyMap<string, number>;
}

const BORDER =
  /[,;:.!，。；！]\s*|\s[-–—]\s|\s(?=(?:instead of|rather than|but|and (?:not?|never|don['’]t|leave|keep)|statt|sondern|pero|mais|sino|вместо|а не)\s)/iu;
/** So many of the words are the same, in both directions. */
const ABOUT = 0.5;
/** Of what is nearly as much about the same, the latest counts. */
const NEAR = 0.75;

/** What was ruled or switched: no question, no condition, no report of what is. */
export interface Rule extends Clause {
  readonly isDirective: boolean;
  readonly isSwitch: boolean;
  readonly isAgents: boolean;
}

export function rulesIn(spoken: readonly Spoken[]): Rule[] {
  return spoken.flatMap(({ speaker, passages }) => {
    if (speaker === "call" || speaker === "result") return [];
    return passages.flatMap(({ text }) => {
      if (asks(text) || /\b(?:if|unless)\b/i.test(text) || has(TERMS.reports, text) || has(TERMS.quoted, text))
        return [];
      const kind = {
        isDirective: isDirective(text),
        isSwitch: has(TERMS.switches, text),
        isAgents: speaker === "agent",
      };
      return clausesOf(text).map((clause) => ({ ...clause, ...kind }));
    });
  });
}

/** The fault of a line that says the contrary of what was last said of the same. */
export function contrary(
  { said, role }: Line,
  { replies, comparable }: Evidence,
  rules: readonly Rule[],
): "inverted" | "switched-back" | undefined {
  const claim = claimIn(said);
  if (!comparable || asks(said) || (claim === undefined && has(TERMS.quoted, said))) return undefined;
  const isRule = role === "rule" || role === "goal" || role === "decision" || claim !== undefined || isDirective(said);
  const isSwitch = has(TERMS.switches, said);
  const agrees = has(TERMS.rejected, said) ? false : has(TERMS.agreed, said) ? true : undefined;
  const answer =
    claim === undefined ? undefined : replies.findLast(({ words }) => coverage(contentWords(said), words) >= ABOUT);
  if (answer !== undefined && agrees !== undefined && answer.agrees === !agrees) return "inverted";
  const due = rules.filter((rule) => (isRule && !rule.isAgents ? rule.isDirective : isSwitch && rule.isSwitch));
  for (const clause of clausesOf(said)) {
    const about = due.filter((rule) => isAbout(clause, rule));
    const best = Math.max(...about.map(({ words }) => coverage(clause.words, words)));
    const last = about.findLast(({ words }) => coverage(clause.words, words) >= best * NEAR);
    if (last === undefined || !has(HOLDS, `${clause.text} ${last.text}`) || !isContrary(clause, last)) continue;
    return isSwitch && has(TERMS.switches, last.text) ? "switched-back" : "inverted";
  }
  return undefined;
}

/** Whether a sentence says what must or may be, or begins with its verb. */
function isDirective(text: string): boolean {
  const start = text.replace(/^(?:\W*(?:ok|okay|and|but|then|also|now|so)\b)+/i, "");
  if (has(TERMS.deontic, text) || has(TERMS.ruling, text) || start.trimStart().search(FLIPS) === 0) return true;
  return !isFunctionWord(/[\p{L}'’]+/u.exec(start)?.[0] ?? "");
}

/** The clauses of a sentence, and the whole of it: what is contrary may stand in one, or in both together. */
function clausesOf(sentence: string): Clause[] {
  const clauses = sentence.split(BORDER).map((text) => ({ text, signs: signsOf(text) }));
  const whole = { text: sentence, signs: new Map(clauses.flatMap(({ signs }) => [...signs])) };
  const all = clauses.length > 1 ? [...clauses, whole] : [whole];
  return all.filter(({ signs }) => signs.size > 0).map((each) => ({ ...each, words: new Set(each.signs.keys()) }));
}

function signsOf(clause: string): Map<string, number> {
  const parts = clause
    .split(FLIPS)
    .map((part) => contentWords(part.replace(TERMS.starts, " ").replace(TERMS.holds, " ")));
  const behind = parts.length - 1 - parts.findLastIndex((words) => words.size > 0);
  const denied = parts.slice(1).reduce((sum, words) => sum + words.size, 0);
  return new Map(
    parts.flatMap((words, at) => {
      // What stands before a negation is denied too, unless that has more behind it to deny.
      const isOpen = at === 0 && denied >= words.size;
      const flips = at === 0 ? parts.length - 1 : at + behind;
      return Array.from(words, (word) => [word, isOpen ? 0 : flips % 2 === 0 ? 1 : -1] as const);
    }),
  );
}

function isAbout({ words }: Clause, rule: Clause): boolean {
  const isShort = Math.min(words.size, rule.words.size) === 1;
  const shared = [...words].filter((word) => rule.words.has(word)).length;
  if (shared === 0 || (shared === 1 && !isShort)) return false;
  return coverage(words, rule.words) >= ABOUT && coverage(rule.words, words) >= ABOUT;
}

/** Of the words that one of both denies, the other says most. */
function isContrary({ signs }: Clause, rule: Clause): boolean {
  const products = [...signs].flatMap(([word, sign]) => {
    const other = rule.signs.get(word) ?? 0;
    return sign + other === 2 ? [] : [sign * other];
  });
  const compared = products.filter((each) => each !== 0);
  return compared.filter((each) => each < 0).length * 2 > compared.length;
}
