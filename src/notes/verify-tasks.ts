/** Checks that what the source says is finished is not shown as open, nor the other way round. */
import type { Line } from "./verify-lines.js";
import type { Speaker, Spoken } from "./verify-source.js";
import { asks, has, TERMS } from "./verify-terms.js";
import data from "./verify-terms.json" with { type: "json" };
import { contentWords, coverage, stem, stemsOf, type Words } from "./verify-words.js";

/** What the source says of the state of something. */
export interface Account {
  readonly state: "done" | "undone" | "asked" | "told";
  readonly words: Words;
  /** Verbs in the past: what was done, by its own word. */
  readonly acts: Words;
  /** Whether nothing was done after it. */
  readonly isLast: boolean;
}

/** Longer sentences speak of too many things to be about one. */
const LONGEST = 300;
/** An account is about something that it covers by this share, or that covers all of it and is not much more. */
const SAME = 0.6;
const PART = 0.2;
/** Words that say that something is to be done, not what. */
const CHORES = stemsOf(data.chores);
/** A clause says one state of one thing. */
const CLAUSE = /;\s+|,\s+(?=but|while|and|aber|pero|mais|но)|\s(?=but|while|aber|pero|mais|но)\s/i;
const COMMIT = /^\[[\w./-]+( \([\w-]+\))? [0-9a-f]{7,40}\] \S/;
/** Failures that are none. */
const EXPECTED =
  /\b(?:0|no|none|zero|without)\b[^.;,]*\bfail\w*|\bfail\w* (?:(?:as|like) (?:it|they) should|as expected)/gi;
/** "Added retry", "I have ported it": the word of the deed, by its ending. */
const PAST =
  /(?:^\W*(?:now\s+)?|\b(?:i|we|i['’]ve|we['’]ve|and|have|has|was|were|is|are|been|now)\s+)(\p{L}{3,}ed)\b/giu;

export function accountsIn(spoken: readonly Spoken[]): Account[] {
  const lastCall = spoken.findLastIndex(({ speaker }) => speaker === "call");
  return spoken.flatMap(({ speaker, text, passages }, at) => {
    const isLast = at > lastCall;
    const isTool = speaker === "call" || speaker === "result";
    const said =
      speaker === "call" || speaker === "system" ? [] : passages.filter((each) => each.text.length <= LONGEST);
    const clauses = said.flatMap((each) => (isTool ? [each.text] : each.text.split(CLAUSE)));
    const accounts = clauses.flatMap((clause): Account[] => {
      const acts = new Set([...clause.matchAll(PAST)].map(([, word]) => stem(word!.toLowerCase())));
      const state = stateOf(clause, speaker, acts);
      return state === undefined ? [] : [{ state, words: subjectOf(clause), acts, isLast }];
    });
    return isTool ? [...accounts, ...listedTasks(text, isLast)] : accounts;
  });
}

function stateOf(clause: string, speaker: Speaker, acts: Words): Account["state"] | undefined {
  const said = clause.replace(EXPECTED, " ");
  if (COMMIT.test(said) || (speaker === "user" && has(TERMS.dropped, said))) return "done";
  const isCondition = has(TERMS.condition, said);
  if (speaker === "result" || (isCondition && speaker === "agent")) return undefined;
  if (has(TERMS.undone, said)) return isCondition ? undefined : "undone";
  const isWished = has(TERMS.wished, said) || asks(said);
  if (!isWished && (has(TERMS.done, said) || (speaker === "agent" && acts.size > 0))) return "done";
  return speaker === "user" || isWished ? "asked" : "told";
}

/** Tasks that an agent keeps in a list, as JSON: what is done, and by which state. */
function listedTasks(text: string, isLast: boolean): Account[] {
  if (!/"(?:status|state)"\s*:/.test(text)) return [];
  return (text.match(/\{[^{}]*\}/g) ?? []).flatMap((entry): Account[] => {
    const status = /"(?:status|state)"\s*:\s*"([\w ]+)"/.exec(entry)?.[1];
    const task = /"(?:content|title|task|step|text|subject|description)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(entry)?.[1];
    if (status === undefined || task === undefined) return [];
    const state = /^(completed?|done|finished)$/.test(status) ? "done" : "undone";
    return [{ state, words: subjectOf(task), acts: new Set(), isLast }];
  });
}

/** What a clause is about, without the words for its state. */
const subjectOf = (clause: string): Words =>
  new Set(
    [...contentWords(clause.replace(TERMS.done, " ").replace(TERMS.undone, " "))].filter((word) => !CHORES.has(word)),
  );

export function falseState(
  { said, role }: Line,
  accounts: readonly Account[],
): "finished-task-open" | "open-task-done" | undefined {
  for (const clause of said.replace(EXPECTED, " ").split(CLAUSE)) {
    const subject = subjectOf(clause);
    const shown = shownState(clause, role);
    const about = shown === undefined ? [] : accounts.filter(({ words }) => isAbout(subject, words));
    const state = about.findLast((each) => each.state !== "told");
    const isSameAct = (acts: Words) => acts.size === 0 || [...acts].some((act) => contentWords(clause).has(act));
    const isDone = state?.state === "done" && (isSameAct(state.acts) || coverage(subject, state.words) === 1);
    if (shown === "open" && isDone) return "finished-task-open";
    const last = about.findLast((each) => each.state !== "asked" || each.isLast);
    const isOpen = last?.state === "undone" || last?.state === "asked";
    if (shown === "done" && isOpen && !isSettled(accounts, last)) return "open-task-done";
  }
  return undefined;
}

/** What a summary shows a task as: by the heading over it, else by the words of the clause. */
function shownState(clause: string, role: Line["role"]): "open" | "done" | undefined {
  if (role === "open" || role === "done") return role;
  if (role !== undefined || has(TERMS.condition, clause)) return undefined;
  if (has(TERMS.undone, clause)) return "open";
  return has(TERMS.done, clause) && !has(TERMS.wished, clause) ? "done" : undefined;
}

function isAbout(subject: Words, words: Words): boolean {
  if (subject.size === 0 || words.size === 0) return false;
  if (coverage(subject, words) >= SAME)
    return subject.size > 1 || words.size <= 2 || coverage(new Set([...words].slice(0, 1)), subject) === 1;
  return coverage(words, subject) === 1 && coverage(subject, words) >= PART;
}

/** "All done.": said after it, of everything. */
const isSettled = (accounts: readonly Account[], account: Account): boolean =>
  accounts.slice(accounts.indexOf(account) + 1).some(({ state, words }) => state === "done" && words.size <= 1);
