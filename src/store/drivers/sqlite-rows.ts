import { VarveError } from "../../errors.js";
import type { Entry } from "../../message/entry.js";
import type { MessageSource } from "../../message/stored-message.js";
import { messageFromJSON } from "../../message/value-json.js";
import {
  damagedDocument,
  damagedEntry,
  damagedKey,
  damagedList,
  damagedSession,
  goneRow,
  missingRows,
} from "../damage.js";
import { redactedRow } from "../redacted-row.js";
import { firstVersion, type KeyedAppend, type ReadOptions, type Removed, type SessionInfo } from "../store.js";
import { type EntryRow, entryOfSource } from "../stored-entry.js";
import { escaped, unescaped } from "./escaped-text.js";
import { isIntact, isJSON, rowSum } from "./row-sum.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import {
  bytesOf,
  type Front,
  frontOf,
  frontSum,
  isBlankKind,
  KINDS,
  kindOf,
  numbersOf,
  PLACES,
  RUN,
  type RunRow,
  roleIn,
  runOf,
  StoredRun,
} from "./sqlite-runs.js";

export interface SessionRow extends SessionInfo {
  /** Stands for the id in the other tables. */
  readonly number: number;
  /** By group of other rows of the session (see `groupOf`): all their sums in one. */
  readonly sums: Record<string, number>;
}

interface Known {
  readonly session: SessionRow;
  readonly sum: number;
}

const SESSION = "number, id, version, entries, head, created, updated, bytes, documents, sum";
const KEYS = "keys";

/** Documents whose names begin alike up to a slash are missed together. */
const groupOf = (name: string): string => name.slice(0, name.indexOf("/") + 1);

/** The tables: every method is one statement or a few, within the transaction of its caller. */
export class SqliteRows {
  readonly #connection: SqliteConnection;
  /** Sessions as this process wrote them last: whose version and sum are still the same is still the same. */
  readonly #known = new Map<string, Known>();
  /** What the entries of sessions say, by the numbers of these. */
  readonly #texts = new Map<number, MessageSource>();
  /** Whether the list of sessions was found to be whole. */
  #isListChecked = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Before it is said that a session is not there, the list is checked whole, once. */
  find(sessionId: string): SessionRow | undefined {
    const known = this.#known.get(sessionId);
    if (known !== undefined && this.#isAsKnown(known)) return { ...known.session, sums: { ...known.session.sums } };
    const row = this.#get(`SELECT ${SESSION} FROM sessions WHERE id = ?`, escaped(sessionId));
    if (row !== undefined) return this.#sessionOf(row);
    this.checkList();
    return undefined;
  }

  #isAsKnown({ session: { number, version }, sum }: Known): boolean {
    const sql = "SELECT 1 FROM sessions WHERE number = ? AND version = ? AND sum = ?";
    return this.#get(sql, number, version, sum) !== undefined;
  }

  version(sessionId: string): number {
    return this.find(sessionId)?.version ?? 0;
  }

