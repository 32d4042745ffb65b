import { VarveError } from "../../errors.js";
import type { Entry } from "../../message/entry.js";
import {
  type Change,
  firstVersion,
  headAfter,
  type KeyedAppend,
  type ReadOptions,
  type Removed,
  type SessionInfo,
} from "../store.js";
import { type EntryRow, entryOfSource } from "../stored-entry.js";
import { escaped, unescaped } from "./escaped-text.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { bytesOf, type Front, kindOf, numbersOf, PLACES, RUN, type RunRow, runOf, StoredRun } from "./sqlite-runs.js";

export interface SessionRow extends SessionInfo {
  /** Stands for the id in the other tables. */
  readonly number: number;
}

/** A session that a commit goes to: its new version, and the sequence of the first entry that comes. */
export interface SessionPlace {
  readonly number: number;
  readonly version: number;
  readonly entries: number;
}

/** A change with the bytes of its messages. */
export interface Advance {
  readonly change: Change;
  readonly bytes: number;
}

const SESSION = "id, version, entries, head, created, updated, bytes";

/** The tables: every method is one statement or a few, within the transaction of its caller. */
export class SqliteRows {
  readonly #connection: SqliteConnection;
  /** Numbers of sessions by id, as far as they are known; a session that was made anew has another one. */
  readonly #numbers = new Map<string, number>();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  find(sessionId: string): SessionRow | undefined {
    const row = this.#get(`SELECT number, ${SESSION} FROM sessions WHERE id = ?`, escaped(sessionId));
    return row && ({ ...row, id: sessionId } as unknown as SessionRow);
  }

  version(sessionId: string): number {
    return Number(this.#get("SELECT version FROM sessions WHERE id = ?", escaped(sessionId))?.version ?? 0);
  }

  list(after: string, prefix: string, limit: number): SessionInfo[] {
    const sql = `SELECT ${SESSION} FROM sessions WHERE id > ? AND substr(id, 1, length(?)) = ? ORDER BY id LIMIT ?`;
    const beginning = escaped(prefix);
    const rows = this.#all(sql, escaped(after), beginning, beginning, limit);
    return rows.map((row) => ({ ...row, id: unescaped(String(row.id)) }) as unknown as SessionInfo);
  }

  create(id: string, { change, bytes }: Advance): SessionPlace {
    const { time, entries = [] } = change;
    const version = firstVersion();
    const sql = `INSERT INTO sessions (${SESSION}) VALUES (?, ?, ?, ?, ?, ?, ?)`;
    const values = [escaped(id), version, entries.length, headAfter(change, -1), time, time, bytes];
    const number = Number(this.#connection.prepare(sql).run(...values).lastInsertRowid);
    return { number, version, entries: 0 };
  }

  /** Moves a session on by one version; undefined where it does not have the version that the change was made on. */
  advance(id: string, advance: Advance): SessionPlace | undefined {
    const known = this.#numbers.get(id);
    const place = known === undefined ? undefined : this.#advance(known, advance);
    if (place !== undefined) return place;
    const number = this.find(id)?.number;
    if (number === undefined || number === known) return undefined;
    this.#numbers.set(id, number);
    return this.#advance(number, advance);
  }

  #advance(number: number, { change, bytes }: Advance): SessionPlace | undefined {
    const { entries = [], time, version } = change;
    const sql = `UPDATE sessions SET version = version + 1, entries = entries + ?, head = coalesce(?, head), updated = ?,
      bytes = bytes + ? WHERE number = ? AND version = ?`;
    const head = change.head ?? entries.at(-1)?.sequence ?? null;
    if (this.#run(sql, entries.length, head, time, bytes, number, version) === 0) return undefined;
    return { number, version: version + 1, entries: entries[0]?.sequence ?? 0 };
  }

  grow(number: number, bytes: number): void {
    this.#run("UPDATE sessions SET bytes = bytes + ? WHERE number = ?", bytes, number);
  }

  /** The append that came with a key, and the version of its session now. */
  known(id: string, key: string): (KeyedAppend & { readonly version: number }) | undefined {
    const sql = `SELECT version, first, count FROM sessions JOIN keys ON keys.session = sessions.number
      WHERE id = ? AND key = ?`;
    const row = this.#get(sql, escaped(id), escaped(key));
    return row && { version: Number(row.version), first: Number(row.first), count: Number(row.count) };
  }

  keys(number: number): Map<string, KeyedAppend> {
    const rows = this.#all("SELECT key, first, count FROM keys WHERE session = ?", number);
    return new Map(
      rows.map(({ key, first, count }) => [unescaped(String(key)), { first: Number(first), count: Number(count) }]),
    );
  }

  remember({ number, entries, key, count }: { number: number; entries: number; key: string; count: number }): void {
    this.#run(
      "INSERT INTO keys (session, key, first, count) VALUES (?, ?, ?, ?)",
      number,
      escaped(key),
      entries,
      count,
    );
  }

  insert(number: number, { sequence, parent, time, role, blank, message }: EntryRow): void {
    const sql = "INSERT INTO entries (place, parent, time, kind, message) VALUES (?, ?, ?, ?, ?)";
    this.#run(sql, number * PLACES + sequence, parent, time, kindOf(role, blank), message);
  }

  /** Writes a document, or removes it; returns by how many bytes the session grew. */
  document(number: number, name: string, value: string | undefined): number {
    const size = "SELECT length(CAST(value AS BLOB)) AS size FROM documents WHERE session = ? AND name = ?";
    const before = Number(this.#get(size, number, name)?.size ?? 0);
    if (value === undefined) this.#run("DELETE FROM documents WHERE session = ? AND name = ?", number, name);
    else this.#run("INSERT OR REPLACE INTO documents (session, name, value) VALUES (?, ?, ?)", number, name, value);
    return (value === undefined ? 0 : Buffer.byteLength(value)) - before;
  }

  /** Names are ASCII, so all that begin alike lie between the beginning and the same with a last character behind it. */
  documents(number: number, { documents = [] }: ReadOptions): Map<string, string> {
    const sql = "SELECT name, value FROM documents WHERE session = ? AND name >= ? AND name < ?";
    const rows = documents.flatMap((beginning) => this.#all(sql, number, beginning, `${beginning}\u{10ffff}`));
    const found = rows.map(({ name, value }): [string, string] => [String(name), String(value)]);
    return new Map(found.sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** Sums up the runs that an append has filled. */
  pack(number: number, before: number, after: number): void {
    for (let run = Math.floor(before / RUN); (run + 1) * RUN <= after; run++) {
      const { kinds, times, parents } = runOf(this.#fronts(number, run * RUN, (run + 1) * RUN));
      const sql = "INSERT INTO runs (place, kinds, times, parents) VALUES (?, ?, ?, ?)";
      const values = [kinds, bytesOf(times), parents === undefined ? null : bytesOf(parents)] as const;
      this.#run(sql, number * PLACES + run * RUN, ...values);
    }
  }

  entries({ number, entries }: SessionRow, from: number): Entry[] {
    if (from >= entries) return [];
    const packed = Math.floor(entries / RUN) * RUN;
    const runs = this.#runs(number, Math.floor(from / RUN) * RUN, packed);
    const tail = Math.max(from, packed);
    if (tail < entries) runs.push(runOf(this.#fronts(number, tail, entries)));
    const textOf = (sequence: number) => this.#text(number, sequence);
    const list: Entry[] = [];
    for (const row of runs) {
      const run = new StoredRun(row, textOf);
      const end = row.first + row.kinds.length;
      for (let at = Math.max(from, row.first); at < end; at++) list.push(entryOfSource(run, at));
    }
    return list;
  }

  delete({ number, bytes }: SessionRow): Removed {
    const places = [number * PLACES, (number + 1) * PLACES] as const;
    const entries = this.#run("DELETE FROM entries WHERE place >= ? AND place < ?", ...places);
    this.#run("DELETE FROM runs WHERE place >= ? AND place < ?", ...places);
    const documents = this.#run("DELETE FROM documents WHERE session = ?", number);
    const keys = this.#run("DELETE FROM keys WHERE session = ?", number);
    this.#run("DELETE FROM sessions WHERE number = ?", number);
    return { entries, documents, keys, bytes };
  }

  /**
   * Takes deleted pages out of the file, and their old text out of the log that is written ahead. False where somebody
   * still reads an older state, which keeps the text there.
   */
  forget(): boolean {
    this.#all("PRAGMA incremental_vacuum");
    return this.#get("PRAGMA wal_checkpoint(TRUNCATE)")?.busy === 0;
  }

  #fronts(number: number, from: number, to: number): Front[] {
    const sql = "SELECT place, parent, time, kind FROM entries WHERE place >= ? AND place < ? ORDER BY place";
    const start = number * PLACES;
    return this.#all(sql, start + from, start + to).map(({ place, parent, time, kind }) => ({
      sequence: Number(place) - start,
      parent: Number(parent),
      time: Number(time),
      kind: Number(kind),
    }));
  }

  #runs(number: number, from: number, to: number): RunRow[] {
    const start = number * PLACES;
    const sql = "SELECT place, kinds, times, parents FROM runs WHERE place >= ? AND place < ? ORDER BY place";
    return this.#all(sql, start + from, start + to).map(({ place, kinds, times, parents }) => ({
      first: Number(place) - start,
      kinds: kinds as Uint8Array,
      times: numbersOf(times as Uint8Array),
      parents: parents === null ? undefined : numbersOf(parents as Uint8Array),
    }));
  }

  #text(number: number, sequence: number): string {
    const place = number * PLACES + sequence;
    const row = this.#connection.now(() => this.#get("SELECT message FROM entries WHERE place = ?", place));
    if (row !== undefined) return String(row.message);
    throw new VarveError({
      code: "not-found",
      message: `Entry e${sequence} is no longer in the store.`,
      hint: "Its session was deleted, perhaps by another process: open it anew.",
      details: { entry: `e${sequence}` },
    });
  }

  #get(sql: string, ...values: Value[]): Row | undefined {
    return this.#connection.prepare(sql).get(...values);
  }

  #all(sql: string, ...values: Value[]): Row[] {
    return this.#connection.prepare(sql).all(...values);
  }

  #run(sql: string, ...values: Value[]): number {
    return Number(this.#connection.prepare(sql).run(...values).changes);
  }
}

type Value = string | number | null | Uint8Array;
type Row = Record<string, unknown>;
