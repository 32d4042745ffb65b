import { VarveError } from "../../errors.js";
import { messageText } from "../../message/content.js";
import type { Log } from "../../message/log.js";
import type { EntitySchema, EntityState } from "./entity-schema.js";
import type { EntityUpdate, Extractor, Utterance } from "./extractor.js";

export interface TrackerOptions {
  readonly schema: EntitySchema;
  readonly extractor: Extractor;
  readonly initial: EntityState;
  readonly onUpdate?: ((state: EntityState) => void) | undefined;
  readonly onFault?: ((fault: VarveError) => void) | undefined;
}

/** A batch of messages that fails this often is passed over. */
const MAX_FAILURES = 3;
/** Of a longer message its beginning and its end are read. */
const LONGEST_UTTERANCE = 8_000;

/**
 * The state of one log. It reads each user message once and in order; where that fails, the state stays as it is, and
 * the message is read again together with the next one.
 */
export class EntityTracker {
  readonly #log: Log;
  readonly #options: TrackerOptions;
  #state: EntityState;
  /** How many of the log's requests are in the state, and up to how many the latest attempt went. */
  #read = 0;
  #tried = 0;
  #failures = 0;
  #latest: Promise<void> = Promise.resolve();

  constructor(log: Log, options: TrackerOptions) {
    this.#log = log;
    this.#options = options;
    this.#state = options.initial;
  }

  get state(): EntityState {
    return this.#state;
  }

  get tracked(): Tracked {
    return { state: this.#state, read: this.#read };
  }

  /** Goes on from what another process has read, where that is more. */
  restore({ state, read }: Tracked): void {
    if (read <= this.#read) return;
    this.#state = state;
    this.#advance(read);
  }

  /** Takes in what the user has said since. One update runs at a time; `fits` refuses a state that grew too large. */
  update(fits: (state: EntityState) => boolean): Promise<void> {
    const run = () => this.#update(fits);
    this.#latest = this.#latest.then(run, run);
    return this.#latest;
  }

  async #update(fits: (state: EntityState) => boolean): Promise<void> {
    while (this.#tried < this.#log.requests.length) {
      const { utterances, end } = this.#batch();
      try {
        if (utterances.length > 0) this.#adopt(await this.#extract(utterances), fits);
        this.#advance(end);
      } catch (error) {
        this.#fail(error, end);
        return;
      }
    }
  }

  #extract(utterances: readonly Utterance[]): Promise<EntityUpdate> {
    return this.#options.extractor.extract(utterances, this.#state);
  }

  /** As many unread requests as one call may be given, and at least one. */
  #batch(): { utterances: Utterance[]; end: number } {
    const { requests } = this.#log;
    const utterances: Utterance[] = [];
    let left = this.#options.extractor.room;
    let end = this.#read;
    for (; end < requests.length; end++) {
      const utterance = utteranceAt(this.#log, requests[end]!);
      left -= utterance.said.length + (utterance.asked?.length ?? 0);
      if (left < 0 && end > this.#read) break;
      if (/\S/.test(utterance.said)) utterances.push(utterance);
    }
    return { utterances, end };
  }

  #advance(end: number): void {
    this.#read = end;
    this.#tried = end;
    this.#failures = 0;
  }

  #adopt(update: EntityUpdate, fits: (state: EntityState) => boolean): void {
    const state = merged(this.#state, update, this.#options.schema);
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    if (!fits(state)) throw tooLarge(state);
    this.#state = state;
    this.#options.onUpdate?.(state);
  }

  #fail(error: unknown, end: number): void {
    this.#failures++;
    if (this.#failures >= MAX_FAILURES) this.#advance(end);
    this.#tried = this.#log.requests.length;
    this.#options.onFault?.(faultOf(error));
  }
}

/** A state, and how many of the log's requests are in it. */
export interface Tracked {
  readonly state: EntityState;
  readonly read: number;
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
