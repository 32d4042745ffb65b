import type { ContextDocument } from "../compaction/context-document.js";
import type { VarveError } from "../errors.js";
import type { Entry } from "../message/entry.js";
import type { Memories } from "./memories/memories.js";
import type { Queue } from "./queue.js";

/**
 * Where sessions live: their entries, and documents about them, such as checkpoints and receipts.
 *
 * What every driver promises, and `storeChecks` of `varve/testing` shows:
 * - A commit is all or nothing, and durable when it resolves: a killed process leaves the state before it or after it.
 * - Entries are only ever added, numbered from 0 without gaps; together with the documents they have one order, which is
 *   that of the versions. Two writers on one version: one is committed, the other is told that it is stale.
 * - A read shows one state, never half a commit. Sessions have nothing to do with each other.
 * - An append with a key that is known already is not carried out again.
 *
 * Failures are `VarveError`s: `store-full`, `store-read-only`, `store-busy` (try again), `store-newer` (made by a later
 * release), `store-damaged`, `closed`, or `store-failed` for all else.
 */
export interface Store {
  /** Names the driver: "memory", "sqlite". */
  readonly name: string;
  /** A session as it stands now; undefined where there is none. */
  read(sessionId: string, options?: ReadOptions): Promise<StoredSession | undefined>;
  /** The version of a session now, with as little work as possible; 0 where there is none. */
  version(sessionId: string): Promise<number>;
  /**
   * Makes a change, and the session where there is none; or says why not. A driver that reads without waiting may let go of
   * the messages of entries that it has (`letGo`).
   */
  commit(sessionId: string, change: Change): Promise<CommitOutcome>;
  /**
   * Puts a whole session where there is none, or in the place of the one there, in one step: a reader, or the one who
   * opens the store after a crash, finds the one before or the new one, whole. The new one has an identity of its own.
   */
  replace(sessionId: string, replacement: Replacement): Promise<ReplaceOutcome>;
  /** Sessions in an order of the store's own that stays the same between pages. */
  sessions(options?: ListOptions): Promise<SessionPage>;
  /** Removes every trace of a session, and says what there was; undefined where there is none. */
  delete(sessionId: string): Promise<Removed | undefined>;
  /**
   * Where a store shows sessions to people: keeps a session's context document. It is made from the log and may be
   * behind it; a driver without the method has no such place. The version is one of the session that it tells of: where
   * another has taken its place since, nothing is kept.
   */
  writeContext?(sessionId: string, document: ContextDocument, version: number): Promise<void>;
  /** The same, to be read: also one that another program left for a session that the store does not know yet. */
  readContext?(sessionId: string): Promise<ContextDocument | undefined>;
  /** Where a store keeps memories too: in the same place and the same transactions. */
  readonly memories?: Memories;
  /**
   * Opens a queue that lives where the sessions do, for work that any process may do and a killed one does not lose; the
   * caller closes it. A driver without the method has none.
   */
  queue?(): Promise<Queue>;
  /** Reads everything, and says what is damaged or missing. Changes nothing. */
  verify?(options?: VerifyOptions): Promise<VerifyReport>;
  /** Copies the store as it is, keeps everything intact, and makes anew what can be. Nobody else may use it meanwhile. */
  repair?(): Promise<RepairReport>;
  /** Makes a copy at a path where there is nothing, which shows one state, also while others write. */
  backup?(target: string): Promise<void>;
  /** Finishes what is under way and lets go of files and connections. A second call does nothing. */
  close(): Promise<void>;
}

export interface ReadOptions {
  /** Sequence of the first entry wanted, 0 unless given; `Infinity` for none. */
  readonly from?: number;
  /** Beginnings of the names of the documents wanted, such as "checkpoint/"; "" for all. None unless given. */
  readonly documents?: readonly string[];
  /** Whether the keys of appends are wanted. */
  readonly keys?: boolean;
}

/** One state of a session. */
export interface StoredSession {
  readonly info: SessionInfo;
  /** Of all branches, by sequence. Their messages may be fetched or parsed only when they are read. */
  readonly entries: readonly Entry[];
  /** JSON text by name, in the order of their names. */
  readonly documents: ReadonlyMap<string, string>;
  /** Where asked for: the appends that came with a key, by that. */
  readonly keys?: ReadonlyMap<string, KeyedAppend>;
}

export interface KeyedAppend {
  /** Sequence of its first entry, and how many there were. */
  readonly first: number;
  readonly count: number;
}

