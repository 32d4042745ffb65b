import { checkNames, checkString, type OptionNames } from "../../message/option-names.js";
import { looksLikeInstruction } from "../trust/instructions.js";
import { type MemorySource, speaksForItself } from "../trust/source.js";
import { type Clause, clausesOf } from "./clauses.js";
import { eventDate } from "./event-date.js";
import type { Fact } from "./fact.js";
import { isHabit } from "./habit.js";
import { PERSON_RULES } from "./person-rules.js";
import type { Reading, Rule, RuleContext, RuleGroup } from "./rule.js";
import { sentencesOf } from "./sentences.js";
import { SETTING_AND_TOOL_RULES } from "./setting-rules.js";
import { DECISION_RULES, TASTE_RULES } from "./taste-rules.js";
import { mayTell } from "./telling-words.js";
import { normalSlot, sameValue } from "./value.js";

/**
 * What a text tells, by rules and without a model. The rules are made to be right rather than complete: a sentence that
 * is hedged, asked, reported or made up gives no value. What is not recognised is not lost, for the text itself is kept.
 */
export interface FactsOptions {
  /** Who says "I". `user` unless given, or `agent` where the source is the agent. */
  readonly speaker?: string;
  readonly source: MemorySource;
}

const OPTIONS: OptionNames<FactsOptions> = { speaker: true, source: true };

/** What is longer is a document: its text is searched, and its beginning tells what it is about. */
const MOST_SENTENCES = 5_000;
const MOST_FACTS = 200;
const UPDATE =
  /\b(?:now|changed|moved|switched|updated|instead|from now on|as of|no longer|any ?more|renamed|migrated|replaced|correction|bumped|promoted|going forward)\b|^actually\b/i;
/** Ways to begin that say: keep this. */
const LEAD =
  /^(?:(?:please )?(?:remember|note|keep in mind|don't forget|record|save|memori[sz]e|store)(?: (?:this|that|the following))?(?: for (?:later|me|the future|next time))?(?: that|:)|(?:please )?(?:update|correct|confirm|correction|reminder|for the record|note)(?: [\w' ]{0,30})?:|(?:fyi|just so you know|to be clear|for the record|actually|correction|update)[,:]) /i;
const RULES: readonly RuleGroup[] = [...PERSON_RULES, ...TASTE_RULES, ...SETTING_AND_TOOL_RULES];
/** What the agent says of "me" is a draft or a manner of speaking; what it says of the work is what it did. */
const AGENT_RULES: readonly RuleGroup[] = SETTING_AND_TOOL_RULES;

/**
 * The facts that a text states, in its order.
 *
 * @example
 * ```ts
 * factsOf("I moved to Lyon. We switched from npm to pnpm.", { source: "user" });
 * // [{ text: "I moved to Lyon.", kind: "fact", slot: "user/home city", value: "Lyon", update: true },
 * //  { text: "We switched from npm to pnpm.", kind: "fact", slot: "project/package manager", value: "pnpm", closes: "npm", update: true }]
 * ```
 */
export function factsOf(text: string, options: FactsOptions): Fact[] {
  checkNames(options, OPTIONS, "factsOf");
  checkString("text", text);
  const { speaker, source } = options;
  const name = speaker ?? (source === "agent" ? "agent" : "user");
  const facts: Fact[] = [];
  for (const sentence of sentencesOf(text).filter(mayTell).slice(0, MOST_SENTENCES)) {
    if (facts.length >= MOST_FACTS) break;
    facts.push(...factsOfSentence(sentence, name, source));
  }
  if (facts.length === 0) return facts;
  if (!speaksForItself(source)) return asFound(facts);
  const own = `${normalSlot(name)}/`;
  return settled(source === "agent" ? facts.filter((fact) => isReport(fact, own)) : facts);
}

/** What the agent says of itself is of no use later; of the rest, only that something changed is its to report. */
const isReport = ({ slot, update }: Fact, own: string): boolean =>
  slot === undefined || (update === true && !slot.startsWith(own));

/** Words of a tool or a document tell nobody's preferences and change nothing that somebody said. */
function asFound(facts: readonly Fact[]): Fact[] {
  return facts
    .filter(({ kind, text }) => kind === "fact" && !SPOKEN.test(text) && !looksLikeInstruction(text))
    .map(({ text, kind }) => ({ text, kind }));
}

/** Words of or about a person, which a tool has no standing to say. */
const SPOKEN = /\b(?:I|i|we|We|my|My|our|Our|you|You|your|Your|[Uu]sers?)\b/;

