import type { JSONValue } from "../../../message/types.js";
import type { EntityState } from "./entity-schema.js";

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
