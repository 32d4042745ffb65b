/** The documents in which a session keeps what it has to do with memories. */
import { isObject } from "../../message/plain-value.js";

/** Up to which entry the session's turns have become memories. */
export const LEARNT = "state/learnt";

export const learntIn = (document: unknown): number =>
  isObject(document) && typeof document.sequence === "number" ? document.sequence : -1;

/** The memories shown in the turns that have not been learnt from yet. */
export const RECALLS = "state/recalls";

export interface RecalledTurn {
  /** Id of the user message. */
  readonly entry: string;
  readonly ids: readonly string[];
  /** Tokens that one memory may take. */
  readonly most: number;
}

export const recallsIn = (document: unknown): readonly RecalledTurn[] =>
  isObject(document) && Array.isArray(document.turns) ? document.turns : [];
