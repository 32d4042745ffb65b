import type { Spoken } from "./verify-source.js";
import { contentWords, sentencesOf } from "./verify-words.js";

/** Checks that what was switched off stays off, and what was switched on stays on. */
interface Switch {
  readonly name: string;
  readonly on: boolean;
}

const NAME = "(?<name>(?:[\\w-]+ ){0,2}[\\w-]+)";
const PATTERNS: readonly (readonly [RegExp, boolean | undefined])[] = [
  [new RegExp(`\\b(?:turn|switch)(?:ed|ing)? (?<state>on|off) (?:the )?${NAME}`, "gi"), undefined],
  [new RegExp(`\\b(?:turn|switch|set)(?:ed|ing)? (?:the )?${NAME} (?:to )?(?<state>on|off)\\b`, "gi"), undefined],
  [new RegExp(`\\b(?:disabl|deactivat)(?:e|ed|ing) (?:the )?${NAME}`, "gi"), false],
  [new RegExp(`\\b(?:enabl|activat)(?:e|ed|ing) (?:the )?${NAME}`, "gi"), true],
  [/\b(?:exit|exited|leave|left|stop using|stopped using|no longer in) (?:the )?(?<name>[\w-]+ mode)\b/gi, false],
  [/\b(?:enter|entered|stay in|remain in|still in|now in|keep using) (?:the )?(?<name>[\w-]+ mode)\b/gi, true],
  [
    new RegExp(
      `(?<![\\w-])${NAME}(?: is| was| are|:| has been| stays| remains| still)+(?: now| still)? (?<state>on|off|enabled|disabled|active|inactive)\\b`,
      "gi",
    ),
    undefined,
  ],
];
const OFF = /^(off|disabled|inactive)$/i;
/** Not a report of a switch, but a question, a condition or a ban on switching. */
const NO_REPORT = /\?\s*$|\b(if|unless|don['’]t|do not|never|should i|shall i|would you|could|can you explain)\b/i;

function switchesIn(text: string): Switch[] {
  return sentencesOf(text).flatMap((sentence) => (NO_REPORT.test(sentence) ? [] : switchesOf(sentence)));
}

function switchesOf(sentence: string): Switch[] {
  return PATTERNS.flatMap(([pattern, fixed]) =>
    [...sentence.matchAll(pattern)].flatMap(({ groups }): Switch[] => {
      const name = [...contentWords(groups?.name ?? "")].sort().join(" ");
      return name === "" ? [] : [{ name, on: fixed ?? !OFF.test(groups?.state ?? "") }];
    }),
  );
}

/** The names of what the summary shows in another state than its source left it in. */
export function switchedBack(summary: string, spoken: readonly Spoken[]): { name: string; on: boolean }[] {
  const shown = switchesIn(summary);
  if (shown.length === 0) return [];
  const said = spoken.flatMap(({ speaker, text }) =>
    speaker === "user" || speaker === "agent" ? switchesIn(text) : [],
  );
  return shown.filter(({ name, on }) => {
    const last = said.findLast((each) => sameName(each.name, name));
    return last !== undefined && last.on !== on;
  });
}

/** One name may have a word more: "dry-run" and "dry-run mode". */
function sameName(left: string, right: string): boolean {
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  const words = new Set(many.split(" "));
  return few.split(" ").every((word) => words.has(word)) && words.size - few.split(" ").length <= 1;
}