export interface SessionInfo {
  readonly id: string;
  /**
   * Goes up by one with every commit. The first is `firstVersion()`, random in its upper half, which stays the same for
   * the session's whole life and is its identity (see `identityOf`): whoever still has a session open that was deleted
   * does not take one made since under the same id for it.
   */
  readonly version: number;
  /** How many entries there are, on all branches: the sequence that the next one gets. */
  readonly entries: number;
  /** Sequence of the entry that the next append follows; -1 where there is none. */
  readonly head: number;
  /** Milliseconds since the epoch, as the first and the latest commit gave them. */
  readonly created: number;
  readonly updated: number;
  /** Bytes of messages and documents as JSON, about. */
  readonly bytes: number;
}

/** What one commit does. */
export interface Change {
  /** The version that it was made on; 0 for a session that is not there yet. Another one is refused as stale. */
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** To be added: their sequences go on where the session ends, their parents are there or among them. */
  readonly entries?: readonly Entry[];
  /** Sequence of the new head; that of the last entry added unless given. */
  readonly head?: number;
  /** The client's own name for this append: a second change with it is not carried out. Stays known for good. */
  readonly key?: string;
  /**
   * By name: a value to be written in place of the one there, or undefined to remove it. Values are what
   * `JSON.stringify` takes, and nobody changes them afterwards, so a driver may turn them into text when it likes.
   * Names are ASCII.
   */
  readonly documents?: ReadonlyMap<string, unknown>;
}

export type CommitOutcome =
  | { readonly status: "committed"; readonly version: number }
  /** Somebody else was first: read again, from the entries that are known, and commit on this version. */
  | { readonly status: "stale"; readonly version: number }
  /** The key is known: the sequence of the first entry of that append and how many there were. Found before staleness. */
  | { readonly status: "repeated"; readonly version: number; readonly first: number; readonly count: number };

/** A whole session that is to stand where there is none, or in the place of another. */
export interface Replacement {
  /** The version that the session there must have, 0 where there must be none; any unless given. */
  readonly version?: number;
  /** The commits that the session is made of, oldest first; at least one. No key comes twice. */
  readonly changes: readonly Omit<Change, "version">[];
}

export type ReplaceOutcome = Exclude<CommitOutcome, { readonly status: "repeated" }>;

export interface ListOptions {
  /** The `next` of the page before. */
  readonly after?: string;
  /** Sessions on a page; 100 unless given. */
  readonly limit?: number;
  /** Only sessions whose ids begin so. */
  readonly prefix?: string;
}

export interface SessionPage {
  readonly sessions: readonly SessionInfo[];
  /** To be given as `after` for the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** What a deletion removed. */
export interface Removed {
  readonly entries: number;
  readonly documents: number;
  /** Keys of appends. */
  readonly keys: number;
  readonly bytes: number;
  /**
   * True where no reader finds the text any more but the files still hold it, since another connection reads an older
   * state: it goes with a later deletion, or when the last connection is closed.
   */
  readonly pending?: true;
}

export interface VerifyOptions {
  /** Told before each session. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface VerifyReport {
  readonly sessions: number;
  readonly entries: number;
  readonly memories: number;
  /** What is damaged or missing; each names what it is of, and says what to do. */
  readonly faults: readonly VarveError[];
}

export interface RepairReport {
  /** Where everything lies as it was before. */
  readonly backup: string;
  /** What was damaged, and is gone but for the backup. */
  readonly faults: readonly VarveError[];
}

/** Sessions on a page unless the caller says otherwise. */
export const PAGE_SIZE = 100;

/** Commits that one session may see; 2^53 is the largest version that a number holds. */
const COMMITS = 2 ** 27;
const IDENTITIES = 2 ** 26;

/** The version of a session's first commit. */
export const firstVersion = (): number => 1 + Math.floor(Math.random() * IDENTITIES) * COMMITS;

/** What all versions of one session have in common, and those of another under the same id do not. */
export const identityOf = (version: number): number => Math.floor(version / COMMITS);

/** Whether a document's name begins as one of those asked for. */
export const isWanted = (name: string, { documents = [] }: ReadOptions): boolean =>
  documents.some((beginning) => name.startsWith(beginning));

/** The head after a change to a session whose head was `before`. */
export const headAfter = ({ head, entries = [] }: Omit<Change, "version">, before: number): number =>
  head ?? entries.at(-1)?.sequence ?? before;

/** All sessions of a store, page by page. */
export async function* sessionsIn(store: Store): AsyncGenerator<SessionInfo> {
  let after: string | undefined;
  do {
    const page = await store.sessions(after === undefined ? {} : { after });
    yield* page.sessions;
    after = page.next;
  } while (after !== undefined);
}
