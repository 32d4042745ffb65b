/** A summary as single statements, read from the many dresses that models give to lists. Oldest first. */
import type { TokenCounter } from "../tokens/counter.js";
import { decodeContent } from "./prompts.js";

const FENCE = /^\s*```/;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
const HEADING = /^\s{0,3}#{1,6}\s*(\S.*)$|^\s*\*\*([^*]+)\*\*:?\s*$|^\s*(\p{L}[\p{L} &']{1,40}:)\s*$/u;
const WITHDRAWN = /^\W*withdr(?:aw|awn|ew)\b\W*(?:(?:statements?|numbers?)\b\W*)?((?:\d+\D{0,7})+)$/i;
const NO_CHANGES = /^\W*no(thing)? (further )?changes?\W*$/i;

/** The title that a line is, without its dress. */
export function headingOf(line: string): string | undefined {
  const found = ITEM.test(line) ? null : HEADING.exec(line);
  return (found?.[1] ?? found?.[2] ?? found?.[3])?.replace(/[\s:#*]+$/, "");
}

/** A line without what makes it an item of a list. */
export const unlisted = (line: string): string => line.replace(ITEM, "").trim();

/** The statements of a text. A heading belongs to each of those under it: alone they might say something else. */
export function statementsIn(text: string): string[] {
  const statements: string[] = [];
  let heading = "";
  for (const line of text.split("\n")) {
    const title = headingOf(line);
    const said = unlisted(line);
    if (title !== undefined) heading = title;
    if (title !== undefined || FENCE.test(line) || !/[\p{L}\p{N}]/u.test(said) || WITHDRAWN.test(line)) continue;
    if (/^\s{2,}/.test(line) && !ITEM.test(line) && statements.length > 0)
      statements.push(`${statements.pop()} ${said}`);
    else statements.push(heading === "" ? said : `${heading}: ${said}`);
  }
  return statements;
}

export const statementsText = (statements: readonly string[]): string =>
  statements.map((each) => `- ${each}`).join("\n");

/** The statements after a model's answer; undefined where that is neither a list nor says that nothing changes. */
export function changedStatements(before: readonly string[], answer: string): string[] | undefined {
  const text = decodeContent(answer).trim();
  if (NO_CHANGES.test(text)) return [...before];
  const lines = text.split("\n");
  const withdrawn = lines.flatMap((line) => WITHDRAWN.exec(line)?.[1]?.match(/\d+/g) ?? []).map(Number);
  if (withdrawn.length === 0 && !lines.some((line) => ITEM.test(line))) return undefined;
  const kept = before.filter((_, at) => !withdrawn.includes(at + 1));
  const seen = new Map([...kept, ...statementsIn(text)].map((each) => [wordsOf(each), each]));
  return [...seen.values()];
}

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The newest statements, as many as there is room for. */
export function fittedStatements(statements: readonly string[], maxTokens: number, counter: TokenCounter): string[] {
  let from = 0;
  while (from < statements.length && counter.text(statementsText(statements.slice(from))) > maxTokens) from++;
  return statements.slice(from);
}
