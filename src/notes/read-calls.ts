/** What the agent did, as notes: files changed, commands run, things looked at, and whole lines of what came back. */
import { outputText } from "../message/content.js";
import { isObject } from "../message/plain-value.js";
import type { Position } from "../message/positions.js";
import { argumentsText } from "../message/tool-call.js";
import type { ToolCallPart, ToolOutput } from "../message/types.js";
import { type CallFacts, describeCall } from "../reduce/supersede-call.js";
import { failureIn } from "../reduce/supersede-result.js";
import { commandIn } from "../reduce/supersede-shell.js";
import { isDefinition } from "./definitions.js";
import { findIdentifiers } from "./identifiers.js";
import type { Draft } from "./notes.js";
import { isFailure } from "./pieces.js";
import { packed, pairsOf, spoken, textsIn } from "./plain-json.js";
import type { Place } from "./read-talk.js";
import { shortened } from "./statements.js";

/** A call with what came back, where that is known. */
export interface Act extends Place {
  readonly call: ToolCallPart;
  readonly output: ToolOutput | undefined;
  readonly answeredAt: Position;
}

const BONUS = {
  change: 0.6,
  run: 0.012,
  failed: 0.25,
  check: 0.15,
  look: 0,
  definition: 0.03,
  telling: 0.03,
  rule: 0.12,
  tasks: 0.4,
};
const LONGEST_ARGUMENT = 160;
const LONGEST_ACT = 240;
const LONGEST_LINE = 240;
const SHORTEST_LINE = 2;
/** A line with fewer words beside its names says nothing of them. */
const LEAST_WORDS = 3;
const LONGEST_OUTCOME = 140;
/** Lines of one result that are kept as facts. */
const MOST_FACTS = 400;

export function actNotes(act: Act): Draft[] {
  const facts = describeCall(act.call);
  const isPlan = facts.writes.length === 0 && facts.reads === undefined && commandOf(act.call) === undefined;
  const tasks = isPlan && !(act.output && isFailure(act.output)) ? tasksIn(act.call.input) : undefined;
  if (tasks !== undefined) return [{ at: act.at, kind: "tasks", text: tasks, about: "tasks", bonus: BONUS.tasks }];
  const changed = facts.changes ? changedFiles(act, facts.writes) : [];
  if (changed.length > 0) return changed.flatMap((path) => changeNotes(act, path));
  return actNote(act, facts);
}

