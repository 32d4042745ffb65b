/** Notes as Markdown for people: what a colleague, or another agent, needs to go on. */
import { foreignText } from "../message/foreign-text.js";
import { codeSpan, listItem, plainMarkdown } from "./markdown-text.js";
import type { Note, NoteKind, Notes } from "./notes.js";
import { fitted, type RenderInput, type Stretch } from "./render-notes.js";

export interface MarkdownNotes {
  readonly text: string;
  readonly tokens: number;
  /** The statements that the text shows. */
  readonly notes: Notes;
}

/** Share of the room for statements at first, headings and marks take the rest; and the most for what is open. */
const SHARE = 0.8;
const OPEN_SHARE = 0.25;
/** Names that an agent is going to use say less to people than what was concluded and changed. */
const NAMES = 0.1;

/** Notes under a heading; undefined where not even that fits. */
export function markdownNotes(heading: string, notes: Notes, input: RenderInput): MarkdownNotes | undefined {
  const open = openBlocks(notes.notes, input.room * OPEN_SHARE);
  const write = (stretches: readonly Stretch[]) => [heading, ...stretches.flatMap(stretchBlocks), ...open].join("\n\n");
  const worth = (identifier: string) => input.worth(identifier) * NAMES;
  const fit = fitted(notes, { ...input, worth, share: SHARE, write });
  return fit && { text: fit.text, tokens: fit.tokens, notes: { ...notes, notes: fit.chosen } };
}

/** What the user said comes first, then what the agent said, then what it did. */
const SECTIONS: readonly (readonly [label: string, kinds: readonly NoteKind[]])[] = [
  ["", ["user"]],
  ["Agent:", ["answer", "remark", "list"]],
  ["Done:", ["change", "run", "look", "fact"]],
];

function stretchBlocks({ id, notes }: Stretch): string[] {
  const blocks = SECTIONS.flatMap(([label, kinds]) => {
    const section = blocksOf(notes.filter(({ kind }) => kinds.includes(kind)));
    return label === "" || section.length === 0 ? section : [label, ...section];
  });
  return blocks.length === 0 ? [] : [`## ${id}`, ...blocks];
}

type Form = "quote" | "list" | "row" | "code";
/** Each statement in its form, and what follows each other in the same form as one block. */
const LINES: Readonly<Record<Form, (note: Note) => string>> = {
  quote: ({ text }) => plainMarkdown(text).replace(/^ */gm, "> ").replace(/ +$/gm, ""),
  list: ({ kind, text }) => (kind === "fact" ? `  - ${codeSpan(text)}` : listItem(text)),
  row: ({ text }) => plainMarkdown(text),
  code: ({ text }) => foreignText(text),
};
/** Nobody knows whether the first row of a table was its heading: it gets an empty one. */
function framed(form: Form, lines: readonly string[]): string {
  const columns = Math.max(1, lines[0]!.split(/(?<!\\)\|/).length - 2);
  const table = [`|${" |".repeat(columns)}`, `|${"---|".repeat(columns)}`];
  if (form === "code") return ["```", ...lines, "```"].join("\n");
  return [...(form === "row" ? table : []), ...lines].join("\n");
}

function blocksOf(notes: readonly Note[]): string[] {
  const blocks: { readonly form: Form; readonly at: number; readonly lines: string[] }[] = [];
  let [act, head] = ["", ""];
  for (const note of notes) {
    const { kind, at, of = "" } = note;
    const isSaid = kind === "answer" || kind === "remark";
    if (isSaid && of !== "" && of !== head) blocks.push({ form: "list", at, lines: [`**${plainMarkdown(of)}**`] });
    if (isSaid) head = of;
    const form = kind === "user" ? "quote" : note.form === "row" || note.form === "code" ? note.form : "list";
    const last = blocks.at(-1);
    if (last?.form !== form || (isSaid && last.lines[0]?.startsWith("**")) || (form !== "list" && last.at !== at))
      blocks.push({ form, at, lines: [] });
    if (kind === "fact" && !act.startsWith(of)) blocks.at(-1)!.lines.push(listItem(of));
    blocks.at(-1)!.lines.push(LINES[form](note));
    act = kind === "fact" ? of : note.text;
  }
  return blocks.map(({ form, lines }) => framed(form, lines));
}

/** So many commands that failed are told as open. */
const MOST_FAILED = 3;

/** Tasks, commands that failed when they last ran, and what nobody has answered yet. */
function openBlocks(notes: readonly Note[], room: number): string[] {
  const tasks = notes.filter(({ kind, text }) => kind === "tasks" && text.includes("[ ]"));
  const request = notes.findLast(({ kind }) => kind === "user")?.at ?? 0;
  const failed = notes.filter(({ failed, at }) => failed && at > request).slice(-MOST_FAILED);
  const last = notes.findLast(
    ({ kind, text }) => kind === "user" || (kind === "answer" && /[?？؟]\P{L}*$/u.test(text)),
  );
  const asked = last !== undefined && !notes.some(({ kind, at }) => kind === "answer" && at > last.at) ? [last] : [];
  let left = room;
  const lines = [...asked, ...tasks, ...failed].flatMap((note) => {
    left -= note.tokens;
    const { kind, text } = note;
    const said = { user: `The user waits for an answer: ${text}`, answer: `The agent asked: ${text}` }[kind as string];
    return left < 0 ? [] : [kind === "tasks" ? plainMarkdown(text) : listItem(said ?? text)];
  });
  return lines.length === 0 ? [] : ["## Open", lines.join("\n")];
}
