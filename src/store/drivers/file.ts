import { cpSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { ContextDocument } from "../../compaction/context-document.js";
import { VarveError } from "../../errors.js";
import { checkNames, type OptionNames } from "../../message/option-names.js";
import { damagedDocument } from "../damage.js";
import type { Memories } from "../memories/memories.js";
import { plainStore } from "../plain-store.js";
import {
  type Change,
  type CommitOutcome,
  identityOf,
  isWanted,
  type ListOptions,
  PAGE_SIZE,
  type ReadOptions,
  type Removed,
  type RepairReport,
  type Replacement,
  type ReplaceOutcome,
  type SessionInfo,
  type SessionPage,
  type Store,
  type StoredSession,
  type VerifyOptions,
  type VerifyReport,
} from "../store.js";
import { closedStore } from "../store-errors.js";
import { entryOfRow } from "../stored-entry.js";
import { verifyContents } from "../verify-contents.js";
import { checkPath, checkTarget, checkTimeout } from "./check-path.js";
import { hasContext, readContext, removeContext, removeFile, saveContext } from "./file-context.js";
import { FolderLock } from "./file-lock.js";
import { FileLog, sessionInLog } from "./file-log.js";
import { contextInLog } from "./file-log-context.js";
import { cutLog, damagedLog, lostLog } from "./file-log-errors.js";
import { FileMemories } from "./file-memories.js";
import { fileNameOf, idOfFileName, LOG_ENDING, logPathOf } from "./file-name.js";
import { leftLogs, putLog, sweepLogs, wholeLog } from "./file-replacement.js";
import { fileError, freeName, makeFolder, namesIn, syncFolder } from "./file-system.js";

export interface FileOptions {
  /** Milliseconds to wait for other writers; 15,000 unless given. */
  readonly timeout?: number;
  /** Told of what is damaged and was set aside or passed over, and of an unfinished commit that was dropped. */
  readonly onWarning?: (warning: VarveError) => void;
}

const TIMEOUT = 15_000;
const OPTIONS: OptionNames<FileOptions> = { timeout: true, onWarning: true };

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
  checkNames(options, OPTIONS, "fileStore");
  const { timeout = TIMEOUT, onWarning = (warning) => process.emitWarning(warning) } = options;
  const path = resolve(checkPath("folder", folder));
  try {
    makeFolder(path);
  } catch (error) {
    throw fileError(error, path);
  }
  const store = new FileStore(path, { timeout: checkTimeout(timeout), onWarning });
  await store.sweep();
  return plainStore(store);
}

class FileStore implements Store {
  readonly name = "file";
  readonly memories: Memories;
  readonly #folder: string;
  readonly #lock: FolderLock;
  readonly #memories: FileMemories;
  readonly #timeout: number;
  readonly #warn: (warning: VarveError) => void;
  /** Whether a damaged document is told only, and not set aside. */
  readonly #looks: boolean;
  readonly #logs = new Map<string, FileLog>();
  #closed = false;