/** Where the arguments name no file, what came back may: "The file src/a.ts has been updated." */
function changedFiles({ call, output }: Act, writes: readonly string[]): readonly string[] {
  const named = writes.filter((path) => PATH.test(path));
  if (writes.length > 0) return named;
  const args = argumentsText(call).replaceAll("\\n", "\n");
  const headed = Array.from(
    args.matchAll(/^"?\{?"?\w*"?:? ?"?\*\*(?:Add|Update|Delete): `([^`]+)`\*\*/gm),
    (match) => match[1]!,
  );
  if (headed.length > 0) return headed;
  const told = output === undefined || isFailure(output) ? "" : outputText(output).split("\n", 1)[0]!.slice(0, 300);
  const path = findIdentifiers(told).find((each) => PATH.test(each.text));
  return path === undefined ? [] : [path.text];
}

/** A path of a file as one would write it: no pattern, no script, no tag. */
const PATH = /^[\p{L}\p{N}_@~.+ /:-]*[\p{L}\p{N}_)\]](?:\.[A-Za-z]\w{0,9}|\/\w+)$|^\w+file$/u;

function changeNotes(act: Act, path: string): Draft[] {
  const { call, at, id, output } = act;
  const { lines, isDeleted } = changeOf(call.input, path);
  const verb = isDeleted || /delet|remov/i.test(call.toolName) ? "deleted" : isWhole(call.input) ? "wrote" : "edited";
  const named = { named: [path], file: path, inside: textsIn(call.input).join("\n"), bonus: BONUS.change };
  if (output !== undefined && isFailure(output)) {
    const text = `${verb} ${path} (${id}): failed, ${shortened(errorLine(resultLines(output)), LONGEST_OUTCOME)}`;
    return [{ at, kind: "change", text, about: `failed ${path}`, ...named, bonus: BONUS.failed }];
  }
  const shown = lines.length > 0 ? [] : resultLines(output).slice(1);
  const what = [...lines, ...shown].find(isDefinition) ?? lines.find((line) => /\p{L}{3}/u.test(line));
  const text = `${verb} ${path} (${id})${what === undefined ? "" : `: ${shortened(what, LONGEST_OUTCOME)}`}`;
  const of = `in ${path}`;
  const note: Draft = { at, kind: "change", text, of, about: `change ${path}`, ...named };
  const facts = lines.filter((line) => line !== what && isDefinition(line));
  return [note, ...facts.slice(0, MOST_FACTS).map((line) => definitionNote(line, { at, of, file: path }))];
}

/** A definition: a later one of the same name in the same file replaces it. */
function definitionNote(line: string, place: Pick<Draft, "at" | "of" | "file">): Draft {
  const about = `${place.of} ${line.split(/[=({:]/, 1)[0]!.trim()}`;
  return { ...place, kind: "fact", text: shortened(line, LONGEST_LINE), about, bonus: BONUS.definition };
}

const NEW_TEXT = /^(?:new_?(?:str|string|text)|content|contents|file_?text|text|block|patch|diff|input|replacement)$/i;
const OLD_TEXT = /^old_?(?:str|string|text)$/i;
const WHOLE_TEXT = /^(?:content|contents|file_?text)$/i;

const isWhole = (input: unknown): boolean => isObject(input) && Object.keys(input).some((key) => WHOLE_TEXT.test(key));

/** What a change brings: of a patch the lines that it adds, and of one over several files those of this one. */
function changeOf(input: unknown, path: string) {
  const fields = fieldsIn(input);
  const texts = (pattern: RegExp) => fields.flatMap(([key, value]) => (pattern.test(key) ? [value] : []));
  const before = new Set(texts(OLD_TEXT).flatMap((text) => text.split("\n").map((line) => line.trim())));
  const parts = texts(NEW_TEXT).map((text) => patchOf(text, path));
  const after = parts.flatMap((text) => text.slice(0, REACH).split("\n"));
  const isPatch =
    after.some((line) => /^@@|^\+{1,3}\s|^\*\*\* /.test(line)) ||
    after.filter((line) => line.startsWith("+")).length > 2;
  const added = isPatch ? after.flatMap((line) => (/^\+(?!\+\+)/.test(line) ? [line.slice(1)] : [])) : after;
  const lines = [...new Set(added.map((line) => line.trim()))].filter((line) => line.length > 2 && !before.has(line));
  return { lines, isDeleted: parts.some((text) => text.startsWith("*** Delete File: ")) };
}

/** Texts of the arguments with their keys, those of lists of edits too; a call of one text has it as its patch. */
function fieldsIn(input: unknown): [key: string, text: string][] {
  if (typeof input === "string") return [["patch", input]];
  if (!isObject(input)) return [];
  return Object.entries(input).flatMap(([key, value]): [string, string][] => {
    if (typeof value === "string") return [[key, value]];
    return Array.isArray(value) ? value.flatMap((each) => (isObject(each) ? fieldsIn(each) : [])) : [];
  });
}

/** The part of a patch that is about a file; all of any other text. */
function patchOf(text: string, path: string): string {
  const parts = text.split(/^(?=\*\*\* (?:Add|Update|Delete) File: )/m);
  const own = parts.find((part) => part.startsWith("*** ") && part.split("\n", 1)[0]!.includes(path));
  return own ?? (parts.length > 1 ? "" : text);
}

const commandOf = ({ input }: ToolCallPart): string | undefined => (isObject(input) ? commandIn(input) : undefined);

/** A command run, or something looked at: what came of it, and what it brought to light. */
function actNote(act: Act, { key, kind, reads }: CallFacts): Draft[] {
  const { call, at, output } = act;
  const command = commandOf(call);
  const said = command === undefined ? saidOf(call) : ranOf(command);
  const lines = resultLines(output);
  const outcome = outcomeOf(reads === undefined ? output : undefined, lines, kind === "check");
  const { facts, bare } = factsIn(output?.type === "execution-denied" ? [] : lines, {
    at: act.answeredAt,
    of: said,
    file: reads?.file,
  });
  // What was searched for is not yet found.
  const named = reads === undefined && kind === "lookup" ? [] : namedIn(call);
  const short = `${spoken(call.toolName)} ${named.join(", ")}`;
  const usual = command === undefined ? BONUS.look : kind === "check" ? BONUS.check : BONUS.run;
  const note: Draft = {
    at,
    kind: command === undefined ? "look" : "run",
    text: outcome === undefined ? said : `${said}: ${outcome.text}`,
    of: said,
    about: `${command === undefined ? "look" : "run"} ${key}`,
    ...(outcome?.failed && { failed: true as const }),
    ...(reads !== undefined && { file: reads.file }),
    ...(named.length > 0 && short.length < said.length / 2 && { short }),
    named,
    inside: [textsIn(call.input).join("\n"), ...bare].join("\n"),
    bonus: outcome?.failed ? BONUS.failed : usual,
  };
  return [note, ...facts.filter(({ text }) => text !== outcome?.text)];
}

function ranOf(command: string): string {
  const [first = "", ...more] = command.replace(/^\s*cd\s+\S+\s*(?:&&|;)\s*/, "").split("\n");
  return `ran \`${shortened(first, LONGEST_ARGUMENT)}\`${more.length > 0 ? " …" : ""}`;
}

/** A call in words: "read src/a.ts", "search files: pattern foo; path src". */
function saidOf({ toolName, input }: ToolCallPart): string {
  const tool = spoken(toolName);
  if (typeof input === "string") return shortened(`${tool}: ${input.replace(/\s+/g, " ").trim()}`, LONGEST_ACT);
  const entries = isObject(input) ? Object.entries(input) : [];
  const only = entries.length === 1 || (entries[0] !== undefined && /path|file|command|query|url/i.test(entries[0][0]));
  const [first, ...rest] = only ? entries : [undefined, ...entries];
  const main =
    first === undefined
      ? ""
      : ` ${shortened(
          (typeof first[1] === "object" ? textsIn(first[1]).join(", ") : String(first[1])).replace(/\s+/g, " ").trim(),
          LONGEST_ARGUMENT,
        )}`;
  const others = pairsOf(Object.fromEntries(rest.filter((each) => each !== undefined)), LONGEST_ARGUMENT).flat();
  const args = others.length === 0 ? "" : `${first === undefined ? ": " : "; "}${others.join("; ")}`;
  return shortened(`${tool}${main}${args}`, LONGEST_ACT);
}

/** Identifiers that are an argument by themselves. */
const namedIn = ({ input }: ToolCallPart): string[] =>
  isObject(input)
    ? Object.values(input).flatMap((value) =>
        typeof value === "string" && value.length <= 200
          ? findIdentifiers(value)
              .filter((each) => each.text === value.replace(/^[`./]+|`$/g, "") || each.text === value)
              .map(({ text }) => text)
          : [],
      )
    : [];

const resultLines = (output: ToolOutput | undefined): string[] =>
  output === undefined ? [] : linesOf(outputText(output));

interface Outcome {
  readonly text: string;
  readonly failed: boolean;
}

/** How a call ended: the line that says why it failed, the one line that it gave back, or what a test or a build says at its end. */
function outcomeOf(output: ToolOutput | undefined, lines: readonly string[], isCheck: boolean): Outcome | undefined {
  if (output === undefined) return undefined;
  if (failureIn(output) !== undefined || isFailure(output))
    return { text: shortened(errorLine(lines), LONGEST_OUTCOME), failed: true };
  const isShort = lines.length === 1 && outputText(output).length <= LONGEST_OUTCOME;
  const text = isShort || isCheck ? lines.at(-1) : undefined;
  return text === undefined ? undefined : { text: shortened(text, LONGEST_OUTCOME), failed: false };
}

const EXIT = /^(?:<\w+>)?(?:exit code|command exited|process exited|error: exit)\W*\d*$/i;
const ERROR = /\b(?:error|exception|failed|failure|fail|fatal|panic|undefined|cannot|denied)\b|not found|no such|✗|✖/i;

/** The line that says why something failed, rather than that it did. */
function errorLine(all: readonly string[]): string {
  const lines = all.filter((line) => /\p{L}/u.test(line) && !EXIT.test(line));
  return lines.find((line) => ERROR.test(line)) ?? lines[0] ?? "failed";
}

interface Found {
  readonly facts: readonly Draft[];
  /** Lines that say nothing of what they name. */
  readonly bare: readonly string[];
}

/** Whole lines of a result that name something; hits of a search under the file that they were found in. */
function factsIn(
  lines: readonly string[],
  { at, of, file }: { readonly at: Position; readonly of: string; readonly file: string | undefined },
): Found {
  const facts: (Draft & { score: number })[] = [];
  const bare: string[] = [];
  for (const line of lines) {
    const hit = HIT.exec(line);
    const text = hit === null ? line : `${hit[2]}: ${hit[3]}`;
    const names = new Set(findIdentifiers(text).map((each) => each.text));
    const words = wordsBeside(text, names);
    const isDefining = isDefinition(text);
    const isRule = RULES.test(file ?? "") && words >= LEAST_WORDS;
    if (names.size === 0 && !isRule) continue;
    if (!isDefining && words < LEAST_WORDS) {
      bare.push(line);
      continue;
    }
    const place = hit?.[1] ?? file;
    facts.push({
      at,
      kind: "fact",
      text,
      of: hit === null ? of : `found in ${hit[1]}`,
      ...(place !== undefined && { file: place }),
      bonus: isRule ? BONUS.rule : isDefining ? BONUS.definition : words >= names.size ? BONUS.telling : 0,
      score: (isRule ? 9 : 0) + Math.min(3, names.size) + (isDefining ? 2 : 0) + (words >= names.size ? 1 : 0),
    });
  }
  const least = facts.map(({ score }) => score).sort((a, b) => b - a)[MOST_FACTS - 1] ?? 0;
  const kept = facts.filter(({ score }) => score >= least).slice(0, MOST_FACTS);
  return { facts: kept.map(({ score: _, ...fact }) => fact), bare };
}

/** Files in which projects tell agents what to do. */
const RULES = /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|copilot-instructions|\.cursorrules)[\w.-]*$/;

/** A hit as grep prints it. */
const HIT = /^([\w@~./+-]*[/.][\w./+-]*\w):(\d+):\s*(\S.*)$/;

/** How many plain words a line has beside its names: what it says of them. */
function wordsBeside(line: string, names: ReadonlySet<string>): number {
  let words = line;
  for (const name of names) words = words.replaceAll(name, " ");
  return words.match(/\p{L}{3,}/gu)?.length ?? 0;
}

const NUMBERED = /^\s*L?(\d+)(?:[→|\t]|[:-]\s)\s?/;
const LARGEST_JSON = 400_000;
const REACH = 60_000;

/** The lines of a result, as short as they can be said: numbers of lines in front, JSON as pairs, long lines by sentence. */
function linesOf(raw: string): string[] {
  const json = parsed(raw);
  if (json === undefined) return textLines(raw);
  const long = textsIn(json).filter((text) => text.length > LONGEST_ARGUMENT);
  return [
    ...pairsOf(json, LONGEST_ARGUMENT).flatMap((group) => packed(group, LONGEST_ARGUMENT)),
    ...long.flatMap(textLines),
  ];
}

function parsed(raw: string): unknown {
  if (raw.length > LARGEST_JSON || !/^\s*[[{]/.test(raw)) return undefined;
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

function textLines(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.slice(0, REACH).split("\n").flatMap(textLine)) {
    const last = lines.at(-1);
    const isListed = !line.includes(" ") && last !== undefined && !/[^,] /.test(last);
    if (isListed && last.length + line.length < LONGEST_ARGUMENT) lines[lines.length - 1] = `${last}, ${line}`;
    else lines.push(line);
  }
  return lines;
}

function textLine(line: string): string[] {
  const number = NUMBERED.exec(line);
  const body = (number === null ? line : line.slice(number[0].length)).replace(/\s+/g, " ").trim();
  if (body.length < SHORTEST_LINE) return [];
  return [shortened(number === null ? body : `${number[1]}: ${body}`, LONGEST_LINE)];
}

const STATUS = /^(?:status|state|completed|done)$/i;
const TASK = /^(?:content|title|task|step|text|subject|description|name)$/i;

/** A plan or to-do list among the arguments: what it says of each step, as the agent has it. */
function tasksIn(input: unknown): string | undefined {
  for (const value of isObject(input) ? Object.values(input) : []) {
    const lines = typeof value === "string" ? value.split("\n").filter((line) => /\S/.test(line)) : [];
    const marked = lines.filter((line) => /^\s*- \[.{0,2}\]/u.test(line)).map((line) => line.trim());
    if (marked.length > 1 && marked.length * 2 > lines.length) return marked.join("\n");
    if (!Array.isArray(value) || value.length === 0) continue;
    const tasks = value.map((each) => (isObject(each) ? taskLine(each) : undefined));
    if (tasks.every((task) => task !== undefined)) return tasks.filter((task) => task !== "").join("\n");
  }
  return undefined;
}

function taskLine(task: Record<string, unknown>): string | undefined {
  const entries = Object.entries(task);
  const status = entries.find(([key]) => STATUS.test(key))?.[1];
  const text = entries.find(([key, value]) => TASK.test(key) && typeof value === "string")?.[1];
  if (status === undefined || text === undefined) return undefined;
  if (/cancel|removed|deleted/i.test(String(status))) return "";
  const isDone = status === true || /^(?:completed?|done|finished)$/i.test(String(status));
  return `- [${isDone ? "x" : " "}] ${shortened(String(text), 200)}${/progress|active|doing/i.test(String(status)) ? " (in progress)" : ""}`;
}
