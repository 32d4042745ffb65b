import { ADVERBS, AUXILIARY, type Rule, type RuleContext, rule, slotOf } from "./rule.js";
import { trimValue } from "./value.js";

/** What is done on which days: "We deploy on Fridays". It may be done on others too, unless it is said that it changed. */
const DAYS = "(?:(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days|weekends|weekdays)";
const ON = `on (?<days>${DAYS}(?:(?:, | and |, and )${DAYS})*)(?=$|[,.;!]| (?:now|instead|any ?more|from now on|these days|at|in)\\b)`;
const WHAT = "(?<what>\\p{L}[\\p{L}'-]*(?: [\\p{L}'-]+){0,3}?)";

const habit = (who: string | undefined, what = "", { speaker }: RuleContext): string =>
  slotOf(who?.toLowerCase() === "i" ? speaker : "project", `${what} on`);

/** Whether a slot may have several values at a time. */
export const isHabit = (slot: string): boolean => slot.endsWith(" on");

export const HABIT_RULES: readonly Rule[] = [
  rule("fact", `(?<who>\\b[Ii]|\\b[Ww]e)(?=['\\s])${AUXILIARY}${ADVERBS} ${WHAT} ${ON}`, (groups, context) =>
    NO_DEED.test(groups.what ?? "")
      ? []
      : [{ slot: habit(groups.who, groups.what, context), value: trimValue(groups.days ?? "") }],
  ),
  rule(
    "fact",
    `(?<who>\\b[Ii]|\\b[Ww]e) (?:no longer|(?:don't|do not)(?=.* any ?more\\b)) ${WHAT} ${ON}`,
    (groups, context) => [{ slot: habit(groups.who, groups.what, context), closes: trimValue(groups.days ?? "") }],
  ),
];

/** Verbs that take something back or put it off. */
const NO_DEED =
  /^(?:no|not|don't|do|never|can|can't|cannot|won't|hate|love|like|enjoy|prefer|was|were|had|did|used)\b/i;
