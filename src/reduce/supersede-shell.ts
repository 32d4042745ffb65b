import type { LineRange } from "./supersede-range.js";

const COMMAND_KEY = /^(?:command|cmd|script|bash|shell)$/i;
const FOLDER = /^\s*cd\s+(?<folder>[^\s;&|]+)\s*&&\s*/;
const WORD = String.raw`(?<file>"[^"]+"|'[^']+'|[^\s;&|<>"'$*?\x60-][^\s;&|<>"'$*?\x60]*)`;
const WHOLE = new RegExp(String.raw`^(?:cat|nl|less|more|bat|type)(?:\s+-\w+)*\s+${WORD}\s*$`);
const LINES = new RegExp(String.raw`^sed\s+-n\s+["']?(?<from>\d+),(?<to>\d+|\$)p["']?\s+${WORD}\s*$`);
const HEAD = new RegExp(String.raw`^head\s+(?:-n\s*|-)(?<to>\d+)\s+${WORD}\s*$`);
const WRITTEN = [
  new RegExp(String.raw`(?:^|[^>&\d])>{1,2}\s*${WORD}`, "g"),
  new RegExp(String.raw`\btee\s+(?:-a\s+)?${WORD}`, "g"),
  new RegExp(String.raw`\b(?:sed|perl)\s+(?:-\w+\s+)*-\w*i\S*\s+(?:"[^"]*"|'[^']*')\s+${WORD}`, "g"),
];
const LONGEST = 4000;
/** Programs that print a part of some data. */
const LOOKUP =
  /^(?:sudo\s+)?(?:tail|head|shuf|cat|less|more|sed|awk|cut|sort|grep|rg|find|ls|curl|wget|psql|mysql|sqlite3?|redis-cli|mongosh?|journalctl|dmesg|jq|git\s+(?:log|show|blame|grep)|(?:docker|kubectl)\s+(?:compose\s+)?logs)\b/;
/** Programs that say how things stand. */
const CHECK =
  /\b(?:tests?|pytest|unittest|jest|vitest|mocha|rspec|phpunit|tox|tsc|mypy|pyright|eslint|biome|ruff|flake8|clippy|lint|build|typecheck|compile|(?:npm run|make|cargo|just|yarn|pnpm|bun run) check|go vet|git (?:status|diff))\b/;

/** The command line among the arguments of a call. */
export function commandIn(fields: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(fields)) {
    if (!COMMAND_KEY.test(key)) continue;
    if (typeof value === "string") return value.trim();
    if (Array.isArray(value) && value.length > 0) return lastWord(value);
  }
  return undefined;
}

/** `["bash", "-lc", "cat x"]` is the command in its last word; other lists are the words of one. */
function lastWord(words: readonly unknown[]): string {
  const isShell = words.length === 3 && /^-\w*c$/.test(String(words[1]));
  return isShell ? String(words[2]).trim() : words.map(String).join(" ");
}

/** The file that a command does nothing but print, and which lines of it; all where no range is given. */
export function readByShell(command: string): { file: string; range: LineRange | undefined } | undefined {
  if (command.length > LONGEST) return undefined;
  const folder = FOLDER.exec(command)?.groups?.folder;
  const rest = command.replace(FOLDER, "").trim();
  const found = [WHOLE, LINES, HEAD].map((pattern) => pattern.exec(rest)?.groups).find(Boolean);
  if (found?.file === undefined) return undefined;
  const { from, to } = found;
  const last = to === "$" ? Number.POSITIVE_INFINITY : Number(to);
  const range = to === undefined ? undefined : { from: Number(from ?? 1), to: last };
  return { file: inFolder(folder, found.file), range };
}

/** Whether a command prints a part of some data: asked again, it may show another part. */
export const isLookup = (command: string): boolean => LOOKUP.test(command.replace(FOLDER, "").trimStart());

/** Whether a command says how things stand: tests, builds, the state of a working tree. */
export const isCheck = (command: string): boolean => CHECK.test(command.slice(0, LONGEST));

/** Files that a command writes into, as far as its text shows. */
export function writtenByShell(command: string): string[] {
  const text = command.slice(0, LONGEST);
  const folder = FOLDER.exec(text)?.groups?.folder;
  const files = WRITTEN.flatMap((pattern) => Array.from(text.matchAll(pattern), (match) => match.groups!.file!));
  return files.filter((file) => !file.startsWith("/dev/")).map((file) => inFolder(folder, file));
}

function inFolder(folder: string | undefined, file: string): string {
  const plain = file.replace(/^["']|["']$/g, "");
  return folder === undefined || plain.startsWith("/") ? plain : `${folder}/${plain}`;
}
