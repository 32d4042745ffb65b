import type { Entry } from "../message/entry.js";

/** Where sessions live. Entries are only ever added; an append is durable when it resolves. */
export interface Store {
  readonly name: string;
  /** The entries of a session, oldest first; empty for a session that is not there yet. */
  load(sessionId: string): Promise<readonly Entry[]>;
  append(sessionId: string, entries: readonly Entry[]): Promise<void>;
  close(): Promise<void>;
}
