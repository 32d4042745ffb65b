import { isForNow, isPassing } from "./qualifier.js";
import {
  ADVERBS,
  AUXILIARY,
  type Groups,
  NAME,
  PROPER,
  type Reading,
  type Rule,
  type RuleContext,
  type RuleGroup,
  rule,
  slotOf,
  subjectOf,
  WHO,
} from "./rule.js";
import { trimValue } from "./value.js";
import { isPersonName, isProfession, placeSlot } from "./vocabulary.js";

/** What somebody says of a person: home, work, name, age, family. */
const SUBJECT = `${WHO}${AUXILIARY}${ADVERBS}`;
const TITLE = "(?<title>(?:[\\p{L}/&-]+ ){0,5}?[\\p{L}/&-]+)";
const END = "(?=$|[,.;!)]| (?:at|for|in|with|and|who|now|since|these|here|on|by)\\b)";

/** What is so at times only ("in Lyon for the summer") is nobody's attribute. */
const about = (groups: Groups, context: RuleContext, attribute: string): string | undefined => {
  if (isPassing(groups.rest)) return undefined;
  const subject = subjectOf(groups.who, context.speaker);
  return subject === undefined ? undefined : slotOf(subject, attribute);
};

/** One reading for a slot of the person; none where the words name no person or no value. */
function reads(slot: string | undefined, reading: Omit<Reading, "slot">): Reading[] {
  const worth = (reading.value ?? reading.closes ?? "") !== "";
  return slot === undefined || !worth ? [] : [{ slot, ...reading }];
}

/** "Lyon, France" is Lyon; a country alone is another slot than a city. */
function home(groups: Groups, context: RuleContext, update: boolean): Reading[] {
  const place = trimValue(groups.place ?? "");
  const value = place.split(",")[0] ?? "";
  const attribute = placeSlot(value);
  if (attribute === undefined || (!update && isForNow(groups.rest))) return [];
  return reads(about(groups, context, attribute), { value, update });
}

function leftHome(groups: Groups, context: RuleContext): Reading[] {
  const closes = trimValue(groups.place ?? "").split(",")[0] ?? "";
  const attribute = placeSlot(closes);
  return attribute === undefined ? [] : reads(about(groups, context, attribute), { closes });
}

function employer(groups: Groups, context: RuleContext, update: boolean): Reading[] {
  const value = trimValue(groups.firm ?? "");
  if (NO_FIRM.test(value) || (!update && isForNow(groups.rest))) return [];
  return reads(about(groups, context, "employer"), { value, update });
}

/** Where one works or what one joins without being employed there. */
const NO_FIRM = /^(?:the )?(?:home|night|school|slack|discord|zoom|teams)$/i;

const leftEmployer = (groups: Groups, context: RuleContext): Reading[] =>
  reads(about(groups, context, "employer"), { closes: trimValue(groups.firm ?? "") });

function title(groups: Groups, context: RuleContext, update: boolean): Reading[] {
  const value = trimValue(groups.title ?? "");
  return isProfession(value) ? reads(about(groups, context, "job title"), { value, update }) : [];
}

const HOME_RULES: readonly Rule[] = [
  rule("fact", `${SUBJECT} (?:lives?|living|resides?|based|settled) in (?<place>${PROPER})`, (groups, context) =>
    home(groups, context, false),
  ),
  rule(
    "fact",
    `${SUBJECT} (?:moved|relocated)(?: back| over| out| here| away| in)?(?: from ${PROPER})? to (?<place>${PROPER})(?! (?:team|department|group|plan|office|role|division))(?!.*\\b(?:job|role|team|company|position)\\b)`,
    (groups, context) => home(groups, context, true),
  ),
  rule(
    "fact",
    `${SUBJECT} (?:no longer lives? in|used to live in|(?:do|does)n't live in|formerly lived in|moved (?:away from|out of)) (?<place>${PROPER})`,
    leftHome,
  ),
  rule("fact", `${WHO}(?:'m| am| is)(?: originally)? from (?<place>${PROPER})$`, (groups, context) =>
    placeSlot(trimValue(groups.place ?? "")) === undefined
      ? []
      : reads(about(groups, context, "hometown"), { value: trimValue(groups.place ?? "").split(",")[0] }),
  ),
  rule("fact", `${WHO} (?:was|were) born in (?<place>${PROPER})`, (groups, context) =>
    reads(about(groups, context, "birthplace"), { value: trimValue(groups.place ?? "").split(",")[0] }),
  ),
];

