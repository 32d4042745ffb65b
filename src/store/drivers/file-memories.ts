import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { VarveError } from "../../errors.js";
import { NO_ORPHANS, readersOf } from "../memories/in-process.js";
import type { Erasure, Memories, MemoryChange, MemoryOutcome, RowVectors } from "../memories/memories.js";
import { MemoryRows } from "../memories/memory-rows.js";
import { eraseInFolder } from "./file-erasure.js";
import type { FolderLock } from "./file-lock.js";
import type { FileLog } from "./file-log.js";
import { untidiedLog } from "./file-log-errors.js";
import { type MemoriesLine, type WriteLine, writtenRow, writtenVectors } from "./file-memories-lines.js";
import { MemoriesLog } from "./file-memories-log.js";
import { applyLine, linesOf, sizeOf } from "./file-memories-rows.js";
import {
  readPending,
  redactLog,
  removePending,
  type WrittenRedaction,
  writePending,
  writtenRedaction,
} from "./file-redaction.js";
import { namesIn } from "./file-system.js";

/** What memories need of the store that they are part of. */
export interface FileMemoriesHost {
  /** The folder of the sessions, in which that of the memories lies. */
  readonly folder: string;
  readonly lock: FolderLock;
  readonly warn: (warning: VarveError) => void;
  /** Does work unless the store is closed, and makes errors of the file system our own. */
  guarded<T>(work: () => T | Promise<T>): Promise<T>;
  /** The log of a session with all that others have added. */
  sessionLog(sessionId: string): FileLog | undefined;
}

/** A log is written anew when about this much of it, and half of it, was replaced since. */
const LEAST_GARBAGE = 4 * 1024 * 1024;

/**
 * Memories in a folder's files, which several processes may use at once: an append-only log, read into this process's
 * memory as it grows. A removal writes it anew at once, so that no file holds the text any longer.
 */
export class FileMemories {
  readonly #host: FileMemoriesHost;
  readonly #log: MemoriesLog;
  readonly #folder: string;
  readonly #pending: string;
  #rows = new MemoryRows();
  #garbage = 0;

  constructor(host: FileMemoriesHost) {
    this.#host = host;
    this.#folder = join(host.folder, "memories");
    this.#pending = join(this.#folder, "redaction.json");
    const reader = {
      restart: () => this.#restart(),
      take: (line: MemoriesLine) => this.#take(line),
      has: (id: string) => this.#rows.byId.has(id),
    };
    this.#log = new MemoriesLog(join(this.#folder, "log.jsonl"), reader, host.warn);
  }

