/**
 * Conversations out of traced calls. Each call of an agent's loop holds the whole history again, so that the calls that
 * begin with the same messages are one conversation, and the longest of them tells all of it.
 */
import { type About, ConversationBuilder } from "./conversation-builder.js";
import type { Notes } from "./notes.js";
import type { RecordedConversation } from "./recording.js";
import { decodeTraced, fingerprint } from "./trace-messages.js";
import type { CallUsage } from "./usage.js";

export interface TracedCall {
  /** The trace it belongs to. */
  readonly trace: string;
  /** The thread of traces, where there is one. */
  readonly thread: string | undefined;
  readonly isModelCall: boolean;
  readonly time: number | undefined;
  readonly input: readonly unknown[];
  readonly output: readonly unknown[];
  readonly about: About;
  readonly usage: CallUsage | undefined;
}

interface Gathered {
  about: About;
  time: number;
  messages: readonly unknown[];
  /** By the place of the answer among the messages. */
  readonly usage: Map<number, CallUsage>;
}

/** How many messages must agree for two calls to be of one conversation: the system prompt and what was asked first. */
const BEGINNING = 2;

export class TracedCalls {
  readonly #calls: TracedCall[] = [];
  readonly #withModel = new Set<string>();

  add(call: TracedCall): void {
    if (call.input.length + call.output.length === 0) return;
    if (call.isModelCall) this.#withModel.add(call.trace);
    this.#calls.push(call);
  }

  conversations(notes: Notes): RecordedConversation[] {
    const gathered = new Map<string, Gathered>();
    for (const call of this.#calls) if (call.isModelCall || !this.#withModel.has(call.trace)) gather(gathered, call);
    const sorted = [...gathered.values()].toSorted((left, right) => left.time - right.time);
    return sorted.map((one) => conversationOf(one, notes)).filter((conversation) => conversation !== undefined);
  }
}

function gather(gathered: Map<string, Gathered>, call: TracedCall): void {
  const messages = wholeOf(call);
  const begin = messages.slice(0, BEGINNING).map(fingerprint);
  const key = JSON.stringify([call.thread ?? call.trace, ...begin]);
  const known = gathered.get(key);
  const time = call.time ?? 0;
  const place = messages.length - Math.max(1, messages === call.output ? 1 : call.output.length);
  if (known === undefined) {
    const usage = new Map(call.usage === undefined ? [] : [[place, call.usage]]);
    gathered.set(key, { about: call.about, time, messages, usage });
    return;
  }
  if (call.usage !== undefined) known.usage.set(place, call.usage);
  known.time = Math.min(known.time, time);
  if (messages.length < known.messages.length) return;
  known.messages = messages;
  known.about = { ...known.about, ...call.about };
}

/** The output of a graph is its whole state, with the input at its beginning. */
function wholeOf({ input, output }: TracedCall): readonly unknown[] {
  const [first] = input;
  if (first === undefined) return output;
  const isState = output.length > input.length && fingerprint(output[0]) === fingerprint(first);
  return isState ? output : [...input, ...output];
}

function conversationOf({ about, messages, usage }: Gathered, notes: Notes): RecordedConversation | undefined {
  const builder = new ConversationBuilder(notes);
  const decoded = decodeTraced(messages, notes);
  // Where messages were split or merged, the places of the answers are not known any more.
  const placed = decoded.length === messages.length;
  decoded.forEach((message, at) => {
    builder.add([message]);
    if (placed && message.role === "assistant") builder.addUsage(usage.get(at));
  });
  return builder.build(about);
}