function factsOfSentence(sentence: string, speaker: string, source: MemorySource): Fact[] {
  const lead = LEAD.exec(sentence)?.[0] ?? "";
  const context: RuleContext = {
    speaker,
    explicit: source !== "agent" && lead !== "" && !/^(?:actually|just so|to be clear)/i.test(lead),
  };
  const rules = source === "agent" ? AGENT_RULES : RULES;
  const marked = /updat|correct|actually/i.test(lead) || /^(?:as of|from now on|effective|starting)\b/i.test(sentence);
  const clauses = clausesOf(sentence.slice(lead.length));
  const facts = clauses.flatMap((clause) => factsOfClause(clause, { sentence, context, marked, rules }));
  const asked = facts.length === 0 && context.explicit && clauses.some(({ governed }) => !governed);
  return asked ? [{ text: sentence, kind: "fact" }] : distinct(facts);
}

interface Place {
  readonly sentence: string;
  readonly context: RuleContext;
  /** The lead says that it is an update. */
  readonly marked: boolean;
  readonly rules: readonly RuleGroup[];
}

/** Adverbs of time that may stand before the subject. */
const OPENER =
  /^(?:as of [\w ]{1,20}?|now|currently|today|these days|at the moment|recently|since then|right now),? (?=\p{L}+ )/iu;

function factsOfClause(said: Clause, place: Place): Fact[] {
  if (said.governed) return [];
  const opener = OPENER.exec(said.text)?.[0] ?? "";
  const clause = { ...said, text: said.text.slice(opener.length) };
  return readClause(clause, { ...place, marked: place.marked || UPDATE.test(opener) });
}

function readClause(clause: Clause, place: Place): Fact[] {
  const decisions = firstReadings(DECISION_RULES, clause, place);
  const facts = clause.firm ? readingsOfAll(clause, place) : [];
  const found = [...decisions, ...facts];
  const date = found.length === 0 ? eventDate(clause.text) : undefined;
  return date === undefined ? found : [{ text: place.sentence, kind: "event", date }];
}

const readingsOfAll = (clause: Clause, place: Place): Fact[] =>
  place.rules.flatMap(({ sign, rules }) =>
    sign.test(clause.text) ? rules.flatMap((rule) => readingsOf(rule, clause, place)) : [],
  );

function firstReadings(rules: readonly Rule[], clause: Clause, place: Place): Fact[] {
  for (const rule of rules) {
    const facts = readingsOf(rule, clause, place);
    if (facts.length > 0) return facts;
  }
  return [];
}

const NEGATION = /\b(?:not|never|n't|no|without|nobody|none)\b|n't\b/i;

/** A negation before what the rule found takes it back: "it is not true that I live in Lyon". */
function readingsOf(rule: Rule, clause: Clause, place: Place): Fact[] {
  const match = rule.pattern.exec(clause.text);
  if (match === null || NEGATION.test(clause.text.slice(0, match.index))) return [];
  const changed = place.marked || UPDATE.test(clause.text);
  const rest = clause.text.slice(match.index + match[0].length);
  return rule
    .read({ ...match.groups, rest }, place.context)
    .map((reading) => factOf(rule, reading, { ...place, marked: changed }));
}

/** What is done on one more day is no change of the others. */
const ADDED = /\b(?:also|too|as well|additionally|in addition)\b/i;

function factOf({ kind }: Rule, { slot, value, closes, update = false }: Reading, { sentence, marked }: Place): Fact {
  const added = slot !== undefined && isHabit(slot) && ADDED.test(sentence);
  return {
    text: sentence,
    kind,
    ...(slot !== undefined && { slot }),
    ...(value !== undefined && { value }),
    ...(closes !== undefined && { closes }),
    ...((update || (marked && !added)) && { update: true as const }),
  };
}

/** Two rules may read the same; what has a slot says more than what has none. */
function distinct(facts: readonly Fact[]): Fact[] {
  const seen = new Set<string>();
  const slotted = facts.some(({ slot }) => slot !== undefined);
  const ended = new Set(facts.map(({ closes }) => closes));
  return facts.filter((fact) => {
    const key = `${fact.slot ?? fact.kind} ${fact.value === undefined ? (fact.closes ?? "") : ""}`;
    if (fact.value !== undefined && ended.has(fact.value)) return false;
    if (seen.has(key) || (slotted && fact.slot === undefined && fact.closes === undefined && fact.kind === "fact"))
      return false;
    seen.add(key);
    return true;
  });
}

/**
 * One text that gives a slot two values without saying that it changed means neither as the only one; where it says so,
 * the last holds.
 */
function settled(facts: readonly Fact[]): Fact[] {
  const last = new Map<string, Fact>();
  const torn = new Set<string>();
  for (const fact of facts) {
    if (fact.slot === undefined || fact.value === undefined) continue;
    const before = last.get(fact.slot);
    if (before?.value !== undefined && !sameValue(before.value, fact.value) && fact.update !== true)
      torn.add(fact.slot);
    last.set(fact.slot, fact);
  }
  return facts.flatMap((fact) => {
    if (fact.slot === undefined || fact.value === undefined) return [fact];
    if (torn.has(fact.slot)) return [{ text: fact.text, kind: fact.kind }];
    return last.get(fact.slot) === fact ? [fact] : [];
  });
}
