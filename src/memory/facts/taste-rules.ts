import { bounded, placeOf, within } from "./qualifier.js";
import { ADVERBS, type Rule, type RuleGroup, rule, slotOf } from "./rule.js";
import { trimValue } from "./value.js";
import { isValue, useNamed, useOf } from "./vocabulary.js";

/** Preferences, decisions and standing wishes. One may like many things: each has a slot of its own. */
const VERBS =
  "(?<verb>prefer|like|love|enjoy|hate|dislike|adore|detest|can't stand|cannot stand|don't like|do not like|don't enjoy|dislike|always use|never use|usually use|never eat|don't eat|always drink|can't eat|am allergic to|'m allergic to|am into|'m into|am a fan of|'m a (?:big |huge )?fan of)";
/** What points into the conversation is not worth keeping: "I love it". */
const POINTER =
  /^(?:it|its|that|this|you|your|how|when|what|the way|the idea|them|him|her|those|these|to (?:see|hear|know|think)|seeing|hearing|doing (?:it|this|that)|where|so|being able|is|are|was|has|every|their|his|having (?:them|it)|most|more)\b/i;
/** "My favourite part" is one of this talk, not of the speaker. */
const PASSING = /^(?:part|thing|things|one|ones|memory|memories|moment|moments|way|time|times|aspect|so far)\b/;

const taste = (value: string): { value: string }[] => {
  const plain = trimValue(value.replace(/,? (?:over|rather than|instead of|more than) .*$/, ""));
  return plain.length < 3 || POINTER.test(plain) ? [] : [{ value: plain }];
};

const DISLIKES = /^(?:hate|dislike|detest|can|don't|do not|never|am allergic|'m allergic)/;
const FEW_WORDS = 3;

/**
 * The slot of a liking is its own: another one ends nothing, and that it is over ends this one alone. One may give
 * up eating, drinking or using what one likes, so that such a habit has a slot beside that of the liking.
 */
const likingOf = (thing: string, verb: string, speaker: string): string | undefined => {
  const deed = /\b(?:eat|drink|us)(?=e?$|ing$)/.exec(verb)?.[0];
  return thing.split(" ").length > FEW_WORDS
    ? undefined
    : slotOf(speaker, `${deed === undefined ? "liking for" : `habit of ${deed}ing`} ${thing}`);
};

export const isLiking = (slot: string): boolean => /\/(?:liking for|habit of) /.test(slot);

const liking = (value: string, verb: string, speaker: string) =>
  DISLIKES.test(verb)
    ? taste(value)
    : taste(value).map((one) => ({ ...one, slot: likingOf(one.value, verb, speaker) }));

const overLiking = (old: string, verb: string, speaker: string) => {
  const closes = trimValue(old);
  return [{ closes, slot: likingOf(closes, verb, speaker) }];
};

const WHAT = "(?<what>(?:[\\p{L}-]+ ){0,3}?[\\p{L}-]+)";

function favourite(what: string, value: string, speaker: string) {
  if (PASSING.test(what)) return [];
  const { value: plain, bound } = bounded(trimValue(value));
  const functional = isValue(plain) && !/(?:[^s]s| and .*)$/.test(what);
  if (!functional) return taste(trimValue(value));
  return [{ slot: slotOf(speaker, within(`favorite ${what}`, bound)), value: plain }];
}

const PREFERENCE_RULES: readonly Rule[] = [
  rule(
    "preference",
    `\\b[Mm]y (?:all-time |current |new )?favou?rite ${WHAT}(?: is|'s)(?: now)? (?<value>.+)`,
    ({ what = "", value = "" }, { speaker }) => favourite(what, value, speaker),
  ),
  rule(
    "preference",
    `^(?<value>\\S.{1,60}?) is (?:now )?my (?:all-time )?favou?rite ${WHAT}$`,
    ({ what = "", value = "" }, { speaker }) => favourite(what, value, speaker),
  ),
  rule(
    "preference",
    `(?:^|[,:…] |\\b(?:why|that|because|much|and|but|since|as|also|recently|reasons?|way|honestly|personally|too) )[Ii](?=['\\s])${ADVERBS}(?: (?:really|absolutely|generally|personally|especially|do|definitely|truly|particularly|only))* ?${VERBS} (?<value>.+)`,
    ({ value = "", verb = "" }, { speaker }) => liking(value, verb, speaker),
  ),
  rule(
    "preference",
    "\\b[Ii] (?:no longer|don't|do not) (?<verb>prefer|like|love|enjoy|use|eat|drink) (?<old>.+?)(?: any ?more)$",
    ({ old = "", verb = "" }, { speaker }) => overLiking(old, verb, speaker),
  ),
  rule(
    "preference",
    "\\b[Ii] (?<verb>no longer (?:prefer|like|love|enjoy|eat|drink)|stopped (?:liking|enjoying|eating|drinking)) (?<old>.+)$",
    ({ old = "", verb = "" }, { speaker }) => overLiking(old, verb, speaker),
  ),
];

