import type { AssistantMessage, AssistantPart, ToolCallPart } from "./types.js";

/** A call that expects a result from outside, and where that stands. */
export interface PairedCall {
  readonly part: ToolCallPart;
  /** Where its first result stands: index of the message, index within it; -1 while nobody answered. */
  answerMessage: number;
  answerPart: number;
  /** Whether that result has no id and the name of another tool: one with the id takes its place. */
  guessed: boolean;
  /** Indices of messages with results for it beyond the first. */
  surplus: number[] | undefined;
}

export const NO_CALLS: readonly PairedCall[] = [];

/** The calls of the message at an index, with the results that stand in the message itself. */
export function pairedCalls({ content }: AssistantMessage, index: number): readonly PairedCall[] {
  if (typeof content === "string") return NO_CALLS;
  let calls: PairedCall[] | undefined;
  let answers = false;
  for (const part of content) {
    if (part.type === "tool-result") answers = true;
    if (part.type !== "tool-call" || part.providerExecuted) continue;
    const call: PairedCall = { part, answerMessage: -1, answerPart: -1, guessed: false, surplus: undefined };
    if (calls === undefined) calls = [call];
    else calls.push(call);
  }
  if (calls === undefined) return NO_CALLS;
  if (answers) pairWithin(calls, content, index);
  return calls;
}

function pairWithin(calls: readonly PairedCall[], content: readonly AssistantPart[], index: number): void {
  const lookup = new CallLookup(calls);
  for (const [at, part] of content.entries()) {
    const call = part.type === "tool-result" ? lookup.find(part.toolCallId) : undefined;
    if (call === undefined) continue;
    if (call.answerMessage < 0) {
      call.answerMessage = index;
      call.answerPart = at;
    } else if (call.surplus === undefined) call.surplus = [index];
    else call.surplus.push(index);
  }
}

/** Providers refuse an id that is blank or that two calls of one message share. */
export function hasDistinctIds(calls: readonly PairedCall[]): boolean {
  if (calls.length === 1) return calls[0]!.part.toolCallId !== "";
  const ids = new Set(calls.map((call) => call.part.toolCallId));
  return ids.size === calls.length && !ids.has("");
}

/** How many calls are still looked through one by one. */
const HANDFUL = 8;

/** Finds the call of one message that a result answers. */
export class CallLookup {
  readonly #calls: readonly PairedCall[];
  #byId: Map<string, SameId> | undefined;

  constructor(calls: readonly PairedCall[]) {
    this.#calls = calls;
  }

  /** The first call with an id that still waits, else the last one with it; undefined where none has it. */
  find(id: string): PairedCall | undefined {
    if (this.#calls.length > HANDFUL) return this.#findInMap(id);
    let found: PairedCall | undefined;
    for (const call of this.#calls) {
      if (call.part.toolCallId !== id) continue;
      found = call;
      if (call.answerMessage < 0) return call;
    }
    return found;
  }

  #findInMap(id: string): PairedCall | undefined {
    this.#byId ??= groupById(this.#calls);
    const same = this.#byId.get(id);
    if (same === undefined) return undefined;
    while (same.next < same.calls.length - 1 && same.calls[same.next]!.answerMessage >= 0) same.next++;
    return same.calls[same.next];
  }
}

/** Calls that share an id; those before `next` are answered. */
interface SameId {
  readonly calls: PairedCall[];
  next: number;
}

function groupById(calls: readonly PairedCall[]): Map<string, SameId> {
  const byId = new Map<string, SameId>();
  for (const call of calls) {
    const same = byId.get(call.part.toolCallId);
    if (same === undefined) byId.set(call.part.toolCallId, { calls: [call], next: 0 });
    else same.calls.push(call);
  }
  return byId;
}
