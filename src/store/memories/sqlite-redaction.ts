import type { SqliteRows } from "../drivers/sqlite-rows.js";
import type { Redaction } from "./memories.js";

/** Takes text out of sessions, within the transaction of its caller. */
export class SqliteRedactions {
  readonly #sessions: SqliteRows;

  constructor(sessions: SqliteRows) {
    this.#sessions = sessions;
  }

  /** Whether a session still has the version that its redaction was made on. */
  isCurrent({ session, change }: Redaction): boolean {
    return change.version > 0 && this.#sessions.version(session) === change.version;
  }

  redact({ session, messages, change }: Redaction): void {
    const { version, time: updated, documents = new Map<string, unknown>() } = change;
    const before = this.#sessions.find(session)!;
    let bytes = before.bytes;
    for (const [sequence, message] of messages) bytes += this.#sessions.rewrite(before, sequence, message);
    for (const [name, value] of documents)
      bytes += this.#sessions.document(before, name, value === undefined ? undefined : JSON.stringify(value));
    this.#sessions.update({ ...before, version: version + 1, updated, bytes });
    for (const sequence of messages.keys()) this.#sessions.repack(before, sequence);
  }
}
