/** Lines that stand in place of tool outputs: stale ones, and old ones of a turn that needs the room. */
import { outputText } from "../message/content.js";
import type { Exchange } from "../message/exchanges.js";
import type { Message, ToolResultPart } from "../message/types.js";
import { clearedMark, supersededMark } from "../reduce/marks.js";
import { measureTokens } from "../reduce/measure.js";
import { type CallResult, callResults, type Superseded, SupersedeScan } from "../reduce/supersede.js";
import { failureIn, firstLineOf, isRefusal } from "../reduce/supersede-result.js";
import type { Change } from "./plan.js";
import { contextReach } from "./reach.js";
import type { Reading, Shown } from "./reading.js";
import { replaceOutput } from "./shrink.js";
import type { Stage } from "./stage.js";

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
  readonly result: CallResult;
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

/**
 * Marks exchanges, given from the newest to the oldest: what comes later is known by then. A form that was shown before
 * stays the same object as long as nothing else is to be said in it.
 */
export function marker({ input: { reading, request }, pins }: Stage): (exchange: Exchange, shown: Shown) => Marked {
  const { log } = reading;
  const { expand: expandable } = contextReach(request.tools);
  const told = (result: CallResult, line: string | undefined) => {
    return { tokens: sizeOf(result, reading), entry: log.entries[result.at]!.id, line, expandable };
  };
  /** How a run that failed had ended stays in the line. */
  const staleMark = (result: CallResult, { how, by }: Superseded): Mark => {
    const reason = `${how} in ${log.entries[by]!.id}`;
    const line = how === "run again" ? failureIn(result.output) : undefined;
    return { result, fate: "superseded", reason, text: supersededMark(reason, told(result, line)) };
  };
  const scan = new SupersedeScan(reading.facts);
  let seen = 0;
  return (exchange, shown) => {
    const results = callResults(exchange, log);
    const found = results.map((result) => scan.see(result));
    const place = results.length > 0 ? seen++ : 0;
    if (place < SPARED || pins.has(exchange.first)) return { shown, cleared: undefined };
    const stale = results.flatMap((result, at) => (found[at] ? staleMark(result, found[at]) : []));
    const old = place < NOT_CLEARED ? [] : results.filter((_, at) => found[at] === undefined);
    const clearing = old
      .filter((result) => isCleared(result, reading))
      .map((result): Mark => {
        const text = clearedMark(result.call.toolName, told(result, firstLineOf(result.output)));
        return { result, fate: "cleared", reason: "the rest of its turn needed the room", text };
      });
    const marked = markExchange(exchange, { shown, marks: stale, reading });
    const cleared = markExchange(exchange, { shown, marks: [...stale, ...clearing], reading });
    return { shown: marked, cleared: cleared.tokens < marked.tokens ? cleared : undefined };
  };
}

/** A short result is not, and one that tells of a failure. */
const isCleared = (result: CallResult, reading: Reading): boolean =>
  sizeOf(result, reading) >= LEAST_CLEARED && !isRefusal(result.output) && failureIn(result.output) === undefined;

/** Tokens of a result: those of its message where it is alone in there and counted, else measured from samples. */
function sizeOf({ at, output }: CallResult, { log, counter }: Reading): number {
  const { message, tokens } = log.entries[at]!;
  if (tokens !== undefined && message.content.length === 1) return tokens;
  return measureTokens(outputText(output), (piece) => counter.text(piece));
}

/** The exchange with marks in place of outputs; as it is shown where no mark saves enough. Calls and pairs stay. */
function markExchange(
  exchange: Exchange,
  { shown, marks, reading }: { readonly shown: Shown; readonly marks: readonly Mark[]; readonly reading: Reading },
): Shown {
  const changes: Change[] = [];
  const messages = shown.messages.map((message, place) => {
    const at = shown.entries[place]!;
    const here = marks.filter(({ result }) => result.at === at);
    if (here.length === 0 || message.role !== "tool") return message;
    const content = message.content.map((part) => {
      const mark = here.find(({ result }) => part.type === "tool-result" && result.call.toolCallId === part.toolCallId);
      return mark === undefined ? part : replaceOutput(part as ToolResultPart, mark.text);
    });
    const marked: Message = { ...message, content };
    const { message: original, tokens } = reading.log.entries[at]!;
    const tokensBefore = message === original && tokens !== undefined ? tokens : reading.tokens(message);
    const tokensAfter = reading.tokens(marked);
    if (tokensBefore < LEAST_MARKED || tokensBefore - tokensAfter < LEAST_SAVED) return message;
    const { fate, reason } = here[0]!;
    changes.push({ at, fate, reason, tokensBefore, tokensAfter, estimated: false });
    return marked;
  });
  if (changes.length === 0) return shown;
  const others = shown.changes.filter(({ at }) => !changes.some((change) => change.at === at));
  const entry = reading.log.entries[exchange.first]!.id;
  return reading.inForm(exchange, { entry, revision: exchange.revision, messages, changes: [...others, ...changes] });
}