  constructor(folder: string, { timeout, onWarning }: Required<FileOptions>, looks = false) {
    this.#folder = folder;
    this.#timeout = timeout;
    this.#looks = looks;
    this.#lock = new FolderLock(folder, timeout, () => this.#memories.finish());
    this.#warn = onWarning;
    this.#memories = new FileMemories({
      folder,
      lock: this.#lock,
      warn: onWarning,
      guarded: (work) => this.#guarded(work),
      sessionLog: (sessionId) => this.#log(sessionId),
    });
    this.memories = this.#memories.memories;
  }

  /** Removes or finishes what a process left that was killed while it wrote a log anew. Whoever cannot write reads all the same. */
  async sweep(): Promise<void> {
    if (leftLogs(this.#folder).length === 0 && !this.#memories.isPending) return;
    const sweep = () => sweepLogs(this.#folder);
    await this.#lock.run(sweep).catch((error: unknown) => this.#warnOf(fileError(error, this.#folder)));
  }

  read(sessionId: string, options: ReadOptions = {}): Promise<StoredSession | undefined> {
    return this.#guarded(async () => {
      const { from = 0 } = options;
      if (from === 0) await this.#mend(sessionId);
      const log = this.#log(sessionId);
      log?.tell();
      if (log === undefined) return undefined;
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
        const log = this.#log(sessionId) ?? new FileLog(logPathOf(this.#folder, sessionId), sessionId, this.#warn);
        const known = change.key === undefined ? undefined : log.keys.get(change.key);
        if (known !== undefined) return { status: "repeated", version: log.version, ...known };
        if (log.version !== change.version) return { status: "stale", version: log.version };
        return { status: "committed", version: this.#append(sessionId, log, change) };
      }),
    );
  }

  #append(sessionId: string, log: FileLog, change: Change): number {
    log.read();
    this.#logs.set(sessionId, log);
    return log.append(change);
  }

  /** A log that cannot be read may be replaced too, as long as no version is asked of it. */
  replace(sessionId: string, { version, changes }: Replacement): Promise<ReplaceOutcome> {
    return this.#guarded(() => {
      const whole = wholeLog(sessionId, changes);
      return this.#lock.run((): ReplaceOutcome => {
        const there = version === undefined ? undefined : (this.#log(sessionId)?.version ?? 0);
        if (there !== undefined && there !== version) return { status: "stale", version: there };
        this.#logs.delete(sessionId);
        putLog(this.#folder, sessionId, whole);
        return { status: "committed", version: whole.version };
      });
    });
  }

  sessions({ after, limit = PAGE_SIZE, prefix = "" }: ListOptions = {}): Promise<SessionPage> {
    return this.#guarded(() => {
      const found = this.#logPaths().flatMap((path) => {
        const name = basename(path);
        if (after !== undefined && name <= after) return [];
        const id = idOfLog(path);
        if (id === undefined) this.#warn(damagedLog(path, 0));
        const info = id?.startsWith(prefix) ? this.#infoOf(id) : undefined;
        return info === undefined ? [] : [{ name, info }];
      });
      const page = found.slice(0, limit);
      const next = found.length > limit ? page.at(-1)?.name : undefined;
      return { sessions: page.map(({ info }) => info), next };
    });
  }

  /** One log that cannot be read does not keep the others from being listed. */
  #infoOf(sessionId: string): SessionInfo | undefined {
    try {
      return this.#log(sessionId)?.info;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.#warn(error);
      return undefined;
    }
  }

  delete(sessionId: string): Promise<Removed | undefined> {
    return this.#guarded(() =>
      this.#lock.run(() => {
        const known = this.#contentOf(sessionId);
        this.#logs.delete(sessionId);
        const log = removeFile(this.#folder, basename(logPathOf(this.#folder, sessionId)));
        const document = removeContext(this.#folder, sessionId);
        if (log === undefined && document === undefined) return undefined;
        syncFolder(this.#folder);
        return known ?? { entries: 0, documents: 0, keys: 0, bytes: (log ?? 0) + (document ?? 0) };
      }),
    );
  }

  /** What there is of a session, as far as its log can be read. */
  #contentOf(sessionId: string): Removed | undefined {
    try {
      const log = this.#log(sessionId);
      if (log === undefined) return undefined;
      const { entries, bytes } = log.info;
      return { entries, bytes, documents: log.documents.size, keys: log.keys.size };
    } catch (error) {
      if (isUnreadable(error)) return undefined;
      throw error;
    }
  }

  /** A session that was deleted or replaced meanwhile gets no document. */
  writeContext(sessionId: string, document: ContextDocument, version: number): Promise<void> {
    return this.#guarded(() =>
      this.#lock.run(() => {
        const there = this.#log(sessionId)?.version;
        if (there !== undefined && identityOf(there) === identityOf(version)) saveContext(this.#folder, document);
      }),
    );
  }

  readContext(sessionId: string): Promise<ContextDocument | undefined> {
    return this.#guarded(() => readContext(this.#folder, sessionId));
  }

  async verify(options?: VerifyOptions): Promise<VerifyReport> {
    const faults: VarveError[] = [];
    const onWarning = (fault: VarveError) => void faults.push(fault);
    const store = new FileStore(this.#folder, { timeout: this.#timeout, onWarning }, true);
    try {
      return await verifyContents(store, faults, options);
    } finally {
      await store.close();
    }
  }

  /** Only for logs that are damaged, and memories that are: what is written anew then has everything that is intact. */
  async repair(): Promise<RepairReport> {
    const { faults } = await this.verify();
    const lost: VarveError[] = [];
    const backup = freeName(`${this.#folder}.backup`);
    await this.backup(backup);
    await this.#guarded(() =>
      this.#lock.run(() => {
        for (const path of this.#logPaths()) {
          const id = idOfLog(path);
          if (this.#repairLog(path, id)) continue;
          rmSync(path);
          lost.push(lostLog(path, id, join(backup, basename(path))));
        }
        this.#memories.repair();
      }),
    );
    return { faults: [...faults, ...lost], backup };
  }

  /** False where nothing of a log can be read. */
  #repairLog(path: string, id: string | undefined): boolean {
    if (id === undefined) return false;
    this.#logs.delete(id);
    try {
      const log = FileLog.open(path, id, () => undefined);
      if (log === undefined || log.isEmpty) return false;
      log.repair();
      if (!hasContext(this.#folder, id)) saveContext(this.#folder, contextInLog(log));
      return true;
    } catch (error) {
      if (!VarveError.isInstance(error) || error.code !== "store-damaged") throw error;
      return false;
    }
  }

  /** Nobody writes meanwhile, so that the copy shows one state. */
  backup(target: string): Promise<void> {
    checkTarget(target);
    const isKept = (path: string) => basename(path) !== ".lock";
    return this.#guarded(() =>
      this.#lock.run(() => cpSync(this.#folder, resolve(target), { recursive: true, filter: isKept })),
    );
  }

  #logPaths(): string[] {
    return namesIn(this.#folder).flatMap((name) => (name.endsWith(LOG_ENDING) ? [join(this.#folder, name)] : []));
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
    const log = FileLog.open(logPathOf(this.#folder, sessionId), sessionId, this.#warn);
    if (log?.isEmpty && hasContext(this.#folder, sessionId))
      this.#warn(cutLog(log.path, { session: sessionId, entries: 0, at: 0, went: 0 }));
    if (log === undefined || log.isEmpty) return undefined;
    this.#logs.set(sessionId, log);
    return log;
  }

  /** Makes the document from the log where there is none, or a damaged one, which is set aside. */
  async #mend(sessionId: string): Promise<void> {
    const log = this.#log(sessionId);
    if (this.#looks) return this.#look(sessionId);
    if (log === undefined || hasContext(this.#folder, sessionId)) return;
    const mend = () => {
      const mended = this.#log(sessionId);
      if (mended !== undefined && !this.#keepsContext(sessionId)) saveContext(this.#folder, contextInLog(mended));
    };
    await this.#lock.run(mend).catch((error: unknown) => this.#warnOf(fileError(error, this.#folder)));
  }

  #look(sessionId: string): void {
    if (!hasContext(this.#folder, sessionId, true))
      this.#warn(damagedDocument(sessionId, `${fileNameOf(sessionId)}.json`));
  }

  /** Whoever reads does not depend on what can be mended. */
  #warnOf(error: unknown): void {
    if (!VarveError.isInstance(error)) throw error;
    this.#warn(error);
  }

  /** False where there is no document, or a damaged one, which is set aside: only for who has the lock. */
  #keepsContext(sessionId: string): boolean {
    try {
      return readContext(this.#folder, sessionId) !== undefined;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.#warn(error);
      return false;
    }
  }

  async #guarded<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#closed) throw closedStore();
    try {
      return await work();
    } catch (error) {
      throw fileError(error, this.#folder);
    }
  }
}

const idOfLog = (path: string): string | undefined =>
  idOfFileName(basename(path).slice(0, -LOG_ENDING.length)) ?? sessionInLog(path);

const isUnreadable = (error: unknown): error is VarveError =>
  VarveError.isInstance(error) && (error.code === "store-damaged" || error.code === "store-newer");

const byName = ([left]: readonly [string, string], [right]: readonly [string, string]): number =>
  left < right ? -1 : 1;
