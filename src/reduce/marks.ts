/**
 * Every mark that a reduced text can hold; nothing else in it is invented. A reader who knows this file can read any
 * reduced text, and can ask for the omitted lines by the numbers given.
 *
 * | mark | meaning |
 * |---|---|
 * | `[Data Truncated: log, 2000 lines]` | first line, from 128 tokens on: what the source was, and how long |
 * | `[Data Truncated: html of 9000 chars as text, 40 lines]` | the same for another form of the source; its lines are those of the form |
 * | `[Data Truncated: text, 90 rewritten states omitted]` | all is shown but what a terminal had written over with the like |
 * | `... (8000 lines omitted: 51-8050) ...` | these lines of the source stood here |
 * | `... (1234 chars omitted) ...` | part of one long line, or of unstructured text, stood here |
 * | `"... (997 items omitted: 3-999) ..."` | in JSON: these items of the array, or of values on lines of their own, counted from 0, stood here |
 * | `"...": "(12 keys omitted)"` | in JSON: this object had more keys |
 * | `"... (array of 7 omitted) ..."` | in JSON: a nested value stood here |
 * | `1042 ×340: text` | in a digest of kinds: line 1042, standing for 340 lines of its kind |
 * | `17: src/a.ts (new)`, `26: @12 -text` | in a digest of a diff: line 17 names this file, with what became of it; line 26 is this change, at line 12 of the changed file, told for the first of a hunk |
 * | `17: 3b9a01c Subject` | in a digest of a git log: the commit at line 17, with its subject |
 * | `12 ×30: ./src: a.ts, b.ts, …` | in a listing: line 12 names a directory of 30 entries, of which the first follow |
 * | `[superseded: read again in e57; 1,204 tokens; context_expand e12]` | a newer result makes this one stale; `entry e12` for a model without the tool |
 * | `[cleared: grep; it said "src/a.ts:1: …"; 1,204 tokens; context_expand e12]` | an old result that began so |
 * | `error: no space␍retrying` | in one line of the source: what follows the sign was written over what is before it |
 * | `…` | a value (an id, a time, a name that lines of one kind do not share), or the rest of a long value or row, is left out |
 */
import { thousands } from "./thousands.js";

export const ELLIPSIS = "…";

/** A carriage return inside a line. */
export const REWRITE = "␍";

/** Below this budget the first line is worth more than a mark that names the source. */
export const HEAD_MARK_FROM = 128;

export function headMark(kind: string, ...facts: readonly string[]): string {
  return `[Data Truncated: ${[kind, ...facts].join(", ")}]`;
}

export function linesMark(from: number, to: number): string {
  return from === to ? `... (1 line omitted: ${from}) ...` : `... (${to - from + 1} lines omitted: ${from}-${to}) ...`;
}

export function rewritesMark(states: number): string {
  return headMark("text", states === 1 ? "1 rewritten state omitted" : `${states} rewritten states omitted`);
}

export function charsMark(count: number): string {
  return `... (${count} chars omitted) ...`;
}

export function itemsMark(from: number, to: number): string {
  return from === to ? `... (1 item omitted: ${from}) ...` : `... (${to - from + 1} items omitted: ${from}-${to}) ...`;
}

export function keysMark(count: number): string {
  return `(${count} keys omitted)`;
}

export function nestedMark(type: "array" | "object", count: number): string {
  return `... (${type} of ${count} omitted) ...`;
}

export function rowMark(line: number, count: number): string {
  return count === 1 ? `${line}: ` : `${line} ×${count}: `;
}

/** Where a row stands in the file that it changes. */
export function placeMark(line: number): string {
  return `@${line} `;
}

/** What became of a file, behind its name. */
export function fileFacts(facts: readonly string[]): string {
  return facts.length === 0 ? "" : ` (${facts.join(", ")})`;
}

/** An output that a mark stands for: its tokens, the entry that keeps it, and a line of it that is worth keeping. */
export interface MarkedOutput {
  readonly tokens: number;
  readonly entry: string;
  readonly line: string | undefined;
  /** Whether whoever reads the mark can ask for the output: it is named in any case. */
  readonly expandable: boolean;
}

export function supersededMark(why: string, output: MarkedOutput): string {
  return `[superseded: ${why}; ${describe(output)}]`;
}

export function clearedMark(toolName: string, output: MarkedOutput): string {
  return `[cleared: ${toolName}; ${describe(output)}]`;
}

function describe({ tokens, entry, line, expandable }: MarkedOutput): string {
  const said = line === undefined || line === "" ? "" : `it said ${JSON.stringify(line)}; `;
  return `${said}${thousands(tokens)} tokens; ${expandable ? "context_expand" : "entry"} ${entry}`;
}
