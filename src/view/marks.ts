/** Lines that stand in place of tool outputs: stale ones, and old ones of a turn that needs the room. */
import { outputText } from "../message/content.js";
import type { Exchange } from "../message/exchanges.js";
import type { Position } from "../message/positions.js";
import type { Message, ToolPart } from "../message/types.js";
import { clearedMark, supersededMark } from "../reduce/marks.js";
import { measureTokens } from "../reduce/measure.js";
import { type CallResult, callResults, type Superseded, SupersedeScan } from "../reduce/supersede.js";
import { failureIn, firstLineOf, isRefusal } from "../reduce/supersede-result.js";
import type { Change, Form } from "./plan.js";
import type { Reading, Shown } from "./reading.js";
import { replaceOutput } from "./shrink-part.js";

/** So many of the newest exchanges with results stay whole even where they are stale, and so many are not cleared. */
const SPARED = 2;
const NOT_CLEARED = 3;
/** A message of fewer tokens than this is left alone, and one of which a line would save fewer than that. */
const LEAST_MARKED = 60;
const LEAST_SAVED = 24;
/** A result of fewer tokens than this is not cleared. */
const LEAST_CLEARED = 100;

/** A line in place of the output of one call. */
interface Mark {
  readonly at: Position;
  readonly call: string;
  readonly fate: "superseded" | "cleared";
  readonly reason: string;
  readonly text: string;
}

/** An exchange of the tail with lines in place of its stale results, and with lines in place of old ones too. */
export interface Marked {
  readonly shown: Shown;
  /** The same with its other results cleared; undefined where nothing is to be gained. */
  readonly cleared: Shown | undefined;
}

export interface Marking {
  readonly reading: Reading;
  /** Whether the model has the tool that reads entries. */
  readonly expandable: boolean;
  readonly isPinned: (at: Position) => boolean;
}

/**
 * Marks exchanges, given from the newest to the oldest: what comes later is known by then. A form that was shown before
 * stays the same object as long as nothing else is to be said in it.
 */
export function marker(marking: Marking): (exchange: Exchange, shown: Shown) => Marked {
  const { reading, isPinned } = marking;
  const scan = new SupersedeScan(reading.facts);
  let seen = 0;
  return (exchange, shown) => {
    const results = callResults(exchange, reading.log);
    const stale = results.flatMap((result) => {
      const found = scan.see(result);
      return found === undefined ? [] : [staleMark(result, found, marking)];
    });
    const place = seen;
    if (results.length > 0) seen++;
    if (results.length === 0 || place < SPARED || isPinned(exchange.first)) return { shown, cleared: undefined };
    const isStale = new Set(stale.map(({ call }) => call));
    const old = results.filter(({ call }) => !isStale.has(call.toolCallId));
    const clearing = place < NOT_CLEARED ? [] : old.flatMap((result) => clearedResult(result, marking) ?? []);
    const marked = markExchange(exchange, { shown, marks: stale, reading });
    const cleared =
      clearing.length === 0 ? marked : markExchange(exchange, { shown, marks: [...stale, ...clearing], reading });
    return { shown: marked, cleared: cleared.tokens < marked.tokens ? cleared : undefined };
  };
}

/** How a run that failed had ended stays in the line. */
function staleMark(result: CallResult, { how, by, call }: Superseded, { reading, expandable }: Marking): Mark {
  const { entries } = reading.log;
  const reason = `${how} in ${entries[by]!.id}`;
  const line = how === "run again" ? failureIn(result.output) : undefined;
  const told = { tokens: sizeOf(result, reading), entry: entries[result.at]!.id, line, expandable };
  return { at: result.at, call, fate: "superseded", reason, text: supersededMark(reason, told) };
}

/** Undefined for a short result, and for one that tells of a failure. */
function clearedResult({ at, call, output }: CallResult, { reading, expandable }: Marking): Mark | undefined {
  const tokens = sizeOf({ at, call, output }, reading);
  if (tokens < LEAST_CLEARED || isRefusal(output) || failureIn(output) !== undefined) return undefined;
  const told = { tokens, entry: reading.log.entries[at]!.id, line: firstLineOf(output), expandable };
  const reason = "the rest of its turn needed the room";
  return { at, call: call.toolCallId, fate: "cleared", reason, text: clearedMark(call.toolName, told) };
}

/** Tokens of a result: those of its message where it is alone in there and counted, else measured from samples. */
function sizeOf({ at, output }: CallResult, { log, counter }: Reading): number {
  const { message, tokens } = log.entries[at]!;
  if (tokens !== undefined && message.content.length === 1) return tokens;
  return measureTokens(outputText(output), (piece) => counter.text(piece));
}

interface MarkInput {
  readonly shown: Shown;
  readonly marks: readonly Mark[];
  readonly reading: Reading;
}

/** The exchange with marks in place of outputs; as it is shown where no mark saves enough. Calls and pairs stay. */
function markExchange(exchange: Exchange, { shown, marks, reading }: MarkInput): Shown {
  if (marks.length === 0) return shown;
  const changes = new Map<Position, Change>();
  const messages = shown.messages.map((message, place) => {
    const at = shown.entries[place]!;
    const here = marks.filter((mark) => mark.at === at);
    const marked = withMarks(message, here);
    if (marked === undefined) return message;
    const { message: original, tokens } = reading.log.entries[at]!;
    const tokensBefore = message === original && tokens !== undefined ? tokens : reading.tokens(message);
    const tokensAfter = reading.tokens(marked);
    if (tokensBefore < LEAST_MARKED || tokensBefore - tokensAfter < LEAST_SAVED) return message;
    const { fate, reason } = here[0]!;
    changes.set(at, { at, fate, reason, tokensBefore, tokensAfter, estimated: false });
    return marked;
  });
  if (changes.size === 0) return shown;
  const others = shown.changes.filter(({ at }) => !changes.has(at));
  const entry = reading.log.entries[exchange.first]!.id;
  const form: Form = { entry, revision: exchange.revision, messages, changes: [...others, ...changes.values()] };
  return reading.inForm(exchange, form);
}

function withMarks(message: Message, marks: readonly Mark[]): Message | undefined {
  if (marks.length === 0 || message.role !== "tool") return undefined;
  const replace = (part: ToolPart): ToolPart => {
    const found = part.type === "tool-result" && marks.find(({ call }) => call === part.toolCallId);
    return found ? replaceOutput(part, found.text) : part;
  };
  return { ...message, content: message.content.map(replace) };
}
