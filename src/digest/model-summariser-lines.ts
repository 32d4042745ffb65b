/** Reads notes line by line, in the many dresses that models give to headings and lists. */

/** `earlier` holds what came without a heading of ours. */
export const SECTIONS = [
  "earlier",
  "goal",
  "constraints",
  "decisions",
  "done",
  "open",
  "files",
  "errors",
  "next",
] as const;
export type SectionName = (typeof SECTIONS)[number];

export const isSectionName = (name: string): name is SectionName => SECTIONS.some((each) => each === name);

const HEADINGS: readonly (readonly [RegExp, SectionName])[] = [
  [/^(the )?(goals?|objectives?|user('s)? (goal|intent)|primary request( and intent)?)$/, "goal"],
  [/^(constraints?|rules|requirements|constraints (and|&) preferences)$/, "constraints"],
  [/^(key )?decisions?( made)?$/, "decisions"],
  [/^(done|completed?|finished|completed (tasks|work))$/, "done"],
  [/^(open|open (tasks|items|questions)|in progress|pending( tasks)?|unfinished)$/, "open"],
  [/^((relevant |key )?files|files (and|&) code( sections)?)$/, "files"],
  [/^(errors?|errors (and|&) fixes|problems)$/, "errors"],
  [/^(next|next steps?)$/, "next"],
  [/^(earlier|((session|conversation) )?(notes|summary))$/, "earlier"],
];

export interface NotesLine {
  /** Undefined before the first heading. */
  readonly section: SectionName | undefined;
  readonly mark: "+" | "-" | "";
  readonly text: string;
}

const LEFT_OUT = /^\((\d+) older items? left out\)$/m;

/** Says in the notes that items were left out of them. */
export const leftOutLine = (count: number): string => `(${count} older ${count === 1 ? "item" : "items"} left out)`;

/** How many items a text says were left out. */
export const leftOut = (text: string): number => Number(LEFT_OUT.exec(text)?.[1] ?? 0);

const FENCE = /^\s*```/;
const BULLET = /^\s*(?:([-*+•])|\d{1,2}[.)])\s+/;
const EMPTY =
  /^[^\p{L}\p{N}]*(?![^\p{L}\p{N}])(none|n\/a|nothing|not applicable|empty|no (items?|changes?|errors?))?[^\p{L}\p{N}]*$/iu;

/** The items of a text with the section under which each stands. */
export function linesOf(text: string): NotesLine[] {
  const lines: NotesLine[] = [];
  let section: SectionName | undefined;
  /** Lines from here on stand under the latest heading. */
  let first = 0;
  for (const raw of text.split("\n")) {
    if (FENCE.test(raw) || LEFT_OUT.test(raw) || raw.trim() === "") continue;
    const heading = headingIn(raw);
    if (heading !== undefined) {
      section = heading.section ?? "earlier";
      first = lines.length;
    }
    const line = lineOf(heading?.rest ?? raw, section);
    if (lines.length > first && GOES_ON.test(raw)) lines.push(joined(lines.pop()!, line));
    else if (!EMPTY.test(line.text)) lines.push(line);
  }
  return lines;
}

/** A line that is drawn in and begins no item of a list. */
const GOES_ON = /^\s{2,}(?![-*+•]\s|\d{1,2}[.)]\s)/;

const joined = (line: NotesLine, { text }: NotesLine): NotesLine => ({ ...line, text: `${line.text} ${text}` });

function lineOf(body: string, section: SectionName | undefined): NotesLine {
  const bullet = BULLET.exec(body);
  return { section, mark: markOf(bullet?.[1]), text: body.slice(bullet?.[0].length ?? 0).trim() };
}

const markOf = (bullet: string | undefined): NotesLine["mark"] => (bullet === "+" || bullet === "-" ? bullet : "");

const MARKED = /^\s{0,3}#{1,6}\s*(\S.*)$|^\s*\*\*([^*]+?):?\*\*:?\s*$/;
const UNMARKED = /^(?:\d{1,2}[.)]\s*)?([A-Za-z][A-Za-z &']{2,40}):\s*$/;
const INLINE = /^(goal|constraints|decisions|done|open|files|errors|next):\s+(.+)$/i;

/** A heading of ours with what stands behind it, or another heading, which is kept as text. */
function headingIn(line: string): { section: SectionName | undefined; rest: string } | undefined {
  const marked = MARKED.exec(line);
  const title = closed(marked?.[1]) ?? marked?.[2] ?? UNMARKED.exec(line)?.[1];
  if (title !== undefined) {
    const section = sectionNamed(title);
    return { section, rest: section !== undefined ? "" : marked ? title : line };
  }
  const inline = INLINE.exec(line);
  return inline === null ? undefined : { section: sectionNamed(inline[1]!), rest: inline[2]! };
}

/** Without what may stand behind a title: a colon, and as many signs as before it. */
const closed = (title: string | undefined): string | undefined =>
  title
    ?.trimEnd()
    .replace(/(?<!#)#+$/, "")
    .trimEnd()
    .replace(/:$/, "")
    .trimEnd();

function sectionNamed(title: string): SectionName | undefined {
  const words = title
    .replace(/[*_`]|^\d+[.)]\s*/g, "")
    .trim()
    .toLowerCase();
  return HEADINGS.find(([pattern]) => pattern.test(words))?.[1];
}
