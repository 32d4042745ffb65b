import { isObject } from "../message/plain-value.js";
import { argumentsText } from "../message/tool-call.js";
import type { ToolCallPart } from "../message/types.js";
import { type LineRange, rangeOf, WHOLE_FILE } from "./supersede-range.js";
import { commandIn, isCheck, isLookup, readByShell, writtenByShell } from "./supersede-shell.js";
import type { CallKind } from "./supersede-state.js";

/** What a call does, as far as later calls can make its result stale. */
export interface CallFacts {
  /** Two calls with the same key ask for the same thing. */
  readonly key: string;
  /** The part of a file that it reads. */
  readonly reads: FileRead | undefined;
  /** Files that it changes. */
  readonly writes: readonly string[];
  /** Whether it changes something, a known file or not: its own result tells of that, and stays. */
  readonly changes: boolean;
  readonly kind: CallKind;
  /** Whether its arguments hold all that the file says after it. */
  readonly overwrites: boolean;
  /** Whether its results follow each other, none replacing one: it goes on where it stopped, or asks a person. */
  readonly advances: boolean;
}

export interface FileRead extends LineRange {
  /** Reads of one file that can stand for each other. */
  readonly file: string;
}

const PATH_KEY = /^(?:absolute|relative|target|notebook|source)?_?(?:file|path|file_?name|file_?path)$/i;
const TEXT_KEY =
  /content|^(?:new|old)_?(?:str|string|text)|patch|diff|edits?$|replacement|insert|^text$|^code$|^body$/i;
const WHOLE_TEXT_KEY = /^(?:content|contents|file_?text|text)$/i;
const WRITES = /write|edit|creat|replac|insert|patch|append|delet|remov|renam|move|save|updat|modif/i;
const READS = /read|cat|view|open|show|load|get_?file/i;
const LOOKS_UP = /read|cat|view|open|show|load|get|fetch|search|query|select|list|find|grep|sample|tail|head/i;
const READING_VERB = /^(?:view|read|open|cat|show)$/i;
/** Words of a tool's name; "task" is none of them. */
const ASKS = /(?:^|[\W_]|(?<=[a-z])(?=[A-Z]))(?:ask|question|elicit|human|approv(?:e|al)|confirm|user_?input)/i;
const CHECKS =
  /(?:^|[\W_]|(?<=[a-z])(?=[A-Z]))(?:tests?|lint|build|compile|type_?check|diagnostics?|git_?(?:status|diff))(?![a-z])/i;
const ADVANCES = /stdin|poll|wait|output|next|more|continue|scroll|page_?(?:up|down)/i;
/** Arguments that say nothing about what is asked for. */
const ASIDE =
  /^(?:description|explanation|reason|reasoning|thought|justification|timeout.*|yield_time.*|max_output.*)$/i;
const PATCHED_FILE = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm;
const PATCH_LENGTH = 20_000;
const LONGEST_PATH = 400;
/** So much of a command says what it is. */
const OPENING = 40;

type Fields = Readonly<Record<string, unknown>>;

/** Goes by the shape of the arguments: a path without content is a read, with content a write. */
export function describeCall(call: ToolCallPart): CallFacts {
  const { input, toolName } = call;
  const fields = isObject(input) ? input : {};
  const facts = effectOf(call, fields);
  return {
    key: `${toolName}\n${stableText(input)}`,
    kind: kindOf(call, fields),
    changes: facts.writes.length > 0 || (facts.reads === undefined && WRITES.test(toolName)),
    advances:
      ASKS.test(toolName) || ADVANCES.test(toolName) || ADVANCES.test((commandIn(fields) ?? "").slice(0, OPENING)),
    ...facts,
  };
}

function kindOf({ toolName }: ToolCallPart, fields: Fields): CallKind {
  const command = commandIn(fields);
  if (command !== undefined && isLookup(command)) return "lookup";
  if (CHECKS.test(toolName) || (command !== undefined && isCheck(command))) return "check";
  return LOOKS_UP.test(toolName) ? "lookup" : "other";
}

type Effect = Pick<CallFacts, "reads" | "writes" | "overwrites">;

const NO_EFFECT: Effect = { reads: undefined, writes: [], overwrites: false };

function effectOf(call: ToolCallPart, fields: Fields): Effect {
  const file = fileIn(fields);
  if (file !== undefined) return onFile(call.toolName, fields, file);
  const command = commandIn(fields);
  return command === undefined ? { ...NO_EFFECT, writes: patchedFiles(call) } : ofShell(command);
}

function onFile(name: string, fields: Fields, file: string): Effect {
  const others = Object.keys(fields).filter((key) => !PATH_KEY.test(key) && !ASIDE.test(key));
  const reading = READING_VERB.test(String(fields.command));
  if (!reading && (WRITES.test(name) || others.some((key) => TEXT_KEY.test(key)))) {
    const inserts = /append|insert/i.test(`${name} ${fields.command}`);
    return { ...NO_EFFECT, writes: [file], overwrites: !inserts && others.some((key) => WHOLE_TEXT_KEY.test(key)) };
  }
  const range = rangeOf(fields, others);
  const reader = reading || READS.test(name) ? "" : `${name} `;
  return range === undefined ? NO_EFFECT : { ...NO_EFFECT, reads: { file: reader + file, ...range } };
}

function ofShell(command: string): Effect {
  const read = readByShell(command);
  if (read !== undefined)
    return { ...NO_EFFECT, reads: { ...(read.range ?? WHOLE_FILE), file: normalPath(read.file) } };
  return { ...NO_EFFECT, writes: writtenByShell(command).map(normalPath) };
}

function fileIn(fields: Fields): string | undefined {
  for (const [key, value] of Object.entries(fields)) {
    if (PATH_KEY.test(key) && typeof value === "string" && isPath(value)) return normalPath(value);
  }
  return undefined;
}

const isPath = (text: string): boolean => text !== "" && text.length <= LONGEST_PATH && !text.includes("\n");

const normalPath = (path: string): string =>
  path
    .replace(/\\/g, "/")
    .replace(/\/{2,}/g, "/")
    .replace(/^(?:\.\/)+/, "");

function patchedFiles(call: ToolCallPart): string[] {
  const text = argumentsText(call).slice(0, PATCH_LENGTH).replaceAll("\\n", "\n");
  return Array.from(text.matchAll(PATCHED_FILE), (match) => normalPath(match[1]!.trim()));
}

/** A value as text in which the order of keys, and remarks beside the question, make no difference. */
function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "";
  const keys = Object.keys(value)
    .filter((key) => !ASIDE.test(key))
    .sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${stableText(value[key])}`).join()}}`;
}
