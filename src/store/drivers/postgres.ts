import { randomUUID } from "node:crypto";
import { VarveError } from "../../errors.js";
import type { Entry } from "../../message/entry.js";
import { checkNames } from "../../message/option-names.js";
import { damagedDocument, damagedEntry, damagedKey, damagedSession } from "../damage.js";
import { type PostgresMemories, postgresMemories } from "../memories/postgres-memories.js";
import { checkedList } from "../plain-store.js";
import type { Queue } from "../queue.js";
import {
  type Change,
  type CommitOutcome,
  firstVersion,
  identityOf,
  type KeyedAppend,
  type ListOptions,
  PAGE_SIZE,
  type ReadOptions,
  type Removed,
  type Replacement,
  type ReplaceOutcome,
  type SessionInfo,
  type SessionPage,
  type Store,
  type StoredSession,
  type VerifyOptions,
  type VerifyReport,
} from "../store.js";
import { type EntryRow, entryOfRow, rowOf } from "../stored-entry.js";
import { verifyContents } from "../verify-contents.js";
import { escaped, unescaped } from "./escaped-text.js";
import { type Connection, PostgresDatabase, type Statement } from "./postgres-database.js";
import { migrate, type Server } from "./postgres-migrations.js";
import { POSTGRES_OPTIONS, type PostgresOptions, postgresSettings } from "./postgres-options.js";
import { postgresQueue } from "./postgres-queue.js";
import { intact, quoted } from "./postgres-schema.js";
import { keyParts, storedId } from "./postgres-text.js";
import { isJSON } from "./row-sum.js";

/** A store in a PostgreSQL database. */
export interface PostgresStore extends Store {
  /** Whether the server has pgvector. */
  readonly vector: boolean;
}

/**
 * Keeps sessions in a PostgreSQL database, for as many processes and machines as like. None of them keeps a state of its
 * own: any may go on with any session. While the server restarts, calls wait for it.
 *
 * @example
 * ```ts
 * const store = await postgresStore({ url: "postgres://ann@db.example/agents", schema: "varve", poolSize: 20 });
 * const varve = await openVarve({ store });
 * ```
 */