const WORK_RULES: readonly Rule[] = [
  rule("fact", `${SUBJECT} (?:works?|working|employed) (?:at|for|by) (?<firm>${PROPER})`, (groups, context) =>
    employer(groups, context, false),
  ),
  rule("fact", `${SUBJECT} (?:works?|working) (?:at|for) ${PROPER} as (?:an?|the) ${TITLE}${END}`, (groups, context) =>
    title(groups, context, false),
  ),
  rule(
    "fact",
    `${SUBJECT} (?:started(?: working| a (?:new )?job| my new job)?(?= at)|got (?:a|the) (?:new )?job|(?:accepted|took)(?: an?| the| my)? (?:new )?(?:job|offer|position|role)|landed a (?:new )?job|hired) (?:at|with|from|by) (?<firm>${PROPER})`,
    (groups, context) => employer(groups, context, true),
  ),
  rule("fact", `${SUBJECT} joined (?<firm>${PROPER}) as (?:an? |the |their )?${TITLE}${END}`, (groups, context) => {
    const joined = employer(groups, context, true);
    return joined.length === 0 ? [] : [...joined, ...title(groups, context, true)];
  }),
  rule(
    "fact",
    `${SUBJECT} (?:no longer works? (?:at|for)|used to work (?:at|for)|formerly worked (?:at|for)|(?:do|does)n't work (?:at|for)|stopped working (?:at|for)|quit|left my job at|left|resigned from|was laid off (?:from|by)|was fired (?:from|by)|lost my job at) (?<firm>${PROPER})`,
    leftEmployer,
  ),
  rule("fact", `${SUBJECT} (?:works?|working) as (?:an?|the) ${TITLE}${END}`, (groups, context) =>
    title(groups, context, false),
  ),
  rule(
    "fact",
    `${SUBJECT}(?: was| got| were)? (?:promoted to|became|appointed(?: as)?|now) (?:an? |the )?${TITLE}${END}`,
    (groups, context) => title(groups, context, true),
  ),
  rule(
    "fact",
    `${WHO}(?:'m| am| is)${ADVERBS} (?:an?|the) ${TITLE} (?:at|with) (?<firm>${PROPER})`,
    (groups, context) =>
      isProfession(groups.title ?? "") ? [...employer(groups, context, false), ...title(groups, context, false)] : [],
  ),
];

const STATES = "married|divorced|engaged|single|widowed|separated";

