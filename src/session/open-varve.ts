import { invalidOption, VarveError } from "../errors.js";
import { removeSnapshots } from "../store/drivers/snapshot-files.js";
import { openStore } from "../store/open-store.js";
import type { ListOptions, Removed, SessionPage, Store } from "../store/store.js";
import { strategyFactory } from "../strategies/registry.js";
import { checkOptions, checkSessionId, checkSessionOptions, checkStore } from "./check-options.js";
import { type ExportOptions, exportSessions } from "./export.js";
import { type ImportOptions, type ImportReport, importSessions } from "./import.js";
import { type PruneOptions, type PruneReport, pruneSessions } from "./prune.js";
import { Session, type SessionPorts } from "./session.js";
import { OPTIONS } from "./session-documents.js";
import { mergeOptions, type SessionOptions, storedOptions } from "./session-options.js";
import { resolveSnapshots, type SnapshotOptions } from "./snapshots.js";
import { defined, withStrategySettings } from "./strategy-settings.js";

export interface VarveOptions {
  /** Where sessions are kept: "memory", "sqlite:PATH", "file:FOLDER", "postgres://…", or a Store. */
  readonly store?: string | Store;
  /** The clock, in milliseconds since the epoch; the system's unless given. */
  readonly now?: () => number;
  /**
   * Writes snapshots of every session as it grows, and goes on from the latest one when the store does not know a
   * session: after a restart with the store "memory" for one. Off unless given; `true` for the defaults.
   */
  readonly snapshots?: boolean | SnapshotOptions;
  /** Told of what was mended or refused, such as a damaged snapshot; `process.emitWarning` unless given. */
  readonly onWarning?: (warning: VarveError) => void;
}

/** An open store with its sessions. */
export interface Varve {
  /**
   * Opens a session, or goes on with it. One id is one session: asked for again, it is the same object, and options
   * that differ from those before are taken over as by `session.configure`. An open session, and one that the store
   * holds, needs no options: it goes on with those it had, and those given are laid over them. A strategy is kept by
   * its name, without options of its own.
   */
  session(id: string, options?: SessionOptions): Promise<Session>;
  /** The sessions in the store, page by page. */
  sessions(options?: ListOptions): Promise<SessionPage>;
  /** Removes every trace of a session, and says what there was; undefined where there was none. */
  delete(sessionId: string): Promise<Removed | undefined>;
  /** Removes the sessions that are too old, or too much, and says which. Those open here stay. */
  prune(options: PruneOptions): Promise<PruneReport>;
  /** Sessions as lines of JSON, each with its line break: everything that another store needs to go on with them. */
  export(options?: ExportOptions): AsyncGenerator<string>;
  /** Takes in what `export` wrote, from this store or another, as lines or in pieces of any size. */
  import(text: AsyncIterable<string | Uint8Array> | Iterable<string>, options?: ImportOptions): Promise<ImportReport>;
  /** Makes everything durable and lets go of the store. */
  close(): Promise<void>;
}

/**
 * Opens varve on a store.
 *
 * @example
 * ```ts
 * const varve = await openVarve({ store: "sqlite:./varve.db" });
 * const session = await varve.session("user:agent:1", { window: 128_000 });
 * ```
 */
export async function openVarve(options: VarveOptions = {}): Promise<Varve> {
  return new OpenVarve(await openPorts(options)).face();
}

interface OpenSession {
  options: SessionOptions;
  /** A promise from the start, so that two calls at once get one session. */
  readonly session: Promise<Session>;
}

