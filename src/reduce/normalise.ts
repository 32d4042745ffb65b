/**
 * Terminal control in a text is not content: colours, cursor moves, and the earlier states of a progress bar that
 * rewrites its line. A state that no later one of its line resembles is content, and stays. Lines are those between
 * newlines, and keep their numbers; only a text that has carriage returns in their place gets newlines for them.
 */
import { SEVERE } from "./line-rules.js";
import { lineTemplate } from "./line-template.js";
import { REWRITE } from "./marks.js";

const ESCAPE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are control characters
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b\n]{0,2048}(?:\u0007|\u001b\\)|[()][0-9A-Za-z]|[=>78MDEHc])/g;
/** What a line shows while it is rewritten: a share, a count, a bar, a spinner, a rate, or dots. */
const PROGRESS =
  /\d ?%|\b\d+ ?(?:\/|of) ?\d|[=#█▓▒░━─]{3}|\[[=#>. -]{5,}\]|[\u2800-\u28ff◐◓◑◒]|^\W?[|/\\](?: |$)|(?:^| )-$|\b\d[\d.]* ?[kKMGT]?i?B\b|\bETA\b|-:--|(?:\.\.\.|…)\s*$/;
/** Two ends of cells: a row of a table, whatever shares and counts are in it. */
const CELLS = /\t[^\t]{0,80}\t|[,;][^\s,;][^,;]{0,80}[,;]/;
const STATE_HEAD = 240;
/** A text has carriage returns for line ends if it has at least so many, and this many for each newline. */
const LEAST_RETURNS = 8;
const RETURNS_PER_NEWLINE = 10;
const SAMPLED = 64;

export interface PlainText {
  readonly text: string;
  /** States of lines that are left out, since a later one took their place. */
  readonly statesOmitted: number;
}

/**
 * The text as a terminal would show it in the end, with what was written over and resembles nothing that stayed.
 *
 * @example
 * ```ts
 * normaliseTerminal("10 %\r99 %\r\n\u001b[31mred\u001b[0m"); // "99 %\nred"
 * ```
 */
export function normaliseTerminal(text: string): string {
  return plainText(text).text;
}

/** As `normaliseTerminal`; says also how much was left out. */
export function plainText(text: string): PlainText {
  const visible = text.startsWith("\ufeff") ? text.slice(1) : text;
  return collapseRewrites(visible.includes("\u001b") ? visible.replace(ESCAPE, "") : visible);
}

function collapseRewrites(text: string): PlainText {
  if (!text.includes("\r")) return { text, statesOmitted: 0 };
  if (endsLinesByReturns(text)) return { text: text.replace(/\r+\n|\r/g, "\n"), statesOmitted: 0 };
  const parts: string[] = [];
  let statesOmitted = 0;
  let done = 0;
  for (let at = text.indexOf("\r"); at >= 0; at = text.indexOf("\r", done)) {
    const start = Math.max(done, text.lastIndexOf("\n", at) + 1);
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = collapseLine(text.slice(start, end));
    parts.push(text.slice(done, start), line.text);
    statesOmitted += line.statesOmitted;
    done = end;
  }
  return { text: parts.join("") + text.slice(done), statesOmitted };
}

/** Old files have a carriage return where others have a newline; so has a progress bar, but that shows its progress. */
function endsLinesByReturns(text: string): boolean {
  const returns = text.match(/\r(?![\r\n])/g)?.length ?? 0;
  if (returns < LEAST_RETURNS) return false;
  const newlines = text.match(/\n/g)?.length ?? 0;
  if (newlines * RETURNS_PER_NEWLINE > returns) return false;
  const states = text.split(/[\r\n]+/, SAMPLED).map((state) => state.slice(0, STATE_HEAD));
  return states.filter((state) => PROGRESS.test(state) && !CELLS.test(state)).length < states.length / 2;
}

/** Of each line its last state, and before it the states that no later one resembles, apart from mere progress. */
function collapseLine(line: string): PlainText {
  const states = line.split("\r").filter((state) => state.trim() !== "");
  const kinds = new Set<number>();
  const kept: string[] = [];
  for (let at = states.length - 1; at >= 0; at--) {
    const state = states[at]!;
    const { kind } = lineTemplate(state);
    if (kept.length === 0) kept.push(state);
    else if (!kinds.has(kind) && !isTransient(state, kept.at(-1)!) && !isSpinner(states, at))
      kept.push(state.trimEnd());
    kinds.add(kind);
  }
  return { text: kept.reverse().join(REWRITE), statesOmitted: states.length - kept.length };
}

/** Whether a state is the one before or after it, but for the sign that it begins with. */
function isSpinner(states: readonly string[], at: number): boolean {
  const words = wordsBehindSign(states[at]);
  if (words === undefined || SEVERE.test(words)) return false;
  return wordsBehindSign(states[at - 1]) === words || wordsBehindSign(states[at + 1]) === words;
}

function wordsBehindSign(state = ""): string | undefined {
  return /^\s*[^\w\s]\s+(\S.*)$/.exec(state.slice(0, STATE_HEAD))?.[1]?.trimEnd();
}

/** Whether a state shows no more than how far something is, or than how the state after it begins. */
function isTransient(state: string, next: string): boolean {
  const shown = state.slice(0, STATE_HEAD).trim();
  return next.slice(0, STATE_HEAD).includes(shown) || (PROGRESS.test(shown) && !SEVERE.test(shown));
}