/** "Engaged in", "single-handed" and the like are no state of a marriage. */
const FAMILY_RULES: readonly Rule[] = [
  rule(
    "fact",
    `${WHO}(?:'m| am| is|'ve| have| has)?${ADVERBS}(?: got| gotten| been)?${ADVERBS} (?<state>${STATES})(?! (?:in|with|by|parent|mom|mum|dad|from)\\b)(?: to (?<spouse>${NAME}))?(?=$|[,.;!]| (?:to|and|now|last|on|since|for|in \\d))`,
    (groups, context) => [
      ...reads(about(groups, context, "marital status"), { value: groups.state }),
      ...reads(about(groups, context, "spouse"), { value: groups.state === "married" ? groups.spouse : undefined }),
    ],
  ),
  rule(
    "fact",
    `[Mm]y (?<kin>wife|husband|fiancée?|girlfriend|boyfriend)(?:'s name is|,? (?:is )?(?:called|named)|,)? (?<value>${NAME})(?! (?:works?|lives?|has|is)\\b.*\\bnot\\b)`,
    ({ kin, value = "" }, { speaker }) =>
      isPersonName(value) ? reads(slotOf(speaker, kin ?? ""), { value: value.replace(/'s$/, "") }) : [],
  ),
];

const DATE =
  "(?:the )?(?:\\p{Lu}\\p{L}+ \\d{1,2}(?:st|nd|rd|th)?|\\d{1,2}(?:st|nd|rd|th)?(?: of)? \\p{Lu}\\p{L}+|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4})(?:,? \\d{4})?";

const DIETS = "vegan|vegetarian|pescatarian";

const IDENTITY_RULES: readonly Rule[] = [
  rule(
    "fact",
    `\\b[Mm]y (?:first |full )?name(?: is|'s) (?<value>${NAME})(?![\\p{L}-]| (?:on|in) )`,
    ({ value = "" }, { speaker }) =>
      isPersonName(value) ? reads(slotOf(speaker, "name"), { value: trimValue(value) }) : [],
  ),
  rule("fact", `(?:^|[Pp]lease |[Jj]ust )[Cc]all me (?<value>${NAME})`, ({ value = "" }, { speaker }) =>
    isPersonName(value) ? reads(slotOf(speaker, "preferred name"), { value: trimValue(value) }) : [],
  ),
  rule("fact", `\\bI go by (?<value>${NAME})`, ({ value = "" }, { speaker }) =>
    isPersonName(value) ? reads(slotOf(speaker, "preferred name"), { value: trimValue(value) }) : [],
  ),
  rule(
    "fact",
    `${WHO}(?:'m| am| is| just turned| turned|'ve just turned)${ADVERBS} (?<age>\\d{1,3})(?: years? old|(?=$|,| and (?!\\d)))`,
    (groups, context) => reads(about(groups, context, "age"), { value: groups.age }),
  ),
  rule("fact", `\\b[Mm]y birthday(?: is|'s)(?: on)? (?<value>${DATE})`, ({ value }, { speaker }) =>
    reads(slotOf(speaker, "birthday"), { value: trimValue(value ?? "") }),
  ),
  rule("fact", `${WHO} (?:was|were) born on (?<value>${DATE})`, (groups, context) =>
    reads(about(groups, context, "birthday"), { value: trimValue(groups.value ?? "") }),
  ),
  rule("fact", "\\breach me (?:at|on|via) (?<value>[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+)", ({ value }, { speaker }) =>
    reads(slotOf(speaker, "email"), { value }),
  ),
  rule(
    "fact",
    `${SUBJECT}(?: become| gone| went| turned)?(?: an?)? (?<diet>${DIETS})(?=$|[,.;!]| (?:and|now|since|for))`,
    (groups, context) => reads(about(groups, context, "diet"), { value: groups.diet }),
  ),
  rule(
    "fact",
    `${WHO}(?:(?:'m| am| is) (?:no longer|not(?=.* any ?more\\b))| stopped being)(?: an?)? (?<diet>${DIETS})(?=$|[,.;!]| (?:and|any|now|since))`,
    (groups, context) => reads(about(groups, context, "diet"), { closes: groups.diet, update: true }),
  ),
  rule(
    "fact",
    `${SUBJECT} (?:majoring in|major in|studying|study) (?<value>(?:[\\p{L}-]+ ?){1,4}?) at (?<school>${PROPER})`,
    (groups, context) => [
      ...reads(about(groups, context, "field of study"), { value: trimValue(groups.value ?? "") }),
      ...reads(about(groups, context, "school"), { value: trimValue(groups.school ?? "") }),
    ],
  ),
];

export const PERSON_RULES: readonly RuleGroup[] = [
  { sign: /\b(?:liv|resid|based|settled|moved|relocated|from|born)/, rules: HOME_RULES },
  {
    sign: /\b(?:work|employed|started|job|accepted|took|hired|joined|quit|left|resigned|laid|fired|promoted|became|appointed|now|at|with)/,
    rules: WORK_RULES,
  },
  {
    sign: /\b(?:married|divorced|engaged|single|widowed|separated|wife|husband|fianc|girlfriend|boyfriend)/,
    rules: FAMILY_RULES,
  },
  { sign: /\bname|\b[Cc]all me|\bgo by|\d|reach me|vegan|vegetarian|pescatarian|stud|major/, rules: IDENTITY_RULES },
];