class OpenVarve {
  readonly #ports: SessionPorts;
  readonly #open = new Map<string, OpenSession>();
  #closed = false;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  /** The methods on a plain object. */
  face(): Varve {
    const { store, now } = this.#ports;
    const whileOpen = async <T>(work: () => Promise<T>): Promise<T> => {
      this.#check();
      return work();
    };
    const close = async (id: string) => (await this.#open.get(id)?.session.catch(() => undefined))?.close();
    return {
      session: (id, options) => whileOpen(() => this.#session(id, options)),
      sessions: (options) => whileOpen(() => store.sessions(options)),
      delete: (id) => whileOpen(() => this.#delete(id)),
      prune: (options) => whileOpen(() => this.#prune(options)),
      export: (options) => exportSessions(options ?? {}, { store, now, settle: () => this.#settle() }),
      import: (text, options) => whileOpen(() => importSessions(text, options ?? {}, { store, close })),
      close: () => this.#close(),
    };
  }

  async #session(id: string, options: SessionOptions | undefined): Promise<Session> {
    checkSessionId(id);
    const known = this.#open.get(id);
    if (known !== undefined) return goOn(known, options);
    if (options === undefined) return this.#session(id, await this.#optionsOf(id));
    checkSessionOptions(options);
    const opened: OpenSession = { options, session: this.#load(id, options, () => forget()) };
    const forget = () => {
      if (this.#open.get(id) === opened) this.#open.delete(id);
    };
    this.#open.set(id, opened);
    opened.session.catch(forget);
    return opened.session;
  }

  /** Options that are given are laid over those that the session was left with. */
  async #load(id: string, options: SessionOptions, onEnded: () => void): Promise<Session> {
    const given = defined(withStrategySettings(options));
    const before = await this.#leftWith(id);
    const merged = before === undefined ? given : mergeOptions(before, given);
    checkKnown(id, merged);
    return new Session(id, merged, { ...this.#ports, onEnded }).load();
  }

  /** The options that a session was left with, where the store has it. */
  async #leftWith(id: string): Promise<SessionOptions | undefined> {
    const stored = await this.#ports.store.read(id, { from: Number.POSITIVE_INFINITY, documents: [OPTIONS] });
    const text = stored?.documents.get(OPTIONS);
    return text === undefined ? undefined : storedOptions(JSON.parse(text));
  }

  async #optionsOf(id: string): Promise<SessionOptions> {
    const options = await this.#leftWith(id);
    if (options !== undefined) return options;
    const allowed = "an object, such as { window: 128_000 }: the store has no session under this id to go on with";
    throw invalidOption({ option: "options", value: undefined, allowed });
  }

  async #delete(id: string): Promise<Removed | undefined> {
    checkSessionId(id);
    const open = this.#open.get(id);
    this.#open.delete(id);
    await open?.session.then((session) => session.end());
    const { store, snapshots } = this.#ports;
    if (snapshots !== undefined) removeSnapshots({ ...snapshots, sessionId: id });
    return store.delete(id);
  }

  #prune(options: PruneOptions): Promise<PruneReport> {
    const { store, now } = this.#ports;
    return pruneSessions(options, { store, now, spared: new Set(this.#open.keys()), remove: (id) => this.#delete(id) });
  }

  async #close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const closing = [...this.#open.values()].map(async ({ session }) =>
      (await session.catch(() => undefined))?.close(),
    );
    const outcomes = await Promise.allSettled(closing);
    await this.#ports.store.close();
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /** Resolves when everything said to the open sessions is durable. */
  async #settle(): Promise<void> {
    for (const { session } of this.#open.values()) await (await session.catch(() => undefined))?.flush();
  }

  #check(): void {
    if (this.#closed)
      throw new VarveError({
        code: "closed",
        message: "This varve is closed.",
        hint: "Open it again with openVarve().",
      });
  }
}

/** A strategy that only the process before knew cannot be gone on with. */
function checkKnown(id: string, { strategy }: SessionOptions): void {
  if (typeof strategy !== "string" || strategyFactory(strategy) !== undefined) return;
  throw new VarveError({
    code: "invalid-option",
    message: `There is no strategy "${strategy}" for the session "${id}".`,
    hint: "A store keeps a strategy by its name, without its options: pass the strategy itself as you did at first, make it known with registerStrategy, or name another one.",
    details: { option: "strategy", value: strategy, session: id },
  });
}

async function openPorts(options: VarveOptions): Promise<SessionPorts> {
  checkOptions(options);
  const { now = Date.now, onWarning: warn = (warning) => process.emitWarning(warning) } = options;
  if (typeof now !== "function")
    throw invalidOption({ option: "now", value: now, allowed: "a clock, such as Date.now" });
  const snapshots = resolveSnapshots(options.snapshots);
  return { store: await openStore(checkStore(options.store), { warn }), now, warn, snapshots };
}

async function goOn(known: OpenSession, options: SessionOptions | undefined): Promise<Session> {
  if (options === undefined) return known.session;
  checkSessionOptions(options);
  const session = await known.session;
  if (differs(options, known.options)) session.configure(withStrategySettings(options));
  known.options = options;
  return session;
}

const differs = (options: SessionOptions, before: SessionOptions): boolean =>
  Object.entries(options).some(([name, value]) => value !== before[name as keyof SessionOptions]);
