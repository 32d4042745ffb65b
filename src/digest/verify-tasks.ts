import type { Sections } from "./model-summariser-sections.js";
import type { Spoken } from "./verify-source.js";
import { contentWords, coverage, sentencesOf, stem } from "./verify-words.js";

/** Checks that what the source says is finished is not shown as open, nor the other way round. */
export interface FalseTask {
  readonly kind: "finished-task-open" | "open-task-done";
  readonly item: string;
}

const DONE =
  /\b(done|fixed|completed?|finished|pass(es|ing|ed)?|committed|merged|implemented|resolved|solved|works( now)?|working now)\b|[✅✓✔☑]|\[x\]/i;
const UNDONE =
  /\b(not|never|cannot|still|yet|todo|fail(s|ed|ing|ure)?|broken|reopen(ed|s)?|regress\w*|revert(ed|s)?|pending|remaining|remains|unfinished|incomplete|in_progress)\b|n['’]t\b|\[ \]/i;
/** A sentence of these kinds says what is to be, not what is. */
const WISHED =
  /\b(to do|to be|should|needs?|need to|must|will|would|could|once|until|before|when|if|partially|almost|let me|let['’]s|i['’]ll|please|next|try|going to)\b|\?\s*$/i;
const CONDITION = /\b(once|until|before|when|if)\b/i;
/** Longer sentences speak of too many things to be about one. */
const LONGEST = 300;
const SAME = 0.8;

/** Words of an item that say that something is to be done, not what. */
const CHORES = new Set(
  "fix add implement write update create finish complete continue remain task todo item step done open next work check ensure still"
    .split(" ")
    .map(stem),
);

interface Statement {
  readonly state: "done" | "undone" | "asked";
  readonly words: ReadonlySet<string>;
}

export function falseTasks(sections: Sections, spoken: readonly Spoken[]): FalseTask[] {
  const statements = spoken.flatMap(statementsIn);
  const last = (item: string, states: readonly Statement["state"][]): Statement["state"] | undefined =>
    statements.findLast(({ state, words }) => states.includes(state) && isAbout(item, words))?.state;
  const open = [...sections.open, ...sections.next].filter(
    (item) => last(item, ["done", "undone", "asked"]) === "done",
  );
  const done = sections.done.filter((item) => last(item, ["done", "undone"]) === "undone");
  return [
    ...open.map((item): FalseTask => ({ kind: "finished-task-open", item })),
    ...done.map((item): FalseTask => ({ kind: "open-task-done", item })),
  ];
}

function isAbout(item: string, words: ReadonlySet<string>): boolean {
  const wanted = subject(item);
  if (wanted.size === 0 || (wanted.size === 1 && words.size > 2)) return false;
  return coverage(wanted, words) >= SAME;
}

function subject(text: string): Set<string> {
  return new Set([...contentWords(text)].filter((word) => !CHORES.has(word)));
}

function statementsIn({ speaker, text }: Spoken): Statement[] {
  const listed = speaker === "call" || speaker === "result" ? listedTasks(text) : [];
  const said = speaker === "call" ? [] : sentencesOf(text).flatMap((sentence) => statement(sentence, speaker));
  return [...said, ...listed];
}

function statement(sentence: string, speaker: Spoken["speaker"]): Statement[] {
  if (sentence.length > LONGEST) return [];
  const state = stateOf(sentence, speaker);
  return state === undefined ? [] : [{ state, words: subject(sentence) }];
}

function stateOf(sentence: string, speaker: Spoken["speaker"]): Statement["state"] | undefined {
  if (UNDONE.test(sentence)) return speaker === "result" || CONDITION.test(sentence) ? undefined : "undone";
  if (DONE.test(sentence) && !WISHED.test(sentence)) return "done";
  if (speaker === "result" && /^\[[\w./-]+( \([\w-]+\))? [0-9a-f]{7,40}\] \S/.test(sentence)) return "done";
  return speaker === "user" ? "asked" : undefined;
}

/** Tasks that an agent keeps in a list, as JSON: what is done, and by which state. */
const LISTED = /\{[^{}]*\}/g;

function listedTasks(text: string): Statement[] {
  if (!/"status"\s*:/.test(text)) return [];
  return (text.match(LISTED) ?? []).flatMap((entry): Statement[] => {
    const status = /"status"\s*:\s*"(\w+)"/.exec(entry)?.[1];
    const task = /"(?:content|title|task|step|text|subject|description)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(entry)?.[1];
    if (status === undefined || task === undefined) return [];
    return [{ state: /^(completed?|done|finished)$/.test(status) ? "done" : "undone", words: subject(task) }];
  });
}
