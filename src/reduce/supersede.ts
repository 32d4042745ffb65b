import { callsOf, outputText } from "../message/content.js";
import { type Exchange, historyOf, membersOf, toExchanges } from "../message/exchanges.js";
import { legalMembers } from "../message/repair.js";
import type { History, Message, ToolCallPart, ToolMessage, ToolOutput } from "../message/types.js";
import { type CallFacts, describeCall, type FileRead } from "./supersede-call.js";
import { holds, isCutShort, isSamePart, withoutLineNumbers } from "./supersede-lines.js";
import { covers, type LineRange } from "./supersede-range.js";
import { isRefusal, pictureIn } from "./supersede-result.js";
import { isNewerRun } from "./supersede-state.js";

export type SupersededBy = "read again" | "run again" | "overwritten" | "newer state";

/** A tool result that a later call makes stale. */
export interface Superseded {
  /** Index of the message that holds it, and the call that it answers. */
  readonly at: number;
  readonly call: string;
  readonly how: SupersededBy;
  /** Index of the message with the later result. */
  readonly by: number;
}

/** A call with its result, at its place. */
export interface CallResult {
  readonly at: number;
  readonly call: ToolCallPart;
  readonly output: ToolOutput;
}

/** So many later reads of one file are looked at. */
const READS_KEPT = 16;

/**
 * Finds stale results from the end of a log backwards: what comes later is known by then, so that each result is looked
 * at once, and for the same cost however long the log is.
 *
 * A call that was refused makes nothing stale, and neither does one that answers something else: a question asked again
 * by a tool that goes on from call to call, a file of which other lines were read.
 */
export class SupersedeScan {
  /** The next call of each kind whatever it does, and the next that was carried out and changes nothing. */
  readonly #calls = new Map<string, CallResult>();
  readonly #runs = new Map<string, CallResult>();
  readonly #reads = new Map<string, LaterRead[]>();
  readonly #writes = new Map<string, LaterWrite>();
  readonly #pictures = new Map<string, CallResult>();
  readonly #describe: (call: ToolCallPart) => CallFacts;

  constructor(describe: (call: ToolCallPart) => CallFacts = describeCall) {
    this.#describe = describe;
  }

  /** Takes the result before those it has seen, and says what makes it stale. */
  see(result: CallResult): Superseded | undefined {
    const facts = this.#describe(result.call);
    const picture = facts.reads === undefined ? pictureIn(result.output, result.call.toolName) : undefined;
    const found =
      this.#sameOutput(result, facts) ?? (facts.changes ? undefined : this.#findLater(result, facts, picture));
    this.#keep(result, facts, picture);
    return found && { at: result.at, call: result.call.toolCallId, ...found };
  }

  /** The same call with the same outcome says nothing that the later one does not, whatever it is. */
  #sameOutput(result: CallResult, { key, reads }: CallFacts): Found | undefined {
    const later = this.#calls.get(key);
    if (later === undefined || result.output.type === "content" || textOf(later) !== textOf(result)) return undefined;
    return { how: reads === undefined ? "run again" : "read again", by: later.at };
  }

  #findLater(result: CallResult, facts: CallFacts, picture: string | undefined): Found | undefined {
    if (facts.reads !== undefined) return this.#readAgain(result, facts.reads);
    const newer = picture === undefined ? undefined : this.#pictures.get(picture);
    if (newer !== undefined) return { how: "newer state", by: newer.at };
    const run = facts.advances ? undefined : this.#runs.get(facts.key);
    return run !== undefined && isNewerRun(result.output, run.output, facts.kind)
      ? { how: "run again", by: run.at }
      : undefined;
  }

  #readAgain(result: CallResult, { file, ...range }: FileRead): Found | undefined {
    const write = this.#writes.get(file);
    const later = this.#reads.get(file)?.findLast((read) => {
      if (!covers(read, range)) return false;
      const changed = write !== undefined && write.at < read.result.at;
      return changed ? !isCutShort(textOf(read.result), textOf(result)) : isReadAgain(result, read, range);
    });
    if (later !== undefined) return { how: "read again", by: later.result.at };
    return write?.overwrites ? { how: "overwritten", by: write.at } : undefined;
  }

  #keep(result: CallResult, facts: CallFacts, picture: string | undefined): void {
    this.#calls.set(facts.key, result);
    if (isRefusal(result.output)) return;
    for (const file of facts.writes) this.#writes.set(file, { at: result.at, overwrites: facts.overwrites });
    if (picture !== undefined) this.#pictures.set(picture, result);
    if (facts.reads !== undefined) this.#keepRead(result, facts.reads);
    else if (!facts.changes) this.#runs.set(facts.key, result);
  }

  #keepRead(result: CallResult, read: FileRead): void {
    const kept = this.#reads.get(read.file) ?? [];
    this.#reads.set(read.file, [...kept.slice(1 - READS_KEPT), { ...read, result }]);
  }
}

type Found = Pick<Superseded, "how" | "by">;

interface LaterRead extends FileRead {
  readonly result: CallResult;
}

interface LaterWrite {
  readonly at: number;
  readonly overwrites: boolean;
}

const textOf = ({ output }: CallResult): string => outputText(output);

/** With no change known between the two, a later read must show what the earlier one did. */
function isReadAgain(earlier: CallResult, later: LaterRead, { from, to }: LineRange): boolean {
  const texts = withoutLineNumbers(textOf(later.result), textOf(earlier));
  return holds(...texts) || (later.from === from && later.to === to && isSamePart(...texts));
}

/** The calls of an exchange with their results, last first; none where the exchange needs repair or is not finished. */
export function callResults(exchange: Exchange, history: History): CallResult[] {
  if (exchange.kind !== "calls" || !exchange.clean || exchange.waiting > 0) return [];
  const members = membersOf(exchange);
  const calls = new Map<string, ToolCallPart>();
  const results: CallResult[] = [];
  for (const [place, message] of legalMembers(exchange, history).entries()) {
    for (const call of callsOf(message)) calls.set(call.toolCallId, call);
    if (message.role === "tool") addResults(results, { message, at: members[place]!, calls });
  }
  return results.reverse();
}

interface Answering {
  readonly message: ToolMessage;
  readonly at: number;
  readonly calls: ReadonlyMap<string, ToolCallPart>;
}

function addResults(results: CallResult[], { message, at, calls }: Answering): void {
  for (const part of message.content) {
    const call = part.type === "tool-result" ? calls.get(part.toolCallId) : undefined;
    if (call !== undefined && part.type === "tool-result") results.push({ at, call, output: part.output });
  }
}

/**
 * Finds the tool results that later calls make stale: a file read again, or overwritten; the same command run again; a
 * page or a screen after a newer one. Goes by the shape of calls and results, so that it needs no list of tools.
 *
 * @example
 * ```ts
 * findSuperseded(fromOpenAI(messages)); // [{ at: 12, call: "call_3", how: "read again", by: 57 }]
 * ```
 */
export function findSuperseded(messages: readonly Message[]): Superseded[] {
  const history = historyOf(messages);
  const scan = new SupersedeScan();
  const exchanges = toExchanges(messages).toReversed();
  const found = exchanges.flatMap((exchange) => callResults(exchange, history).flatMap((each) => scan.see(each) ?? []));
  return found.reverse();
}