/** Verbs that are said to somebody who works for one. */
const ORDERS =
  "use|write|answer|reply|respond|include|add|run|check|ask|tell|show|give|keep|make|format|put|avoid|commit|push|test|explain|cite|start|end|send|call|sign|translate|convert|provide|return|create|generate|name|sort|round|wrap|log|validate|confirm|verify|review|summari[sz]e|mention|suggest|recommend|assume|change|edit|modify|delete|remove|install|deploy|merge|read|list|quote|address|speak|talk|refer|follow|set|update|import|export|leave|omit|skip|store|save|share|begin|work|book|order|prefer|choose";

/** What the user wants done from now on, whoever asks for it in between. */
const WISH_RULES: readonly Rule[] = [
  rule(
    "preference",
    `^(?:(?:[Ff]rom now on|[Gg]oing forward|[Ii]n (?:the )?future),? )?(?:[Pp]lease )?(?:[Aa]lways|[Nn]ever|[Dd]on't ever) (?:${ORDERS}) .+`,
    () => [{}],
  ),
  rule("preference", "^(?:[Ff]rom now on|[Gg]oing forward),? .+", () => [{}]),
];

const CHOSE =
  "(?:\\b(?:[Ww]e|[Ii])(?:'ve| have)?(?: all| both| finally| just)* (?:decided|agreed|settled on|opted|chose)\\b|\\b[Ll]et's (?:go with|use|stick with|stick to)\\b(?! (?:this|that|it)\\b)|\\b(?:[Ww]e're|[Ww]e are|[Ii]'m|I am) going with\\b|\\b[Ww]e'll go with\\b|^[Dd]ecision:|\\b[Tt]he decision is\\b)";
const CHOSEN =
  "(?<tool>[\\p{L}\\p{N}.+#@/_-]+(?: [\\p{L}\\p{N}.+#_-]+){0,2}?)(?=$|[,.;!)]| (?:for|as|instead|in|on|over|because|rather)\\b)(?: (?:for|as) (?:the |our |my |all )?(?<use>(?:[\\p{L}-]+ ?){1,3}?)(?=$|[,.;!)]))?";

/** Those that name what was chosen, first; they are read even where the sentence speaks of the time to come. */
export const DECISION_RULES: readonly Rule[] = [
  rule(
    "decision",
    `(?:\\b(?:[Ww]e|[Ii])(?:'ve| have)?(?: all| both| finally| just)* (?:(?:decided|agreed)(?: to (?:use|go with)| on)|settled on|opted for|chose)|\\b[Ll]et's (?:go with|use)|\\b(?:[Ww]e're|[Ww]e are|[Ii]'m|[Ww]e'll) go(?:ing)? with) ${CHOSEN}`,
    ({ tool = "", use, rest }) => {
      const named = use === undefined ? useOf(tool) : useNamed(use.trim());
      if (named === undefined) return [];
      return [{ slot: slotOf("project", within(named, placeOf(rest))), value: trimValue(tool) }];
    },
  ),
  rule(
    "decision",
    "^(?:[Pp]lease )?[Uu]se (?<tool>[\\w.+#-]+(?: [\\w.+#-]+)?),? (?:instead of|rather than|not) (?<old>[\\w.+#-]+(?: [\\w.+#-]+)?)(?=$|[,.;!]| )",
    ({ tool = "", old = "" }) => {
      const use = useOf(tool) ?? useOf(old);
      return use === undefined ? [] : [{ slot: slotOf("project", use), value: tool, closes: old, update: true }];
    },
  ),
  rule("decision", CHOSE, () => [{}]),
];

export const TASTE_RULES: readonly RuleGroup[] = [
  {
    sign: /favou?rite|\b(?:prefer|like|love|enjoy|hate|dislike|adore|detest|stand|use|eat|drink|allergic|into|fan|stopped)\b/,
    rules: PREFERENCE_RULES,
  },
  { sign: /\b(?:[Ff]rom now on|[Gg]oing forward|[Aa]lways|[Nn]ever|[Dd]on't ever)\b/, rules: WISH_RULES },
];
