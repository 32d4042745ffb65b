import { VarveError } from "../../../errors.js";
import { messageText } from "../../../message/content.js";
import type { Log } from "../../../message/log.js";
import type { EntitySchema, EntityState } from "./entity-schema.js";
import type { EntityUpdate, Extractor, Utterance } from "./extractor.js";

export interface TrackerOptions {
  readonly schema: EntitySchema;
  readonly extractor: Extractor;
  /** Refuses a state that grew too large. */
  readonly fits: (state: EntityState) => boolean;
  readonly onUpdate?: ((state: EntityState) => void) | undefined;
  readonly onFault?: ((fault: VarveError) => void) | undefined;
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
/** Of a longer message its beginning and its end are read. */
const LONGEST_UTTERANCE = 8_000;

export const untracked = (state: EntityState): Tracked => ({ state, read: 0, tried: 0, failures: 0 });

/**
 * Takes in what the user has said since. Each user message is read once and in order; where that fails, the state stays
 * as it is, and the message is read again together with the next one.
 */
export async function track(log: Log, tracked: Tracked, options: TrackerOptions): Promise<Tracked> {
  const { schema, extractor, fits, onUpdate, onFault } = options;
  let now = tracked;
  while (now.tried < log.requests.length) {
    const { utterances, end } = batchFrom(log, now.read, extractor.room);
    try {
      const update = utterances.length === 0 ? {} : await extractor.extract(utterances, now.state);
      const state = merged(now.state, update, schema);
      const isNew = JSON.stringify(state) !== JSON.stringify(now.state);
      if (isNew && !fits(state)) throw tooLarge(state);
      now = { state: isNew ? state : now.state, read: end, tried: end, failures: 0 };
      if (isNew) onUpdate?.(state);
    } catch (error) {
      const failures = now.failures + 1;
      onFault?.(faultOf(error));
      if (failures >= MAX_FAILURES) return { ...now, read: end, tried: end, failures: 0 };
      return { ...now, tried: log.requests.length, failures };
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
    const utterance = utteranceAt(log, log.requests[end]!);
    left -= utterance.said.length + (utterance.asked?.length ?? 0);
    if (left < 0 && end > read) break;
    if (/\S/.test(utterance.said)) utterances.push(utterance);
  }
  return { utterances, end };
}

/** In the order of the schema, so that equal states read the same. */
function merged(state: EntityState, update: EntityUpdate, { properties }: EntitySchema): EntityState {
  const both: EntityUpdate = { ...state, ...update };
  return Object.fromEntries(
    properties.flatMap(({ name }) => {
      const value = both[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

function utteranceAt(log: Log, position: number): Utterance {
  const before = log.entries[position - 1]?.message;
  const asked = before?.role === "assistant" ? excerpt(messageText(before)) : undefined;
  return { asked, said: excerpt(messageText(log.messageAt(position))) };
}

function excerpt(text: string): string {
  if (text.length <= LONGEST_UTTERANCE) return text;
  const part = LONGEST_UTTERANCE / 2;
  return `${text.slice(0, part)}\n…\n${text.slice(-part)}`;
}

const faultOf = (error: unknown): VarveError =>
  VarveError.isInstance(error)
    ? error
    : new VarveError({
        code: "model-failed",
        message: `The state could not be updated: ${error instanceof Error ? error.message : String(error)}`,
        hint: "The state stays as it was; the messages are read again with the next one.",
        cause: error,
        retryable: true,
      });

const tooLarge = (state: EntityState): VarveError =>
  new VarveError({
    code: "model-failed",
    message: `The new state has ${JSON.stringify(state).length} characters, too many for the window.`,
    hint: "Bound the properties in the schema, such as with z.string().max(200), or choose a larger window.",
    details: { state },
  });