export async function postgresStore(options: PostgresOptions): Promise<PostgresStore> {
  checkNames(options, POSTGRES_OPTIONS, "postgresStore");
  const database = await PostgresDatabase.open(postgresSettings(options));
  try {
    return new Driver(database, await migrate(database));
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Whether a row is as it was written; null where that is not known. */
interface Intact {
  readonly intact: boolean | null;
}

interface NumberedInfo extends SessionInfo {
  /** Stands for the id in the other tables. */
  readonly number: number;
}

type SessionRow = NumberedInfo & Intact;

/** A session with one of its parts: a document, or a key with its append; or with none. */
type PartRow = SessionRow &
  (
    | { readonly kind: null }
    | ({ readonly name: string; readonly part_intact: boolean | null } & (
        | { readonly kind: "document"; readonly value: string }
        | { readonly kind: "key"; readonly first: number; readonly count: number }
      ))
  );

const INFO = "number, id, version, entries, head, created, updated, bytes";
/** Entries fetched at once: keeps single answers small and statements short. */
const FETCH = 10_000;

class Driver implements PostgresStore {
  readonly name = "postgres";
  readonly vector: boolean;
  readonly memories: PostgresMemories;
  readonly #database: PostgresDatabase;
  readonly #schema: string;

  constructor(database: PostgresDatabase, { vector }: Server) {
    this.#database = database;
    this.#schema = quoted(database.settings.schema);
    this.vector = vector;
    this.memories = postgresMemories(database, { vector });
  }

  async read(sessionId: string, options: ReadOptions = {}): Promise<StoredSession | undefined> {
    for (let missed: number | undefined; ; ) {
      const rows = await this.#parts(sessionId, options);
      if (rows[0] === undefined) return undefined;
      const { number, ...info } = wholeSession(rows[0]);
      const entries = await this.#entries({ number, id: info.id }, options.from ?? 0, info.entries);
      if (entries === undefined && missed === number) throw incomplete(sessionId);
      missed = number;
      if (entries === undefined) continue;
      const parts = rows.filter((row) => this.#isWhole(info.id, row));
      return { info, entries, documents: documentsOf(parts), ...(options.keys && { keys: keysOf(parts) }) };
    }
  }

  /** A document or key that is damaged is told and left out. */
  #isWhole(session: string, row: PartRow): boolean {
    if (row.kind === null) return true;
    const isText = row.kind !== "document" || row.part_intact !== null || isJSON(row.value);
    if (row.part_intact !== false && isText) return true;
    const name = unescaped(row.name);
    this.#database.tell(row.kind === "document" ? damagedDocument(session, name) : damagedKey(session, name));
    return false;
  }

  async version(sessionId: string): Promise<number> {
    const text = `SELECT ${this.#info} FROM ${this.#schema}.sessions s WHERE id = $1`;
    const rows = await this.#database.repeatable<SessionRow>({ text, values: [storedId(sessionId)] });
    return rows[0] === undefined ? 0 : wholeSession(rows[0]).version;
  }

  async commit(sessionId: string, change: Change): Promise<CommitOutcome> {
    const rows = await this.#database.repeatable<OutcomeRow>(this.#commitStatement(sessionId, change));
    return outcomeOf(rows[0]!);
  }

  #commitStatement(sessionId: string, change: Change, fresh?: number): Statement {
    const slots = Array.from({ length: COMMIT_VALUES }, (_, index) => `$${index + 1}`).join(", ");
    const text = `SELECT * FROM ${this.#schema}.commit_change(${slots})`;
    return { text, values: commitValues(sessionId, change, fresh) };
  }

  async replace(sessionId: string, replacement: Replacement): Promise<ReplaceOutcome> {
    const fresh = firstVersion();
    for (;;) {
      const outcome = await this.#database.transaction((connection) =>
        this.#replace(connection, { sessionId, fresh, ...replacement }),
      );
      if (outcome.status === "committed" || replacement.version !== undefined) return outcome;
    }
  }

  /** A transaction whose answer was lost is known again by the identity that it gave the session. */
  async #replace(connection: Connection, { sessionId, fresh, version, changes }: Attempt): Promise<ReplaceOutcome> {
    const values = [storedId(sessionId)];
    const text = `SELECT version FROM ${this.#schema}.sessions WHERE id = $1 FOR UPDATE`;
    const { rows } = await connection.query({ text, values });
    const there = (rows[0] as { version: number } | undefined)?.version ?? 0;
    const last = fresh + changes.length - 1;
    if (there > 0 && identityOf(there) === identityOf(fresh)) return { status: "committed", version: last };
    if (version !== undefined && there !== version) return { status: "stale", version: there };
    if (there > 0) await connection.query({ text: `DELETE FROM ${this.#schema}.sessions WHERE id = $1`, values });
    for (const [at, change] of changes.entries()) {
      const made = { ...change, version: at === 0 ? 0 : fresh + at - 1 };
      const answer = await connection.query(this.#commitStatement(sessionId, made, fresh));
      const outcome = outcomeOf(answer.rows[0] as OutcomeRow);
      // Only a session that was not there can be made by another meanwhile; then nothing was deleted either.
      if (outcome.status === "stale" && at === 0) return outcome;
      if (outcome.status !== "committed") throw damagedReplacement(sessionId);
    }
    return { status: "committed", version: last };
  }

  async sessions(options: ListOptions = {}): Promise<SessionPage> {
    const { after, limit = PAGE_SIZE, prefix = "" } = checkedList(options);
    const text = `SELECT ${this.#info} FROM ${this.#schema}.sessions s
      WHERE id > $1 AND starts_with(id, $2) ORDER BY id LIMIT $3`;
    const values = [escaped(after ?? ""), escaped(prefix), limit + 1];
    const rows = await this.#database.repeatable<SessionRow>({ text, values });
    const page = rows.slice(0, limit);
    const sessions = page.flatMap((row) => {
      if (row.intact !== false) return [infoOf(sessionOf(row))];
      this.#database.tell(damagedSession(unescaped(row.id)));
      return [];
    });
    return { sessions, next: rows.length > limit ? unescaped(page.at(-1)!.id) : undefined };
  }

  async delete(sessionId: string): Promise<Removed | undefined> {
    const text = `SELECT had_entries AS entries, had_documents AS documents, had_keys AS keys, had_bytes AS bytes
      FROM ${this.#schema}.delete_session($1)`;
    return (await this.#database.once<Removed>({ text, values: [storedId(sessionId)] }))[0];
  }

  queue(): Promise<Queue> {
    const { place: _, ...options } = this.#database.settings;
    return postgresQueue(options);
  }

  async verify(options?: VerifyOptions): Promise<VerifyReport> {
    const { place: _, ...settings } = this.#database.settings;
    const faults: VarveError[] = [];
    const store = await postgresStore({ ...settings, onWarning: (fault) => faults.push(fault) });
    try {
      return await verifyContents(store, faults, options);
    } finally {
      await store.close();
    }
  }

  async close(): Promise<void> {
    await this.memories.close();
    await this.#database.close();
  }

  /** The session with each part wanted, or once without any: one statement, and so one state. */
  #parts(sessionId: string, { documents = [], keys = false }: ReadOptions): Promise<readonly PartRow[]> {
    const text = `SELECT ${this.#info}, kind, name, value, first, count, part_intact FROM ${this.#schema}.sessions s
      LEFT JOIN LATERAL (
        SELECT 'document' AS kind, name, value, NULL AS first, NULL AS count, ${intact(this.#schema, "d")} AS part_intact
        FROM ${this.#schema}.documents d
        WHERE session = number AND EXISTS (SELECT FROM unnest($2::text[]) beginning WHERE starts_with(name, beginning))
        UNION ALL
        SELECT 'key', coalesce(key, mark), NULL, first, count, ${intact(this.#schema, "k")}
        FROM ${this.#schema}.keys k WHERE $3 AND session = number
      ) parts ON true
      WHERE id = $1 ORDER BY kind, first, name`;
    return this.#database.repeatable({ text, values: [storedId(sessionId), documents, keys] });
  }

  /** Entries never change, so a later statement finds them as they were; undefined where the session is gone. */
  async #entries(
    session: Pick<NumberedInfo, "number" | "id">,
    from: number,
    end: number,
  ): Promise<Entry[] | undefined> {
    const entries: Entry[] = [];
    for (let at = from; at < end; at += FETCH) {
      const rows = await this.#fetch(session, at, Math.min(at + FETCH, end));
      if (rows === undefined) return undefined;
      for (const row of rows) entries.push(entryOfRow(row));
    }
    return entries;
  }

  async #fetch(
    { number, id }: Pick<NumberedInfo, "number" | "id">,
    from: number,
    end: number,
  ): Promise<readonly EntryRow[] | undefined> {
    const text = `SELECT sequence, parent, time, role, blank, message, ${intact(this.#schema, "e")} AS intact
      FROM ${this.#schema}.entries e WHERE session = $1 AND sequence >= $2 AND sequence < $3 ORDER BY sequence`;
    const rows = await this.#database.repeatable<EntryRow & Intact>({ text, values: [number, from, end] });
    if (rows.length < end - from) return undefined;
    return rows.map((row) => (row.intact === false ? { ...row, damage: damagedEntry(id, row.sequence) } : row));
  }

  get #info(): string {
    return `${INFO}, ${intact(this.#schema, "s")} AS intact`;
  }
}

