import type { FactKind } from "./fact.js";
import { normalSlot } from "./value.js";
import { isPersonName } from "./vocabulary.js";

/** What a rule read in a clause. */
export interface Reading {
  readonly slot?: string | undefined;
  readonly value?: string | undefined;
  readonly closes?: string | undefined;
  readonly update?: boolean;
}

export interface RuleContext {
  /** Whom "I" means. */
  readonly speaker: string;
  /** The speaker asked to keep it, or called it an update. */
  readonly explicit: boolean;
}

export type Groups = Readonly<Record<string, string | undefined>>;

export interface Rule {
  readonly kind: FactKind;
  readonly pattern: RegExp;
  /** Reads the named groups, and as `rest` what follows the match; nothing where they turn out not to fit. */
  read(groups: Groups, context: RuleContext): readonly Reading[];
}

/** Rules that can only fit where a sign of them stands: most clauses are passed over by one look. */
export interface RuleGroup {
  readonly sign: RegExp;
  readonly rules: readonly Rule[];
}

/** Pieces of patterns. */
export const NAME = "\\p{Lu}[\\p{L}'-]+(?: \\p{Lu}[\\p{L}-]+)?";
/** A proper name of up to five words: a place, a firm. */
export const PROPER =
  "(?:the )?\\p{Lu}[\\p{L}\\p{N}&.'+-]*(?:(?: (?:of|the|de|la|le|du|des|von|van|del|di))*,? \\p{Lu}[\\p{L}\\p{N}&.'+-]*){0,4}";
const KIN =
  "wife|husband|partner|spouse|fiancée?|girlfriend|boyfriend|mother|mom|mum|father|dad|sister|brother|son|daughter|boss|manager|roommate|best friend";
export const WHO = `(?<who>\\b[Ii](?=['\\s])|^[Mm]y (?:${KIN})(?: ${NAME})?|^${NAME})`;
export const ADVERBS =
  "(?: (?:now|currently|still|recently|just|actually|also|already|finally|presently|officially|mostly|mainly|always|usually|both|all))*";
export const AUXILIARY = "(?:'m|'ve|'s|'re| am| is| are| have| has)?(?: been)?";

export const rule = (kind: FactKind, pattern: string, read: Rule["read"]): Rule => ({
  kind,
  pattern: new RegExp(pattern, "u"),
  read,
});

/** Of whom one may have several, so that a name tells which. */
const SEVERAL = /^(?:sister|brother|son|daughter|roommate|best friend)\b/;

/** The subject of a slot: "I" is the speaker, "my wife" the speaker's wife; none where the words name nobody. */
export function subjectOf(who: string | undefined, speaker: string): string | undefined {
  if (who === undefined) return undefined;
  if (who.toLowerCase() === "i") return speaker;
  const kin = /^my (.+)$/i.exec(who)?.[1];
  if (kin !== undefined && SEVERAL.test(kin)) return `${speaker} ${kin}`;
  if (kin !== undefined) return `${speaker} ${new RegExp(`^(?:${KIN})`).exec(kin)?.[0] ?? kin}`;
  return isPersonName(who) ? who : undefined;
}

const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    company: "employer",
    job: "job title",
    title: "job title",
    role: "job title",
    position: "job title",
    "job role": "job title",
    "first name": "name",
    "full name": "name",
    city: "home city",
    country: "home country",
    "birth date": "birthday",
    "date of birth": "birthday",
    "phone number": "phone",
    "favorite colour": "favorite color",
  }),
);

/** `user/employer`: normalised, so that two ways of saying it meet. */
export function slotOf(subject: string, attribute: string): string {
  const name = normalSlot(attribute).replace(/^(wife|husband|fiancée?|girlfriend|boyfriend) name$/, "$1");
  return `${normalSlot(subject)}/${ALIASES.get(name) ?? name}`;
}