  /** A session whose row is damaged does not keep the others from being listed. */
  list(after: string, prefix: string, limit: number): SessionInfo[] {
    this.checkList();
    const sql = `SELECT ${SESSION} FROM sessions WHERE id > ? AND substr(id, 1, length(?)) = ? ORDER BY id LIMIT ?`;
    const beginning = escaped(prefix);
    return this.#all(sql, escaped(after), beginning, beginning, limit).flatMap((row) => {
      try {
        const { number: _, sums: __, ...info } = this.#sessionOf(row);
        return [info];
      } catch (error) {
        this.#connection.tell(error);
        return [];
      }
    });
  }

  /** Throws where the list of sessions is not whole. */
  checkList(): void {
    if (this.#isListChecked) return;
    const [found] = this.#all("PRAGMA integrity_check(sessions)");
    if (found?.integrity_check !== "ok") throw damagedList(this.#connection.path, found?.integrity_check);
    this.#isListChecked = true;
  }

  #sessionOf(row: Row): SessionRow {
    const id = unescaped(String(row.id));
    if (!isIntact(row.sum, sessionSum(row))) throw damagedSession(id);
    const { documents, sum, ...info } = row;
    const number = Number(row.number);
    const sums = sum === null ? this.#sumsOf(number) : JSON.parse(String(documents));
    return { ...info, id, number, sums } as unknown as SessionRow;
  }

  /** The sums by group, from the rows. */
  #sumsOf(number: number): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const { name, sum } of this.#all("SELECT name, sum FROM documents WHERE session = ?", number))
      toggle(sums, groupOf(String(name)), Number(sum));
    for (const { sum } of this.#all("SELECT sum FROM keys WHERE session = ?", number)) toggle(sums, KEYS, Number(sum));
    return sums;
  }

  /** A session with nothing in it, which is one commit away from its first version. */
  create(id: string, time: number): SessionRow {
    const sql = `INSERT INTO sessions (id, version, entries, head, created, updated, bytes) VALUES (?, ?, 0, -1, ?, ?, 0)`;
    const version = firstVersion() - 1;
    const number = Number(this.#connection.prepare(sql).run(escaped(id), version, time, time).lastInsertRowid);
    return { number, id, version, entries: 0, head: -1, created: time, updated: time, bytes: 0, sums: {} };
  }

  update(session: SessionRow): void {
    const { number, id, version, entries, head, created, updated, bytes, sums } = session;
    const documents = JSON.stringify(sums);
    const row = { number, id: escaped(id), version, entries, head, created, updated, bytes, documents };
    const sum = sessionSum(row);
    const sql = `UPDATE sessions SET version = ?, entries = ?, head = ?, created = ?, updated = ?, bytes = ?,
      documents = ?, sum = ? WHERE number = ?`;
    this.#run(sql, version, entries, head, created, updated, bytes, documents, sum, number);
    this.#known.set(id, { session: { ...session, sums: { ...sums } }, sum });
  }

  /** The append that came with a key. */
  known({ id, number }: SessionRow, key: string): KeyedAppend | undefined {
    const row = this.#get(
      "SELECT key, first, count, sum FROM keys WHERE session = ? AND key = ?",
      number,
      escaped(key),
    );
    if (row === undefined) return undefined;
    if (!isIntact(row.sum, keySum(number, row))) throw damagedKey(id, key);
    return { first: Number(row.first), count: Number(row.count) };
  }

  keys({ id, number, sums }: SessionRow): Map<string, KeyedAppend> {
    const rows = this.#all("SELECT key, first, count, sum FROM keys WHERE session = ?", number);
    const [damaged, intact] = partition(rows, (row) => !isIntact(row.sum, keySum(number, row)));
    for (const { key } of damaged) this.#connection.tell(damagedKey(id, unescaped(String(key))));
    if (damaged.length === 0 && joined(rows) !== (sums[KEYS] ?? 0)) this.#connection.tell(missingRows(id, "keys"));
    return new Map(
      intact.map(({ key, first, count }) => [unescaped(String(key)), { first: Number(first), count: Number(count) }]),
    );
  }

  remember({ number, sums }: SessionRow, key: string, { first, count }: KeyedAppend): void {
    const row = { key: escaped(key), first, count };
    const sum = keySum(number, row);
    const sql = "INSERT INTO keys (session, key, first, count, sum) VALUES (?, ?, ?, ?, ?)";
    this.#run(sql, number, row.key, first, count, sum);
    toggle(sums, KEYS, sum);
  }

  insert(number: number, { sequence, parent, time, role, blank, message }: EntryRow): void {
    const sql = "INSERT INTO entries (place, parent, time, kind, message, sum) VALUES (?, ?, ?, ?, ?, ?)";
    const place = number * PLACES + sequence;
    const front = frontSum({ place, parent, time, kind: kindOf(role, blank) });
    const kind = kindOf(role, blank) + front * KINDS;
    this.#run(sql, place, parent, time, kind, message, rowSum(String(front), message));
  }

  /** Puts another message in the place of one; returns by how many bytes the session grew. */
  rewrite({ id, number }: SessionRow, sequence: number, message: string): number {
    const [front] = this.#fronts({ id, number }, sequence, sequence + 1);
    const size = "SELECT length(CAST(message AS BLOB)) AS size FROM entries WHERE place = ?";
    const before = Number(this.#get(size, number * PLACES + sequence)?.size ?? 0);
    this.#run("DELETE FROM entries WHERE place = ?", number * PLACES + sequence);
    this.insert(number, redactedRow({ ...front!, role: roleIn(front!.kind), blank: false, message }, message));
    return Buffer.byteLength(message) - before;
  }

  /** Writes a document, or removes it; returns by how many bytes the session grew. */
  document({ number, sums }: SessionRow, name: string, value: string | undefined): number {
    const known = "SELECT length(CAST(value AS BLOB)) AS size, sum FROM documents WHERE session = ? AND name = ?";
    const before = this.#get(known, number, name);
    toggle(sums, groupOf(name), Number(before?.sum ?? 0));
    if (value === undefined) this.#run("DELETE FROM documents WHERE session = ? AND name = ?", number, name);
    else {
      const sum = documentSum(number, name, value);
      const sql = "INSERT OR REPLACE INTO documents (session, name, value, sum) VALUES (?, ?, ?, ?)";
      this.#run(sql, number, name, value, sum);
      toggle(sums, groupOf(name), sum);
    }
    return (value === undefined ? 0 : Buffer.byteLength(value)) - Number(before?.size ?? 0);
  }

  /**
   * Names are ASCII, so all that begin alike lie between the beginning and the same with a last character behind it.
   * What is damaged or missing is told and left out.
   */
  documents({ id, number, sums }: SessionRow, { documents = [] }: ReadOptions): Map<string, string> {
    const sql = "SELECT name, value, sum FROM documents WHERE session = ? AND name >= ? AND name < ?";
    const beginnings = documents.filter((each) => !documents.some((other) => other !== each && each.startsWith(other)));
    const rows = [...new Set(beginnings)].flatMap((each) => this.#all(sql, number, each, `${each}\u{10ffff}`));
    const [damaged, intact] = partition(rows, (row) => !isDocumentIntact(number, row));
    for (const { name } of damaged) this.#connection.tell(damagedDocument(id, String(name)));
    const groups = Map.groupBy(rows, ({ name }) => groupOf(String(name)));
    for (const group of damaged.length > 0 ? [] : new Set([...groups.keys(), ...Object.keys(sums)])) {
      const isAsked = group !== KEYS && beginnings.some((each) => group.startsWith(each));
      if (isAsked && joined(groups.get(group) ?? []) !== (sums[group] ?? 0))
        this.#connection.tell(missingRows(id, `documents "${group}…"`));
    }
    const found = intact.map(({ name, value }): [string, string] => [String(name), String(value)]);
    return new Map(found.sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** Sums up the runs that an append has filled. */
  pack(session: SessionKey, before: number, after: number): void {
    for (let run = Math.floor(before / RUN); (run + 1) * RUN <= after; run++) {
      const { kinds, times, parents } = runOf(this.#fronts(session, run * RUN, (run + 1) * RUN));
      const sql = "INSERT OR REPLACE INTO runs (place, kinds, times, parents, sum) VALUES (?, ?, ?, ?, ?)";
      const place = session.number * PLACES + run * RUN;
      const row = { place, kinds, times: bytesOf(times), parents: parents === undefined ? null : bytesOf(parents) };
      this.#run(sql, place, kinds, row.times, row.parents, runSum(row));
    }
  }

  /** Sums up the run of an entry anew, where it is full. */
  repack(session: SessionRow, sequence: number): void {
    const run = Math.floor(sequence / RUN);
    if ((run + 1) * RUN <= session.entries) this.pack(session, run * RUN, (run + 1) * RUN);
  }

  /** Reads messages of a session one by one, without waiting. */
  texts({ id, number }: SessionKey): MessageSource {
    const known = this.#texts.get(number);
    if (known !== undefined) return known;
    const texts = { messageOf: (sequence: number) => messageFromJSON(this.#text({ id, number }, sequence)) };
    this.#texts.set(number, texts);
    return texts;
  }

  entries(session: SessionRow, from: number): Entry[] {
    const { entries } = session;
    const list: Entry[] = [];
    const texts = this.texts(session);
    for (let start = Math.floor(from / RUN) * RUN; start < entries; start += RUN) {
      const end = Math.min(start + RUN, entries);
      const row =
        (end === start + RUN ? this.#runRow(session, start) : undefined) ??
        runOf(this.#fronts(session, end < start + RUN ? Math.max(from, start) : start, end));
      const run = new StoredRun(row, texts);
      for (let at = Math.max(from, start); at < end; at++) list.push(entryOfSource(run, at));
    }
    return list;
  }

  /** Undefined where there is none. A row that is damaged is enough to know which rows go with it. */
  delete(sessionId: string): Removed | undefined {
    const row = this.#get("SELECT number, bytes FROM sessions WHERE id = ?", escaped(sessionId));
    if (row === undefined) return undefined;
    return { ...this.#deleteRows(Number(row.number)), bytes: Number(row.bytes) };
  }

  #deleteRows(number: number): Omit<Removed, "bytes"> {
    const places = [number * PLACES, (number + 1) * PLACES] as const;
    const entries = this.#run("DELETE FROM entries WHERE place >= ? AND place < ?", ...places);
    this.#run("DELETE FROM runs WHERE place >= ? AND place < ?", ...places);
    const documents = this.#run("DELETE FROM documents WHERE session = ?", number);
    const keys = this.#run("DELETE FROM keys WHERE session = ?", number);
    this.#run("DELETE FROM sessions WHERE number = ?", number);
    return { entries, documents, keys };
  }

  /**
   * Takes deleted pages out of the file, and their old text out of the log that is written ahead. False where somebody
   * still reads an older state, which keeps the text there.
   */
  forget(): boolean {
    this.#all("PRAGMA incremental_vacuum");
    return this.#get("PRAGMA wal_checkpoint(TRUNCATE)")?.busy === 0;
  }

  /** Throws where one is missing or is not as it was written. */
  #fronts({ id, number }: SessionKey, from: number, to: number): Front[] {
    const sql = `SELECT place, parent, time, kind, typeof(sum) = 'null' AS unsummed FROM entries
      WHERE place >= ? AND place < ? ORDER BY place`;
    const start = number * PLACES;
    const rows = this.#all(sql, start + from, start + to);
    return Array.from({ length: to - from }, (_, at) => {
      const front = rows[at] && frontOf(rows[at], rows[at].unsummed === 1);
      if (front?.place === start + from + at) return { ...front, sequence: from + at };
      throw damagedEntry(id, from + at);
    });
  }

  /** A run as it was summed up; undefined where that is damaged or gone. */
  #runRow({ number }: SessionKey, first: number): RunRow | undefined {
    const row = this.#get(
      "SELECT place, kinds, times, parents, sum FROM runs WHERE place = ?",
      number * PLACES + first,
    );
    const { kinds, times, parents } = row ?? {};
    const isWhole = isBytes(kinds, RUN) && isBytes(times, 8 * RUN) && (parents === null || isBytes(parents, 8 * RUN));
    if (!isWhole || !isIntact(row!.sum, runSum({ place: row!.place, kinds, times, parents }))) return undefined;
    return { first, kinds, times: numbersOf(times), parents: parents === null ? undefined : numbersOf(parents) };
  }

  #text(session: SessionKey, sequence: number): string {
    const place = session.number * PLACES + sequence;
    const sql = "SELECT place, parent, time, kind, message, sum FROM entries WHERE place = ?";
    const row = this.#connection.now(() => this.#get(sql, place));
    if (row === undefined) throw this.#isThere(session) ? damagedEntry(session.id, sequence) : goneEntry(sequence);
    const front = frontOf(row, row.sum === null);
    const message = String(row.message);
    const isWhole = front !== undefined && isIntact(row.sum, rowSum(String(frontSum(front)), message));
    if (!isWhole || !(row.sum !== null || isJSON(message))) throw damagedEntry(session.id, sequence);
    return message;
  }

  #isThere({ number }: SessionKey): boolean {
    return this.#connection.now(() => this.#get("SELECT 1 FROM sessions WHERE number = ?", number)) !== undefined;
  }

  /** Of all sessions that anything is left of. */
  numbers(): number[] {
    const sql = `SELECT number FROM sessions UNION SELECT place / ${PLACES} FROM entries
      UNION SELECT session FROM documents ORDER BY number`;
    return this.#all(sql).map(({ number }) => Number(number));
  }

  /** Writes a session anew from what is intact of it; its number stays. */
  mend(number: number): void {
    const session = this.#salvaged(number);
    const { id } = session;
    const rows = Array.from({ length: session.entries }, (_, at) => this.#salvagedEntry(session, at));
    const documents = this.documents({ ...session, sums: {} }, { documents: [""] });
    const keys = this.keys({ ...session, sums: {} });
    this.#deleteRows(number);
    const sql =
      "INSERT INTO sessions (number, id, version, entries, head, created, updated, bytes) VALUES (?, ?, 0, 0, -1, 0, 0, 0)";
    this.#run(sql, number, escaped(id));
    const after = {
      ...session,
      sums: {},
      bytes: rows.reduce((sum, { message }) => sum + Buffer.byteLength(message), 0),
    };
    for (const row of rows) this.insert(number, row);
    for (const [name, value] of documents) after.bytes += this.document(after, name, value);
    for (const [key, append] of keys) this.remember(after, key, append);
    this.update(after);
    this.pack(after, 0, after.entries);
  }

  /** What is left of a session's row. The entries themselves say how many they are. */
  #salvaged(number: number): SessionRow {
    const row = this.#get(`SELECT ${SESSION} FROM sessions WHERE number = ?`, number) ?? {};
    const isWhole = row.sum !== undefined && isIntact(row.sum, sessionSum(row));
    const sql = "SELECT max(place) AS last, max(time) AS time FROM entries WHERE place >= ? AND place < ?";
    const { last, time } = this.#get(sql, number * PLACES, (number + 1) * PLACES)!;
    const counted = last === null ? 0 : Number(last) - number * PLACES + 1;
    if (isWhole) {
      const { documents: _, sum: __, ...info } = row;
      const entries = Math.max(counted, Number(row.entries));
      return { ...info, number, id: unescaped(String(row.id)), entries, sums: {} } as unknown as SessionRow;
    }
    const found = unescaped(String(row.id ?? ""));
    const id = /^[\x20-\x7e]+$/.test(found) ? found : `recovered-${number}`;
    const at = Number(time ?? 0);
    const rest = { entries: counted, head: counted - 1, created: at, updated: at, bytes: 0, sums: {} };
    return { number, id, version: firstVersion(), ...rest };
  }

  #salvagedEntry(session: SessionRow, sequence: number): EntryRow {
    try {
      const message = this.#text(session, sequence);
      const [front] = this.#fronts(session, sequence, sequence + 1);
      const { parent, time, kind } = front!;
      return { sequence, parent, time, role: roleIn(kind), blank: isBlankKind(kind), message };
    } catch (error) {
      if (!VarveError.isInstance(error)) throw error;
      return goneRow(session.id, sequence, session.updated);
    }
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

/** A session as its rows know it. */
type SessionKey = Pick<SessionRow, "id" | "number">;

const goneEntry = (sequence: number): VarveError =>
  new VarveError({
    code: "not-found",
    message: `Entry e${sequence} is no longer in the store.`,
    hint: "Its session was deleted, perhaps by another process: open it anew.",
    details: { entry: `e${sequence}` },
  });

const sessionSum = ({ number, id, version, entries, head, created, updated, bytes, documents }: Row): number =>
  rowSum([number, version, entries, head, created, updated, bytes, documents, id].join(" "));

const keySum = (session: number, { key, first, count }: Row): number => rowSum(`${session} ${first} ${count} ${key}`);

const documentSum = (session: number, name: unknown, value: string): number => rowSum(`${session} ${name}`, value);

const runSum = ({ place, kinds, times, parents }: Row): number =>
  rowSum(
    `${place} ${rowSum("", kinds as Uint8Array)} ${rowSum("", (parents ?? "") as Uint8Array)}`,
    times as Uint8Array,
  );

/** Text of 0.1.0 has no sum, but is JSON all the same. */
const isDocumentIntact = (session: number, { name, value, sum }: Row): boolean =>
  sum === null ? isJSON(String(value)) : sum === documentSum(session, name, String(value));

/** Sums are joined so that their order does not matter, and one joined twice is gone. */
function toggle(sums: Record<string, number>, group: string, sum: number): void {
  sums[group] = (sums[group] ?? 0) ^ sum;
}

const joined = (rows: readonly Row[]): number => rows.reduce((all, { sum }) => all ^ Number(sum), 0);

const isBytes = (value: unknown, length: number): value is Uint8Array =>
  value instanceof Uint8Array && value.length === length;

function partition<T>(list: readonly T[], isFirst: (item: T) => boolean): [first: T[], rest: T[]] {
  const { first = [], rest = [] } = Object.groupBy(list, (item) => (isFirst(item) ? "first" : "rest"));
  return [first, rest];
}
