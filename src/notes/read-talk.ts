/** What people said, as notes: the user's words as they are, the agent's by statement. */
import type { EntryId, Position } from "../message/positions.js";
import { safeCutAfter } from "../reduce/safe-cut.js";
import { isDefinition } from "./definitions.js";
import type { Draft } from "./notes.js";
import { type Statement, shortened, statementsOf } from "./statements.js";

/** Longer messages of the user are mostly pastes: their beginning and their end stand for them, and their size. */
const LONGEST_SAID = 2_000;
const LONG_SAID = 700;
const KEPT_OF_PASTE = 220;
const SHORT_SAID = 160;

const BONUS = {
  /** What came of the work, and what is asked or proposed at the end. */
  lead: 0.6,
  close: 0.6,
  item: 0.3,
  other: 0.25,
  remark: 0.006,
  list: 1.5,
};

/** Where something was said. */
export interface Place {
  readonly at: Position;
  readonly id: EntryId;
}

/** What the user said, and what the client put beside it. */
export function userNotes(text: string, { at, id }: Place): Draft[] {
  const [outside, blocks] = withoutBlocks(text, CLIENTS);
  const isClients = /^\s*\[[\w ]+\]\s*$/.test(outside);
  const said = isClients ? "" : outside.trim();
  const others = [...blocks, isClients ? outside : ""].map(oneLine).filter((each) => each !== "");
  const notes = others.map((each): Draft => {
    return { at, kind: "fact", text: shortened(each, SHORT_SAID), of: "from the client", bonus: 0.01 };
  });
  return said === "" ? notes : [saidNote(said, { at, id }), ...notes];
}

function saidNote(said: string, { at, id }: Place): Draft {
  const whole = said.length <= LONGEST_SAID ? said : pasted(said, id);
  const isLong = said.length > LONG_SAID && said.length <= LONGEST_SAID;
  const short = isLong ? pasted(said, id) : shortened(oneLine(said), SHORT_SAID);
  return { at, kind: "user", text: whole, ...(short.length < whole.length * 0.8 && { short }), bonus: 0.5 };
}

/** Tags of clients have names of several words: "system-reminder", "environment_context". */
const CLIENTS = /<([a-z]+(?:[-_][a-z]+)+)(?:\s[^<>]*)?>/g;
/** Reasoning that a model wrote into its answer. */
const THOUGHTS = /<(think)>/g;

/** A text without the blocks that such tags open and close, and what stands in these. */
function withoutBlocks(text: string, tags: RegExp): [outside: string, blocks: string[]] {
  const blocks: string[] = [];
  let outside = "";
  let from = 0;
  for (const match of text.matchAll(tags)) {
    if (match.index < from) continue;
    const start = match.index + match[0].length;
    const end = text.indexOf(`</${match[1]}>`, start);
    if (end < 0) break;
    outside += text.slice(from, match.index);
    blocks.push(text.slice(start, end));
    from = end + match[1]!.length + 3;
  }
  return [outside + text.slice(from), blocks];
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function pasted(text: string, id: EntryId): string {
  const start = shortened(text, KEPT_OF_PASTE);
  const tail = text.slice(safeCutAfter(text, text.length - KEPT_OF_PASTE));
  const cut = /^\S{0,30}\s+/.exec(tail)?.[0].length ?? 0;
  return `${start}\n… ${tail.slice(cut)}\n(${text.length.toLocaleString("en")} characters, ${id})`;
}

/** So many numbered items, or rows and items of any kind, make a list that later turns may refer to. */
const LEAST_NUMBERED = 4;
const LEAST_ITEMS = 10;

/** What the agent said: at the end of a turn all of it counts, on the way mostly what it names. */
export function agentNotes(text: string, { at, id }: Place, isClosing: boolean): Draft[] {
  const all = statementsOf(withoutBlocks(text, THOUGHTS)[0]);
  // Code in what the agent says is an example: a definition in it is told, of the rest the names.
  const isExample = (each: Statement) => each.kind === "code" && !isDefinition(each.text);
  const code = all.filter(isExample);
  const statements = all.filter((each) => !isExample(each));
  if (statements.length === 0) return [];
  const last = statements.at(-1)!.block;
  const isReport = isClosing || statements.filter(({ kind }) => kind !== "sentence").length >= LEAST_NUMBERED;
  const notes = statements.map((statement, place): Draft => {
    const { kind, number, head } = statement;
    return {
      at,
      kind: isReport ? "answer" : "remark",
      text: statement.text,
      ...(statement.short !== undefined && { short: statement.short }),
      ...(head !== undefined && { of: head }),
      ...(kind !== "sentence" && kind !== "heading" && { form: kind }),
      ...(number !== undefined && { number }),
      ...(place === 0 && code.length > 0 && { inside: code.map((each) => each.text).join("\n") }),
      bonus: isReport ? bonusOf(statement, place, last) : BONUS.remark,
    };
  });
  return [...listNote(statements, { at, id }), ...notes];
}

function bonusOf({ kind, block }: Statement, place: number, last: number): number {
  if (kind === "code") return 0.01;
  if (place === 0) return BONUS.lead;
  if (block === last) return BONUS.close;
  return kind === "sentence" ? BONUS.other : BONUS.item;
}

/** A line that says which items are to be had by opening the entry. */
function listNote(statements: readonly Statement[], { at, id }: Place): Draft[] {
  const numbered = statements.filter(({ number }) => number !== undefined);
  const items = statements.filter(({ kind }) => kind === "item" || kind === "row");
  if (numbered.length < LEAST_NUMBERED && items.length < LEAST_ITEMS) return [];
  const title = shortened(oneLine(statements[0]!.head ?? statements[0]!.text), 80);
  const range =
    numbered.length < LEAST_NUMBERED
      ? `${items.length} items`
      : `${numbered.length} items, ${numbered[0]!.number} to ${numbered.at(-1)!.number}`;
  return [{ at, kind: "list", text: `${id} has the list in full: ${title} (${range})`, bonus: BONUS.list }];
}
