import { fileFacts } from "../marks.js";
import type { Row } from "../rows.js";
import type { SourceLines } from "../source-lines.js";
import type { DiffLine } from "./diff.js";

/** A file of a diff: its name, where that stands, and what became of it beside the changes of its lines. */
interface DiffFile {
  index: number;
  name: string;
  readonly facts: string[];
}

interface DiffFiles {
  /** Takes in the next line of the diff. */
  see(line: DiffLine, index: number): void;
  count(): number;
  /** One row for each file that was seen. */
  rows(): Row[];
}

const LONGEST = 2_000;
const NAME_WEIGHT = 1_000;
const NOWHERE = /^\/dev\/null$|\(nonexistent\)$/;

/** Names come from the titles of a diff or, where it has none, from the lines that name the old and the new file. */
export function diffFiles(lines: SourceLines): DiffFiles {
  const files: DiffFile[] = [];
  let titled = false;
  const open = (index: number, name: string) => files.push({ index, name, facts: [] });
  const see = ({ sort }: DiffLine, index: number) => {
    if (sort !== "title" && sort !== "fact" && sort !== "name") return;
    const head = lines.head(index, LONGEST).trimEnd();
    if (sort === "title") {
      titled = true;
      open(index, nameInTitle(head));
    } else if (sort === "name") {
      if (!titled && head.startsWith("---")) open(index, pathIn(head));
      if (files.length > 0) addName(files.at(-1)!, { head, index, titled });
    } else if (titled) addFact(files.at(-1)!, head);
    else if (head.startsWith("Binary files")) open(index, head);
  };
  return { see, count: () => files.length, rows: () => files.map((file) => nameRow(lines, file)) };
}

function nameRow(lines: SourceLines, { index, name, facts }: DiffFile): Row {
  const text = name + fileFacts([...new Set(facts)]);
  return { line: lines.number(index), count: 1, text, weight: NAME_WEIGHT, family: -1 - index, essential: true };
}

/** The path of a file that kept its name; the title as it stands for one that did not. */
function nameInTitle(title: string): string {
  const same = /^diff --git (?:a\/(.+) b\/\1|"a\/(.+)" "b\/\2"|(.+) \3)$|^Index: (.+)/.exec(title);
  return same?.slice(1).find((name) => name !== undefined) ?? title;
}

interface NameLine {
  readonly head: string;
  readonly index: number;
  readonly titled: boolean;
}

/** What is made from nothing is new; what is made into nothing is deleted, and known by its old name. */
function addName(file: DiffFile, { head, index, titled }: NameLine): void {
  const path = pathIn(head);
  const isOld = head.startsWith("---");
  if (NOWHERE.test(path)) file.facts.push(isOld ? "new" : "deleted");
  if (isOld || titled) return;
  if (NOWHERE.test(path)) file.name = file.name.replace(/^a\//, "");
  else Object.assign(file, { index, ...renamed(file.name, path) });
}

function renamed(from: string, to: string): Partial<DiffFile> {
  const isNew = NOWHERE.test(from);
  if (!to.startsWith("b/") || !(isNew || from.startsWith("a/"))) return { name: to };
  const [old, name] = [from.slice("a/".length), to.slice("b/".length)];
  return isNew || old === name ? { name } : { name, facts: [`from ${old}`] };
}

/** A path without the sign before it and the time behind it. */
function pathIn(head: string): string {
  const path = head.slice("--- ".length);
  return NOWHERE.test(path) ? path : path.replace(/\t.*/, "");
}

const FACTS: readonly (readonly [RegExp, (value: string) => string])[] = [
  [/^deleted file/, () => "deleted"],
  [/^new file/, () => "new"],
  [/^new mode (\d+)/, (mode) => `mode ${mode}`],
  [/^(?:Binary files|GIT binary)/, () => "binary"],
  [/^rename from (.+)/, (name) => `from ${name}`],
  [/^copy from (.+)/, (name) => `copy of ${name}`],
];

function addFact(file: DiffFile, head: string): void {
  const name = /^(?:rename|copy) to (.+)/.exec(head)?.[1];
  if (name !== undefined) file.name = name;
  for (const [sign, say] of FACTS) {
    const found = sign.exec(head);
    if (found !== null) file.facts.push(say(found[1] ?? ""));
  }
}
