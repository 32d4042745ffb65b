import { HABIT_RULES } from "./habit.js";
import { type Bounded, bounded, placeOf, within } from "./qualifier.js";
import {
  ADVERBS,
  AUXILIARY,
  type Groups,
  NAME,
  type Reading,
  type Rule,
  type RuleContext,
  type RuleGroup,
  rule,
  slotOf,
} from "./rule.js";
import { normalSlot, trimValue } from "./value.js";
import { isPersonName, isValue, mayBeValue, mayNameSlot, namesSlot, useCalled, useNamed, useOf } from "./vocabulary.js";

/** What is used for what, and what is set to which value. */
const TEAM =
  "(?<who>\\b[Ii](?=['\\s])|\\b[Ww]e(?=['\\s])|^(?:[Tt]he|[Oo]ur|[Tt]his) (?:team|project|repo|company|codebase))";
const TOOL = "[\\p{L}\\p{N}.+#@/_-]+(?: [\\p{L}\\p{N}.+#_-]+){0,2}?";
const STOP =
  "(?=$|[,.;!)]| (?:for|instead|as|in|on|now|to|from|with|at|here|since|these|everywhere|rather|by|when|because)\\b)";
const FOR =
  "(?: (?:for|as) (?:the |our |my |all )?(?<use>(?:[\\p{L}-]+ ?){1,3}?)(?=$|[,.;!)]| (?:now|in|on|instead|since|at|from|to|here)\\b))?";
const NOUN = "[\\p{L}\\p{N}_./'-]+(?: [\\p{L}\\p{N}_./'-]+)";
const DETERMINER = `(?:(?<det>[Tt]he|[Oo]ur|[Mm]y)|(?<owner>${NAME})'s)`;

const team = (who: string | undefined, speaker: string): string => (who?.toLowerCase() === "i" ? speaker : "project");

/** The slot that a tool fills, by what it is said to be for, or by what it is. */
function toolSlot(groups: Groups, { speaker }: RuleContext): string | undefined {
  const named = groups.use ?? groups.what;
  const use = named === undefined ? (useOf(groups.tool ?? "") ?? useOf(groups.old ?? "")) : useNamed(named.trim());
  return use === undefined ? undefined : slotOf(team(groups.who, speaker), within(use, placeOf(groups.rest)));
}

/** A change from one tool to another says what ended even where nobody said what it is for. */
function switched(groups: Groups, context: RuleContext): Reading[] {
  const value = groups.tool === undefined ? undefined : trimValue(groups.tool);
  const closes = groups.old === undefined ? undefined : trimValue(groups.old);
  const slot = toolSlot(groups, context);
  if (value === "" || (slot === undefined && closes === undefined)) return [];
  return [{ slot, value, closes, update: true }];
}

function uses(groups: Groups, context: RuleContext): Reading[] {
  const slot = toolSlot(groups, context);
  if (slot === undefined) return [];
  return [{ slot, value: trimValue(groups.tool ?? "") }];
}

const TOOL_RULES: readonly Rule[] = [
  rule(
    "fact",
    `${TEAM}${AUXILIARY}${ADVERBS} (?:uses?|using) (?<tool>${TOOL}) (?:instead of|rather than) (?<old>${TOOL})${STOP}${FOR}`,
    switched,
  ),
  rule(
    "fact",
    `${TEAM}${AUXILIARY}${ADVERBS} (?:uses?|using|deploy with|build with|started using|adopted) (?<tool>${TOOL})${STOP}${FOR}`,
    uses,
  ),
  rule(
    "fact",
    `${TEAM}${AUXILIARY}${ADVERBS} (?:switched|migrated|moved|changed|converted|transitioned)(?: (?:the |our |my )?(?<what>(?:[\\p{L}-]+ ){0,2}?[\\p{L}-]+))?(?: over)? from (?<old>${TOOL}) to (?<tool>${TOOL})${STOP}${FOR}`,
    switched,
  ),
  rule(
    "fact",
    `${TEAM}${AUXILIARY}${ADVERBS} (?:switched|migrated|moved|transitioned)(?: over| back)? to (?<tool>${TOOL})(?: from (?<old>${TOOL}))?${STOP}${FOR}`,
    switched,
  ),
  rule(
    "fact",
    `${TEAM}${AUXILIARY}${ADVERBS} replaced (?<old>${TOOL}) (?:with|by) (?<tool>${TOOL})${STOP}${FOR}`,
    switched,
  ),
  rule(
    "fact",
    `${TEAM}${AUXILIARY}${ADVERBS} (?:no longer uses?|stopped using|don't use|doesn't use|used to use|dropped|ditched|got rid of|abandoned) (?<old>${TOOL})${STOP}(?: (?:for|in favou?r of) (?<tool>${TOOL})${STOP})?`,
    switched,
  ),
];

