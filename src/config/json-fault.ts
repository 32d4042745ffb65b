/** Where a text stops being JSON. Lines and columns count from 1. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

const TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null))/uy;
const SPACE = /[ \t\r\n]*/y;

const VALUE = "a value";
const KEY = "a name in quotes";

/** The first place at which a text is not JSON; undefined where all of it is. Engines name no place for some faults. */
export function jsonFault(text: string): JsonFault | undefined {
  const open: ("{" | "[")[] = [];
  let expected = VALUE;
  let at = 0;
  while (at < text.length || expected !== END) {
    const token = nextToken(text, at);
    const next = token === undefined ? undefined : stepped(token.text, expected, open);
    if (next === undefined) {
      const fault = skipSpace(text, at);
      return expected === END && fault === text.length ? undefined : placeOf(text, fault, expected);
    }
    at = token!.end;
    expected = next;
  }
  return undefined;
}

const END = "the end";

function nextToken(text: string, at: number): { text: string; end: number } | undefined {
  TOKEN.lastIndex = at;
  const match = TOKEN.exec(text);
  return match === null ? undefined : { text: match[0].trimStart(), end: TOKEN.lastIndex };
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.exec(text);
  return SPACE.lastIndex;
}

/** What may stand behind a token; undefined where the token may not stand where it does. */
function stepped(token: string, expected: string, open: ("{" | "[")[]): string | undefined {
  const first = token[0]!;
  if (expected.includes(VALUE) && !":,}]".includes(first)) return opened(first, open);
  if (expected.includes(KEY) && first === '"') return ":";
  if (expected === ":" && first === ":") return VALUE;
  if (first === "," && expected.startsWith(",")) return open.at(-1) === "{" ? KEY : VALUE;
  return (first === "}" || first === "]") && expected.endsWith(` or ${first}`) ? closed(open) : undefined;
}

function opened(first: string, open: ("{" | "[")[]): string {
  if (first !== "{" && first !== "[") return afterValue(open);
  open.push(first);
  return first === "{" ? `${KEY} or }` : `${VALUE} or ]`;
}

function closed(open: ("{" | "[")[]): string {
  open.pop();
  return afterValue(open);
}

function afterValue(open: readonly ("{" | "[")[]): string {
  const inner = open.at(-1);
  return inner === undefined ? END : inner === "{" ? ", or }" : ", or ]";
}

function placeOf(text: string, at: number, expected: string): JsonFault {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: lines.at(-1)!.length + 1, expected };
}
