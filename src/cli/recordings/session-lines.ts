/** Recorded conversations in the lines of an export, so that taking them in is one step for each and keeps their times. */
import { isBlank } from "../../message/content.js";
import type { Message } from "../../message/types.js";
import { messageToJSON } from "../../message/value-json.js";
import { OPTIONS } from "../../session/document-names.js";
import { EXPORT_FORMAT } from "../../session/export.js";
import type { RecordedConversation } from "../../wire/recordings/recording.js";

/** A conversation with the id that its session gets. */
export interface NewSession {
  readonly id: string;
  readonly conversation: RecordedConversation;
  /** The options that the session is to be opened with, as a store keeps them. */
  readonly options: object;
}

export function* sessionLines(sessions: readonly NewSession[], now: number): Generator<string> {
  yield line({ type: "varve-export", format: EXPORT_FORMAT, time: now });
  let entries = 0;
  for (const session of sessions) {
    yield* linesOf(session, now);
    entries += entriesOf(session.conversation);
  }
  yield line({ type: "end", sessions: sessions.length, entries });
}

/** The system prompt is the first entry, where there is one. */
export const entriesOf = ({ system, messages }: RecordedConversation): number =>
  messages.length + (system === undefined ? 0 : 1);

function* linesOf({ id, conversation, options }: NewSession, now: number): Generator<string> {
  const { times = [] } = conversation;
  const known = times.filter((time) => time !== undefined);
  const [created = now] = known;
  const entries = entriesOf(conversation);
  yield line({ type: "session", id, entries, head: entries - 1, created, updated: known.at(-1) ?? now });
  let sequence = 0;
  let time = created;
  if (conversation.system !== undefined)
    yield entryLine({ role: "system", content: conversation.system }, sequence++, time);
  for (const [at, message] of conversation.messages.entries()) {
    time = times[at] ?? time;
    yield entryLine(message, sequence++, time);
  }
  yield line({ type: "document", name: OPTIONS, value: options });
}

function entryLine(message: Message, sequence: number, time: number): string {
  const { role } = message;
  const front = { type: "entry", sequence, parent: sequence - 1, time, role, blank: isBlank(message) };
  return `${JSON.stringify(front).slice(0, -1)},"message":${messageToJSON(message)}}\n`;
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;