/** What nobody in particular owns is the project's: "the linter", "our linter" and "the project's linter" are one slot. */
function settingSlot({ det, owner, np = "" }: Groups, { speaker }: RuleContext): string | undefined {
  if (owner !== undefined) return isPersonName(owner) ? slotOf(owner, np) : undefined;
  if (det?.toLowerCase() === "my") return slotOf(speaker, np);
  return slotOf("project", np.replace(/^(?:project|team|repo|company)'s /, ""));
}

/** A place has a place in it, and an attribute that says what it is bounded by needs no more of that. */
const isPlaced = (np: string): boolean =>
  /\b(?:address|venue|location|destination|office|home|place|birthday|appointment|meeting|position|role|job)$| (?:for|in|on|at|of|from) /.test(
    np,
  );

/** "The deploy port is 8080": where nothing else marks it as worth keeping, noun and value must both look the part. */
function setting(groups: Groups, context: RuleContext, update: boolean): Reading[] {
  const np = normalSlot(groups.np ?? "");
  const said = trimValue(groups.value ?? "");
  const { value, bound }: Bounded = update || isPlaced(np) ? { value: said, bound: undefined } : bounded(said);
  const owned = groups.owner !== undefined || groups.det?.toLowerCase() === "my" || groups.det?.toLowerCase() === "our";
  const told = context.explicit || update || groups.cue !== undefined;
  const changed = update || context.explicit || /\bnow\b/.test(groups.value ?? "");
  const use = usesFor(np, value, changed);
  const fits =
    told && context.explicit
      ? mayNameSlot(np) && mayBeValue(said)
      : namesSlot(np, owned || told) && isValue(said, owned || told);
  const slot =
    fits || use !== undefined
      ? settingSlot({ ...groups, np: within(use ?? groups.np ?? "", bound) }, context)
      : undefined;
  if (slot === undefined) return [];
  const closes = groups.old === undefined ? undefined : trimValue(groups.old);
  return [{ slot, value, closes, update }];
}

/** "Our CI is Buildkite": a use is a slot where its value is a known tool, or a name that is said to be another now. */
const usesFor = (np: string, value: string, changed: boolean): string | undefined =>
  !namesSlot(np, true) && (useOf(value) !== undefined || (changed && isToolName(value))) ? useCalled(np) : undefined;
const isToolName = (value: string): boolean => TOOL_NAME.test(value) && isValue(value) && !STATE.test(value);
const STATE =
  /^(?:red|green|yellow|amber|orange|dead|alive|healthy|unhealthy|flaky|stable|unstable|live|warm|cold|hot|messy|fixed|automated|online|offline|disabled|enabled|blocked|paused|passing|ours|better|worse|faster|slower|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow)\b/i;
const TOOL_NAME = /^\p{Lu}[\p{L}\p{N}.+-]*(?: \p{Lu}[\p{L}\p{N}.+-]*){0,2}$/u;

/** "My manager is no longer Bob, it's Carol." */
function ended(groups: Groups, context: RuleContext): Reading[] {
  const closes = trimValue(groups.old ?? "");
  const slot = isValue(closes) && namesSlot(groups.np ?? "", true) ? settingSlot(groups, context) : undefined;
  if (slot === undefined) return [];
  const value = groups.value === undefined ? undefined : trimValue(groups.value);
  return [{ slot, closes, value, update: true }];
}

const CHANGED =
  "(?:changed|moved|updated|set|switched|bumped|renamed|raised|lowered|increased|reduced|pushed|migrated|rescheduled|postponed|extended|upgraded|downgraded)";

const SETTING_RULES: readonly Rule[] = [
  rule(
    "fact",
    `^(?:${DETERMINER} )(?<np>${NOUN}{0,9}?)(?: has been| have been| has| have| was| were| is| are| got)?(?: now| just| since)? ${CHANGED}(?: back)?(?: from (?<old>.{1,60}?))? to (?<value>.+)`,
    (groups, context) => setting(groups, context, true),
  ),
  rule(
    "fact",
    `\\b(?:[Ii]|[Ww]e)(?:'ve| have)?${ADVERBS} ${CHANGED} ${DETERMINER} (?<np>${NOUN}{0,6}?)(?: back)?(?: from (?<old>.{1,60}?))? to (?<value>.+)`,
    (groups, context) => setting(groups, context, true),
  ),
  rule(
    "fact",
    `^(?:${DETERMINER} )?(?<np>${NOUN}{0,16}?)(?: is| are| remains| stays)(?<cue> now| still| currently)?(?: set to| called| named)? (?<value>.+)`,
    (groups, context) =>
      groups.det === undefined && groups.owner === undefined && !context.explicit
        ? []
        : setting(groups, context, groups.cue === " now"),
  ),
  rule(
    "fact",
    `^(?:${DETERMINER} )(?<np>${NOUN}{0,9}?) (?:is|are)(?: no longer|n't| not) (?<old>.{1,80}?)(?: any ?more)?(?:,? (?:it's|it is|but)(?: now)? (?<value>.+))?$`,
    ended,
  ),
  rule(
    "fact",
    `^(?:${DETERMINER} )(?<np>${NOUN}{0,4}?)(?<cue> now)? (?:runs|listens|is running|is listening|is served)(?: now)? on port (?<value>\\d{2,5})\\b`,
    (groups, context) => setting({ ...groups, np: `${groups.np} port` }, context, groups.cue !== undefined),
  ),
  rule("fact", "^(?:export )?(?<key>[A-Z][A-Z0-9_]{2,}) ?= ?(?<value>[^\\s=]+)$", ({ key = "", value }) => [
    { slot: slotOf("project", key), value: trimValue(value ?? "") },
  ]),
  rule("fact", `^(?:${DETERMINER} )?(?<np>${NOUN}{1,5}) = (?<value>[^=[\\](){}]+)$`, (groups, context) =>
    setting(groups, { ...context, explicit: false }, false),
  ),
];

export const SETTING_AND_TOOL_RULES: readonly RuleGroup[] = [
  {
    sign: /days\b|weekends\b/,
    rules: HABIT_RULES,
  },
  {
    sign: /\b(?:us(?:e|es|ing|ed)|deploy|build|adopted|switched|migrated|moved|changed|converted|transitioned|replaced|dropped|ditched|got rid|abandoned)\b/,
    rules: TOOL_RULES,
  },
  { sign: /\b(?:is|are|remains|stays|to|port)\b|'s |=/, rules: SETTING_RULES },
];
