import { basename, join, resolve } from "node:path";
import type { ContextDocument } from "../../compaction/context-document.js";
import { VarveError } from "../../errors.js";
import { branchOf } from "../branch.js";
import { contextOf, NOTED, notedIn, OBSERVED, observeEntries } from "../context-of.js";
import { plainStore } from "../plain-store.js";
import {
  type Change,
  type CommitOutcome,
  isWanted,
  type ListOptions,
  PAGE_SIZE,
  type ReadOptions,
  type Removed,
  type SessionPage,
  type Store,
  type StoredSession,
} from "../store.js";
import { entryOfRow } from "../stored-entry.js";
import { namesIn, readContext, removeContext, removeFile, saveContext } from "./file-context.js";
import { FolderLock } from "./file-lock.js";
import { FileLog, sessionInLog } from "./file-log.js";
import { fileNameOf, idOfFileName } from "./file-name.js";
import { fileError, makeFolder, syncFolder } from "./file-system.js";

export interface FileOptions {
  /** Milliseconds to wait for other writers; 15,000 unless given. */
  readonly timeout?: number;
  /** Told of a damaged document that was set aside, or of an unfinished commit that was dropped. */
  readonly onWarning?: (warning: VarveError) => void;
}

const TIMEOUT = 15_000;
const ENDING = ".log.jsonl";

/**
 * Keeps sessions in the files of a folder, which several processes may use at once: for each session an append-only log
 * of JSON lines, and beside it the context document for people to read. The files are private to their user.
 *
 * @example
 * ```ts
 * const varve = await openVarve({ store: await fileStore("./data/context") });
 * ```
 */
export async function fileStore(folder: string, options: FileOptions = {}): Promise<Store> {
  const { timeout = TIMEOUT, onWarning = (warning) => process.emitWarning(warning) } = options;
  const path = resolve(folder);
  try {
    makeFolder(path);
  } catch (error) {
    throw fileError(error, path);
  }
  return plainStore(new FileStore(path, { timeout, onWarning }));
}

class FileStore implements Store {
  readonly name = "file";
  readonly #folder: string;
  readonly #lock: FolderLock;
  readonly #warn: (warning: VarveError) => void;
  readonly #logs = new Map<string, FileLog>();
  #closed = false;

  constructor(folder: string, { timeout, onWarning }: Required<FileOptions>) {
    this.#folder = folder;
    this.#lock = new FolderLock(folder, timeout);
    this.#warn = onWarning;
  }

