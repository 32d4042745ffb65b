import { outputText } from "../message/content.js";
import type { ToolOutput } from "../message/types.js";
import { ELLIPSIS } from "./marks.js";
import { safeCut } from "./safe-cut.js";

const LONGEST_REFUSAL = 600;
const REFUSAL =
  /^\s*(?:<\w*error>|\[?error\b|fatal:|traceback|.{0,120}(?:no such file|not found|permission denied|timed? ?out|rejected|denied|cancell?ed|interrupted|unchanged|does not exist))/i;
const FAILURE =
  /\b(?:FAIL(?:ED|URE|S)?|failed|failing|error(?:\[\w+\])?:|error TS\d+|ERR!|panicked|not ok|Traceback|[A-Z]\w*(?:Error|Exception):|exit(?:ed with)? (?:code|status):? [1-9])|[✗✖✕]/;
/** Nothing failed where the count of failures is none. */
const NO_FAILURE = /\b(?:0|no) (?:tests? )?(?:fail\w*|errors?)\b/i;
/** Tools say how it ended in the first lines of what they print, or in the last. */
const FIRST_LINES = 3;
const LAST_LINES = 8;
const LONGEST_LINE = 120;
const HANDLE = /\[ref=\w+\]|\buid=\d+_\d+/g;
/** A page with fewer handles than this is a text that speaks of them. */
const LEAST_HANDLES = 3;
const ADDRESS = /\b(?:page )?url: ?(\S+)/i;

/** True where a result says that the call was not carried out, or points to an earlier result. */
export function isRefusal(output: ToolOutput): boolean {
  if (output.type === "execution-denied") return true;
  const text = outputText(output);
  return text.length <= LONGEST_REFUSAL && REFUSAL.test(text);
}

/** The line in which a result says that something failed; undefined where nothing in it does. */
export function failureIn(output: ToolOutput): string | undefined {
  const lines = outputText(output).trim().split("\n");
  const ends =
    lines.length <= FIRST_LINES + LAST_LINES ? lines : [...lines.slice(0, FIRST_LINES), ...lines.slice(-LAST_LINES)];
  const found = ends.find((line) => FAILURE.test(line) && !NO_FAILURE.test(line));
  if (found !== undefined) return oneLine(found);
  return output.type === "error-text" || output.type === "error-json" ? oneLine(lines[0]!) : undefined;
}

/** The first line with a word in it. */
export const firstLineOf = (output: ToolOutput): string => oneLine(/^.*\p{L}.*$/mu.exec(outputText(output))?.[0] ?? "");

function oneLine(line: string): string {
  const plain = line
    .slice(0, LONGEST_LINE * 4)
    .replace(/\s+/g, " ")
    .trim();
  return plain.length <= LONGEST_LINE ? plain : `${plain.slice(0, safeCut(plain, LONGEST_LINE))}${ELLIPSIS}`;
}

/** Names what a result pictures, where it is a screen or a page with handles to act on; a newer picture replaces it. */
export function pictureIn(output: ToolOutput, toolName: string): string | undefined {
  if (output.type === "content" && output.value.some(({ type }) => type !== "text")) return `image ${toolName}`;
  const text = outputText(output);
  const handles = text.match(HANDLE)?.length ?? 0;
  return handles < LEAST_HANDLES ? undefined : `page ${ADDRESS.exec(text)?.[1] ?? ""}`;
}
