import { VarveError } from "../../../errors.js";
import { messageText } from "../../../message/content.js";
import type { Log } from "../../../message/log.js";
import type { JSONValue, Message } from "../../../message/types.js";
import { shortenText } from "../../../reduce/shorten-text.js";
import type { EntitySchema, EntityState } from "./entity-schema.js";

/** One message of the user, with what the assistant had said right before it. */
export interface Utterance {
  readonly asked: string | undefined;
  readonly said: string;
}

/** New values by property; null takes a value back. */
export type EntityUpdate = Readonly<Record<string, JSONValue>>;

/** Finds in the user's words what they change about the state. */
export interface Extractor {
  /** Characters of utterances that one call may be given. */
  readonly room: number;
  /** Oldest first. Throws where it cannot say. */
  extract(utterances: readonly Utterance[], state: EntityState): Promise<EntityUpdate>;
}

interface TrackerOptions {
  readonly schema: EntitySchema;
  readonly extractor: Extractor;
  /** Refuses a state that grew too large. */
  readonly fits: (state: EntityState) => boolean;
  readonly onUpdate?: (state: EntityState) => void;
  readonly onFault?: (fault: VarveError) => void;
}

/** A state, how many of the log's requests are in it, and up to how many the latest attempt went. */
export interface Tracked {
  readonly state: EntityState;
  readonly read: number;
  readonly tried: number;
  readonly failures: number;
}

/** A batch of messages that fails this often is passed over. */
const MAX_FAILURES = 3;
/** Characters of a message that are read: of a longer one its beginning and its end. */
const LONGEST_UTTERANCE = 8_000;

/**
 * Takes in what the user has said since. Each user message is read once and in order; where that fails, the state stays
 * as it is, and the message is read again together with the next one.
 */
export async function track(log: Log, tracked: Tracked, options: TrackerOptions): Promise<Tracked> {
  const { schema, extractor, fits, onUpdate, onFault } = options;
  let now = tracked;
  while (now.tried < log.requests.length) {
    const { utterances, end } = batchFrom(log, now.read, extractor.room);
    const read = { read: end, tried: end, failures: 0 };
    try {
      const update = utterances.length === 0 ? {} : await extractor.extract(utterances, now.state);
      const state = merged(now.state, update, schema);
      const isNew = state !== now.state;
      if (isNew && !fits(state)) throw tooLarge(state);
      now = { state, ...read };
      if (isNew) onUpdate?.(state);
    } catch (error) {
      onFault?.(faultOf(error));
      const failures = now.failures + 1;
      return failures < MAX_FAILURES ? { ...now, tried: log.requests.length, failures } : { ...now, ...read };
    }
  }
  return now;
}

/** As many unread requests as one call may be given, and at least one. */
function batchFrom(log: Log, read: number, room: number): { utterances: Utterance[]; end: number } {
  const utterances: Utterance[] = [];
  let left = room;
  let end = read;
  for (; end < log.requests.length; end++) {
    const position = log.requests[end]!;
    const before = log.entries[position - 1]?.message;
    const asked = before?.role === "assistant" ? excerpt(before) : undefined;
    const said = excerpt(log.messageAt(position));
    left -= said.length + (asked?.length ?? 0);
    if (left < 0 && end > read) break;
    if (/\S/.test(said)) utterances.push({ asked, said });
  }
  return { utterances, end };
}

const excerpt = (message: Message): string =>
  shortenText(messageText(message), { maxTokens: LONGEST_UTTERANCE, counter: ({ length }) => length });

/** In the order of the schema, so that equal states read the same; the very state where nothing has changed. */
function merged(state: EntityState, update: EntityUpdate, { properties }: EntitySchema): EntityState {
  const both = { ...state, ...update };
  const known = properties.filter(({ name }) => (both[name] ?? null) !== null);
  const next = Object.fromEntries(known.map(({ name }) => [name, both[name]!]));
  return JSON.stringify(next) === JSON.stringify(state) ? state : next;
}

const tooLarge = (state: EntityState): VarveError =>
  new VarveError({
    code: "model-failed",
    message: `The new state has ${JSON.stringify(state).length} characters, too many for the window.`,
    hint: "Bound the properties in the schema, such as with z.string().max(200), or choose a larger window.",
    details: { state },
  });

function faultOf(cause: unknown): VarveError {
  if (VarveError.isInstance(cause)) return cause;
  const message = `The state could not be updated: ${cause instanceof Error ? cause.message : String(cause)}.`;
  const hint = "The state stays as it was; the messages are read again with the next one.";
  return new VarveError({ code: "model-failed", message, hint, cause, retryable: true });
}