  read(sessionId: string, options: ReadOptions = {}): Promise<StoredSession | undefined> {
    return this.#guarded(() => {
      const log = this.#log(sessionId);
      if (log === undefined) return undefined;
      const { from = 0 } = options;
      if (from === 0) this.#mend(sessionId, log);
      const documents = [...log.documents].filter(([name]) => isWanted(name, options)).sort(byName);
      return {
        info: log.info,
        entries: from >= log.rows.length ? [] : log.rows.slice(from).map(entryOfRow),
        documents: new Map(documents),
        ...(options.keys && { keys: new Map(log.keys) }),
      };
    });
  }

  version(sessionId: string): Promise<number> {
    return this.#guarded(() => this.#log(sessionId)?.version ?? 0);
  }

  commit(sessionId: string, change: Change): Promise<CommitOutcome> {
    return this.#guarded(() =>
      this.#lock.run(() => {
        const log = this.#log(sessionId) ?? new FileLog(this.#pathOf(sessionId), sessionId);
        const known = change.key === undefined ? undefined : log.keys.get(change.key);
        if (known !== undefined) return { status: "repeated", version: log.version, ...known };
        if (log.version !== change.version) return { status: "stale", version: log.version };
        return { status: "committed", version: this.#append(sessionId, log, change) };
      }),
    );
  }

  #append(sessionId: string, log: FileLog, change: Change): number {
    log.read();
    const torn = log.append(change);
    if (torn > 0) this.#warn(dropped(log.path, torn));
    this.#logs.set(sessionId, log);
    return log.version;
  }

  sessions({ after, limit = PAGE_SIZE, prefix = "" }: ListOptions = {}): Promise<SessionPage> {
    return this.#guarded(() => {
      const names = namesIn(this.#folder).filter((name) => name.endsWith(ENDING) && (!after || name > after));
      const found = names.flatMap((name) => {
        const id = idOfFileName(name.slice(0, -ENDING.length)) ?? sessionInLog(join(this.#folder, name));
        return id?.startsWith(prefix) && this.#log(id) !== undefined ? [{ name, id }] : [];
      });
      const page = found.slice(0, limit);
      const next = found.length > limit ? page.at(-1)?.name : undefined;
      return { sessions: page.map(({ id }) => this.#log(id)!.info), next };
    });
  }

  delete(sessionId: string): Promise<Removed | undefined> {
    return this.#guarded(() =>
      this.#lock.run(() => {
        const log = this.#log(sessionId);
        if (log === undefined) return undefined;
        const { entries, bytes } = log.info;
        const removed = { entries, bytes, documents: log.documents.size, keys: log.keys.size };
        this.#logs.delete(sessionId);
        removeFile(this.#folder, basename(log.path));
        removeContext(this.#folder, sessionId);
        syncFolder(this.#folder);
        return removed;
      }),
    );
  }

  /** A session that was deleted meanwhile gets no document. */
  writeContext(sessionId: string, document: ContextDocument): Promise<void> {
    return this.#guarded(() =>
      this.#lock.run(() => {
        if (this.#log(sessionId) !== undefined) saveContext(this.#folder, document);
      }),
    );
  }

  readContext(sessionId: string): Promise<ContextDocument | undefined> {
    return this.#guarded(() => readContext(this.#folder, sessionId));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#logs.clear();
    await this.#lock.close();
  }

  /** A session's log with all that others have added; undefined where there is none. */
  #log(sessionId: string): FileLog | undefined {
    const known = this.#logs.get(sessionId);
    if (known?.read() === "read") return known;
    this.#logs.delete(sessionId);
    const log = FileLog.open(this.#pathOf(sessionId), sessionId);
    if (log === undefined || log.isEmpty) return undefined;
    this.#logs.set(sessionId, log);
    return log;
  }

  /** Where the document is damaged it is set aside, and made again from the log. */
  #mend(sessionId: string, log: FileLog): void {
    try {
      readContext(this.#folder, sessionId);
    } catch (error) {
      if (!VarveError.isInstance(error) || error.code !== "store-damaged") throw error;
      this.#warn(error);
      saveContext(this.#folder, contextIn(sessionId, log));
    }
  }

  #pathOf(sessionId: string): string {
    return join(this.#folder, `${fileNameOf(sessionId)}${ENDING}`);
  }

  async #guarded<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#closed)
      throw new VarveError({
        code: "closed",
        message: "This store is closed.",
        hint: "Open it again with openVarve().",
      });
    try {
      return await work();
    } catch (error) {
      throw fileError(error, this.#folder);
    }
  }
}

/** What a log tells of its session. */
function contextIn(id: string, { rows, documents, info }: FileLog): ContextDocument {
  const entries = rows.map(entryOfRow);
  const parsed = (name: string): unknown => (documents.has(name) ? JSON.parse(documents.get(name)!) : undefined);
  const observed = observeEntries(parsed(OBSERVED), entries);
  const branch = branchOf(entries, info.head);
  return contextOf({ id, branch, observed, noted: notedIn(parsed(NOTED)), summary: "" });
}

const byName = ([left]: readonly [string, string], [right]: readonly [string, string]): number =>
  left < right ? -1 : 1;

const dropped = (path: string, bytes: number): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The log "${path}" ended with ${bytes} bytes of an unfinished commit; they were dropped.`,
    hint: "Nothing to do: the commit was never acknowledged.",
    details: { path, bytes },
  });