  /** As the port has them. */
  get memories(): Memories {
    return {
      // Each removal writes anew all that stays.
      mostRemoved: Number.POSITIVE_INFINITY,
      write: (change) => this.#locked(() => this.#write(change)),
      addVectors: (...given) => this.#locked(() => this.#addVectors(...given)),
      dropVectors: (embedder) => this.#locked(() => this.#dropVectors(embedder)),
      erase: (texts) => this.#host.guarded(() => this.#erase(texts)),
      orphans: () => this.#host.guarded(() => NO_ORPHANS),
      ...readersOf((work) => this.#reading(() => work(this.#rows))),
    };
  }

  /** Whether text is still to be taken out of sessions. */
  get isPending(): boolean {
    return existsSync(this.#pending);
  }

  /** Writes the log anew without what is damaged. Only for who has the lock. */
  repair(): void {
    this.#log.read();
    this.#log.setAside();
    if (this.#log.isDamaged) this.#rewrite();
  }

  /** Does what was written down and not finished. Only for who has the lock. */
  finish(): void {
    const pending = readPending(this.#pending, this.#host.warn);
    if (pending === undefined) return;
    this.#log.read();
    const { write, sessions } = pending;
    if (this.#rows.versionOf(write.scope) < write.version) this.#rewriteWith(write);
    for (const redaction of sessions) {
      const log = this.#host.sessionLog(redaction.session);
      if (log !== undefined) redactLog(this.#host.folder, log, redaction);
    }
    removePending(this.#pending);
  }

  #reading<T>(work: () => T): Promise<T> {
    return this.#host.guarded(async () => {
      if (this.isPending) await this.#host.lock.run(() => undefined);
      this.#log.read();
      this.#log.tell();
      return work();
    });
  }

  #erase(texts: readonly string[]): Promise<Erasure> {
    const shows = (form: string): boolean =>
      [...linesOf(this.#rows)].some((line) => JSON.stringify(line).includes(form));
    const memories = { path: this.#log.path, shows, rewrite: () => this.#rewrite() };
    const { folder, sessionLog } = this.#host;
    return eraseInFolder(texts, { folder, memories, sessionLog, locked: (work) => this.#locked(work) });
  }

  #locked<T>(work: () => T): Promise<T> {
    return this.#host.guarded(() =>
      this.#host.lock.run(() => {
        this.#log.read();
        return work();
      }),
    );
  }

  #write(change: MemoryChange): MemoryOutcome {
    const version = this.#rows.versionOf(change.scope);
    if (change.version !== undefined && change.version !== version) return { status: "stale", version };
    const { redact = [] } = change;
    const late = redact.find(({ session, change: { version } }) => this.#sessionVersion(session) !== version);
    if (late !== undefined) return { status: "stale-session", session: late.session };
    this.#rows.check(change);
    this.#carryOut(writeLine(change, version + 1), redact.map(writtenRedaction));
    return { status: "written", version: version + 1 };
  }

  #carryOut(write: WriteLine, sessions: readonly WrittenRedaction[]): void {
    if (sessions.length > 0) {
      writePending(this.#pending, { write, sessions });
      this.finish();
    } else if (write.remove.some((id) => this.#rows.byId.has(id))) this.#rewriteWith(write);
    else this.#append(write);
  }

  #sessionVersion(sessionId: string): number {
    return this.#host.sessionLog(sessionId)?.version ?? 0;
  }

  #addVectors(embedder: string, vectors: readonly RowVectors[]): void {
    this.#rows.vectors.check(vectors.map(({ values }) => ({ embedder, values })));
    const current = vectors.filter(({ id, body }) => this.#rows.byId.get(id)?.row.body === body);
    const rows = current.map(({ id, values }) => ({ id, values: writtenVectors(values) }));
    if (rows.length > 0) this.#append({ kind: "vectors", embedder, rows });
  }

  #dropVectors(embedder: string): void {
    const isThere = [...this.#rows.byId.values()].some(({ embedders }) => embedders.has(embedder));
    if (isThere) this.#append({ kind: "drop", embedder });
  }

  #append(line: MemoriesLine): void {
    this.#log.append(line);
    this.#tidy();
  }

  /** The change is durable already: whatever fails here must not make it look as if it were not. */
  #tidy(): void {
    if (this.#garbage <= LEAST_GARBAGE || this.#garbage <= this.#log.size / 2) return;
    try {
      this.#rewrite();
    } catch (error) {
      this.#host.warn(untidiedLog(this.#log.path, error));
    }
  }

  /** Where the log cannot be written, what was read of it is read again. */
  #rewriteWith(line: WriteLine): void {
    try {
      applyLine(this.#rows, line);
      this.#rewrite();
    } catch (error) {
      this.#log.forget();
      throw error;
    }
  }

  /** What killed processes left half written goes with it. */
  #rewrite(): void {
    this.#log.rewrite(linesOf(this.#rows));
    this.#garbage = 0;
    for (const name of namesIn(this.#folder))
      if (name.endsWith(".tmp")) rmSync(join(this.#folder, name), { force: true });
  }

  #restart(): void {
    this.#rows = new MemoryRows();
    this.#garbage = 0;
  }

  #take(line: MemoriesLine): void {
    this.#garbage += this.#replacedBy(line);
    applyLine(this.#rows, line);
  }

  /** About how many bytes of the log a line makes useless. */
  #replacedBy(line: MemoriesLine): number {
    const size = (id: string): number => {
      const kept = this.#rows.byId.get(id);
      return kept === undefined ? 0 : sizeOf(this.#rows, kept);
    };
    if (line.kind === "write")
      return [...line.put, ...line.amend].reduce((sum, { id }) => sum + size(id), 0) + line.amend.length * 100;
    return line.kind === "drop" ? this.#vectorBytes(line.embedder) : 0;
  }

  #vectorBytes(embedder: string): number {
    const { byId, vectors } = this.#rows;
    const rows = [...byId.values()].filter(({ embedders }) => embedders.has(embedder));
    return rows.length * (vectors.of(embedder)?.dimensions ?? 0) * 5.4;
  }
}

const writeLine = ({ scope, put = [], amend = [], remove = [] }: MemoryChange, version: number): WriteLine => ({
  kind: "write",
  scope,
  version,
  put: put.map(writtenRow),
  amend,
  remove,
});
