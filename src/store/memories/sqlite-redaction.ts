import { isBlank } from "../../message/content.js";
import { messageFromJSON } from "../../message/value-json.js";
import type { SqliteRows } from "../drivers/sqlite-rows.js";
import { kindOf, PLACES, RUN } from "../drivers/sqlite-runs.js";
import type { Redaction } from "./memories.js";
import type { SqliteTables } from "./sqlite-tables.js";

/** Takes text out of sessions, within the transaction of its caller. */
export class SqliteRedactions {
  readonly #tables: SqliteTables;
  readonly #sessions: SqliteRows;

  constructor(tables: SqliteTables, sessions: SqliteRows) {
    this.#tables = tables;
    this.#sessions = sessions;
  }

  /** Whether a session still has the version that its redaction was made on. */
  isCurrent({ session, change }: Redaction): boolean {
    return change.version > 0 && this.#sessions.version(session) === change.version;
  }

  redact({ session, messages, change }: Redaction): void {
    const { documents = new Map<string, unknown>(), ...rest } = change;
    const { number } = this.#sessions.advance(session, { change: rest, bytes: 0 })!;
    let grown = 0;
    for (const [sequence, message] of messages) grown += this.#replace(number * PLACES + sequence, message);
    for (const [name, value] of documents)
      grown += this.#sessions.document(number, name, value === undefined ? undefined : JSON.stringify(value));
    this.#sessions.grow(number, grown);
    for (const run of new Set([...messages.keys()].map((sequence) => Math.floor(sequence / RUN))))
      this.#pack(number, run);
  }

  /** Returns by how many bytes the session grew. */
  #replace(place: number, message: string): number {
    const size = "SELECT length(CAST(message AS BLOB)) FROM entries WHERE place = ?";
    const before = this.#tables.number(size, place);
    if (before === undefined) return 0;
    const parsed = messageFromJSON(message);
    const kind = kindOf(parsed.role, isBlank(parsed));
    this.#tables.run("UPDATE entries SET message = ?, kind = ? WHERE place = ?", message, kind, place);
    return Buffer.byteLength(message) - before;
  }

  /** Sums up a full run anew. */
  #pack(number: number, run: number): void {
    const removed = this.#tables.run("DELETE FROM runs WHERE place = ?", number * PLACES + run * RUN);
    if (removed > 0) this.#sessions.pack(number, run * RUN, (run + 1) * RUN);
  }
}