/** A session that was deleted in between has another number when it is there again; one with the same lacks rows. */
const incomplete = (sessionId: string): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `PostgreSQL: entries of the session "${sessionId}" are missing.`,
    hint: "Restore the table of entries from a backup, or delete the session.",
    details: { sessionId },
  });

const damagedReplacement = (sessionId: string): VarveError =>
  new VarveError({
    code: "store-failed",
    message: `PostgreSQL: the session "${sessionId}" could not be replaced: its commits do not follow each other.`,
    hint: "A key may stand on one commit only. Nothing was changed.",
    details: { sessionId },
  });

const sessionOf = ({ number, id, version, entries, head, created, updated, bytes }: SessionRow): NumberedInfo => ({
  number,
  id: unescaped(id),
  version,
  entries,
  head,
  created,
  updated,
  bytes,
});

function wholeSession(row: SessionRow): NumberedInfo {
  const session = sessionOf(row);
  if (row.intact === false) throw damagedSession(session.id);
  return session;
}

const documentsOf = (rows: readonly PartRow[]): Map<string, string> =>
  new Map(rows.flatMap((row) => (row.kind === "document" ? [[row.name, row.value] as const] : [])));

const keysOf = (rows: readonly PartRow[]): Map<string, KeyedAppend> =>
  new Map(
    rows.flatMap((row) => {
      if (row.kind !== "key") return [];
      return [[unescaped(row.name), { first: row.first, count: row.count }] as const];
    }),
  );

const infoOf = ({ number: _, ...info }: NumberedInfo): SessionInfo => info;

/** A replacement, with the first version of the session that it makes. */
interface Attempt extends Replacement {
  readonly sessionId: string;
  readonly fresh: number;
}

interface OutcomeRow {
  readonly status: string;
  readonly at_version: number;
  readonly first_entry: number;
  readonly entry_count: number;
}

const COMMIT_VALUES = 16;

/** What the function of the schema takes, in its order. The attempt is one for all repetitions of this statement. */
function commitValues(sessionId: string, change: Change, fresh = firstVersion()): unknown[] {
  const { version, time, head, key, entries = [], documents = new Map<string, unknown>() } = change;
  const rows = entries.map(rowOf);
  const column = <Name extends keyof EntryRow>(name: Name) => rows.map((row) => row[name]);
  return [
    ...[storedId(sessionId), version, fresh, randomUUID(), time],
    ...[head ?? null, ...keyParts(key), entries[0]?.sequence ?? null],
    ...[column("parent"), column("time"), column("role"), column("blank"), column("message")],
    [...documents.keys()],
    [...documents.values()].map((value) => (value === undefined ? null : JSON.stringify(value))),
  ];
}

function outcomeOf({ status, at_version: version, first_entry: first, entry_count: count }: OutcomeRow): CommitOutcome {
  if (status === "committed" || status === "stale") return { status, version };
  if (status === "repeated") return { status, version, first, count };
  throw new VarveError({ code: "store-damaged", message: `PostgreSQL: a commit ended as "${status}".` });
}
