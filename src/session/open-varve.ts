import { randomUUID } from "node:crypto";
import type { Embedder } from "../embed/embedder.js";
import { invalidOption, VarveError } from "../errors.js";
import { checkEmbedders } from "../memory/checked-embedder.js";
import type { EmbedOptions, EmbedProgress } from "../memory/embedding.js";
import { type MemoryOptions, type OpenMemories, openMemories } from "../memory/open-memory.js";
import type { ScopedMemory } from "../memory/scoped-memory.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { sameValue } from "../message/plain-value.js";
import { checkModel } from "../model/check-options.js";
import type { LanguageModel } from "../model/language-model.js";
import type { Summariser } from "../notes/summariser.js";
import { checkSummariser } from "../notes/summariser.js";
import { removeSnapshots } from "../store/drivers/snapshot-files.js";
import { openStore } from "../store/open-store.js";
import { checkedList } from "../store/plain-store.js";
import type { ListOptions, Removed, SessionPage, Store } from "../store/store.js";
import { DEFAULT_STRATEGY } from "../view/strategies/default-strategy.js";
import { strategyFactory, strategyNames, unknownStrategy } from "../view/strategies/registry.js";
import { startLearning } from "./background-learning.js";
import { type BackgroundSummaries, startSummaries } from "./background-summaries.js";
import { checkSessionId, checkSessionOptions, checkStore } from "./check-options.js";
import { OPTIONS } from "./document-names.js";
import { type Emit, Listeners, type VarveEvents, type VarveListener } from "./events.js";
import { checkExportOptions, type ExportOptions, exportSessions } from "./export.js";
import { type Fork, forkSession } from "./fork.js";
import { type ImportOptions, type ImportReport, importSessions } from "./import.js";
import { Forgetting } from "./memory/forgetting.js";
import { type PruneOptions, type PruneReport, pruneSessions } from "./prune.js";
import { Session } from "./session.js";
import type { SessionJobs } from "./session-jobs.js";
import type { HeldOptions, SessionOptions } from "./session-options.js";
import type { SessionPorts } from "./session-ports.js";
import { readSummary, type SessionSummary } from "./session-summary.js";
import { resolveSnapshots, type SnapshotOptions } from "./snapshots.js";
import {
  givenOptions,
  mergeOptions,
  notStored,
  storedOptions,
  usableOptions,
  withoutSummaries,
} from "./stored-options.js";
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
  /** Turns memories into vectors; the built-in one unless given. */
  readonly embedder?: Embedder;
  /** Embedders that memories were stored with before, asked too until all have been embedded anew. */
  readonly formerEmbedders?: readonly Embedder[];
  /**
   * Writes the prose of summaries for every session whose strategy shows some and has no summariser of its own. Where the
   * store has a queue the work goes through it: this process does what any of them has put there, and the other way round.
   */
  readonly summariser?: Summariser;
  /** Reads what was said in sessions with memories for facts that the rules do not find; none unless given. */
  readonly memoryModel?: LanguageModel;
  /**
   * Told of what was mended or refused, such as a damaged snapshot, from the opening of the store on;
   * `process.emitWarning` unless given.
   */
  readonly onWarning?: (warning: VarveError) => void;
}

/** An open store with its sessions. */
export interface Varve {
  /**
   * Opens a session, or goes on with it. One id is one session: asked for again, it is the same object, and options
   * that differ from those before are taken over as by `session.configure`. An open session, and one that the store
   * holds, needs no options: it goes on with those it had, and those given are laid over them. A strategy is kept by
   * its name and what it was made with; what cannot be stored, such as a summariser, is named to `onWarning`.
   */
  session(id: string, options?: SessionOptions): Promise<Session>;
  /** The sessions in the store, page by page. */
  sessions(options?: ListOptions): Promise<SessionPage>;
  /** What a session's documents tell without opening it; undefined where there is none. */
  describe(sessionId: string): Promise<SessionSummary | undefined>;
  /** Copies a session with all its branches and checkpoints under another id; from there both go their own ways. */
  fork(sessionId: string, to: string): Promise<Fork>;
  /** Removes every trace of a session, and says what there was; undefined where there was none. */
  delete(sessionId: string): Promise<Removed | undefined>;
  /** Removes the sessions that are too old, or too much, and says which. Those open here stay. */
  prune(options: PruneOptions): Promise<PruneReport>;
  /** Sessions as lines of JSON, each with its line break: everything that another store needs to go on with them. */
  export(options?: ExportOptions): AsyncGenerator<string>;
  /** Takes in what `export` wrote, from this store or another, as lines or in pieces of any size. */
  import(text: AsyncIterable<string | Uint8Array> | Iterable<string>, options?: ImportOptions): Promise<ImportReport>;
  /** The memories of a scope, kept in the same store as the sessions. */
  memory(options: MemoryOptions): ScopedMemory;
  /** Gives all memories of the store vectors of the embedder in use, after a change of it. Searches go on meanwhile. */
  embed(options?: EmbedOptions): Promise<EmbedProgress>;
  /**
   * Tells of what happens in all sessions that this varve has open, at once and in the order in which it was added, until
   * the function that it returns is called. Nothing waits for a listener; one that fails is a warning.
   *
   * @example
   * ```ts
   * const off = varve.on("compaction", ({ session, before, after }) => console.log(session, before, after));
   * off();
   * ```
   */
  on<Name extends keyof VarveEvents>(event: Name, listener: VarveListener<Name>): () => void;
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
  return (await new OpenVarve(await openPorts(options), options).start()).face();
}

interface OpenSession {
  options: SessionOptions;
  /** A promise from the start, so that two calls at once get one session. */
  readonly session: Promise<Session>;
}

/** What comes of opening: what sessions need, and who listens to them. */
interface VarvePorts extends SessionPorts {
  readonly warn: (warning: VarveError, session?: string) => void;
  readonly listeners: Listeners;
}

class OpenVarve {
  readonly #ports: VarvePorts;
  readonly #open = new Map<string, OpenSession>();
  readonly #memories: OpenMemories;
  /** Started with the first session that learns; undefined where each session does it by itself. */
  #learning: Promise<SessionJobs | undefined> | undefined;
  /** Undefined where each process makes its own summaries. */
  #summaries: BackgroundSummaries | undefined;
  #closed = false;

  constructor(ports: VarvePorts, { embedder, formerEmbedders }: VarveOptions) {
    this.#ports = ports;
    const { store, snapshots } = ports;
    const forgetting = new Forgetting({ store, snapshots, open: () => this.#opened() });
    this.#memories = openMemories({
      ...ports,
      newId: () => randomUUID(),
      embedder,
      formerEmbedders,
      redactions: (entries, of) => forgetting.redactions(entries, of),
      retellings: (entries, of) => forgetting.retellings(entries, of),
      carriers: (of) => forgetting.carriers(of),
      forgotten: (gone) => forgetting.forgotten(gone),
    });
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
      sessions: (options) => whileOpen(() => store.sessions(checkedList(options ?? {}))),
      describe: (id) => whileOpen(() => readSummary(store, id)),
      fork: (id, to) => whileOpen(() => forkSession(id, to, { store, now, settle: () => this.#settle() })),
      delete: (id) => whileOpen(() => this.#delete(id)),
      prune: (options) => whileOpen(() => this.#prune(options)),
      export: (options) => exportSessions(checkExportOptions(options), { store, now, settle: () => this.#settle() }),
      import: (text, options) => whileOpen(() => importSessions(text, options ?? {}, { store, close })),
      memory: (options) => {
        this.#check();
        return this.#memories.of(options);
      },
      embed: (options) => whileOpen(() => this.#memories.embed(options)),
      on: (event, listener) => {
        this.#check();
        return this.#ports.listeners.on(event, listener);
      },
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

  /** Does summaries for all who use the store, where it has a queue and there is the means. */
  async start(): Promise<this> {
    const { store, warn, summariser } = this.#ports;
    if (summariser === undefined) return this;
    const open = (id: string) => this.#openApart(id);
    this.#summaries = await startSummaries({ store, summariser, warn, open });
    return this;
  }

  /** A session of its own for work in the background; undefined where the store has none. */
  async #openApart(id: string): Promise<Session | undefined> {
    const before = await this.#leftWith(id);
    if (before === undefined) return undefined;
    const { snapshots: _snapshots, ...ports } = this.#portsOf(id);
    // The job makes the summary: the session must not begin one of its own when it takes in what others append.
    return new Session(id, this.#checked(id, before), { ...ports, onSummaryDue: () => undefined }).load();
  }

  /** Options that are given are laid over those that the session was left with. */
  async #load(id: string, options: SessionOptions, onEnded: () => void): Promise<Session> {
    const given = defined(withStrategySettings(options));
    const before = await this.#leftWith(id);
    if (isUnknown(given.strategy) && given.strategy !== before?.strategy) throw unknownStrategy(given.strategy);
    const merged = this.#checked(
      id,
      before === undefined ? { strategy: DEFAULT_STRATEGY, ...given } : mergeOptions(before, given),
    );
    const { warn, summariser, ...ports } = this.#portsOf(id);
    const lost = notStored(id, merged, summariser !== undefined);
    if (lost !== undefined) warn(lost);
    const summaries = this.#summaries;
    const onSummaryDue = summaries && (() => summaries.due(id));
    const learnLater = await this.#learnLater(id, merged);
    const unused = summariser && withoutSummaries(id, merged);
    if (unused !== undefined) warn(unused);
    return new Session(id, merged, { ...ports, warn, summariser, onEnded, onSummaryDue, learnLater }).load();
  }

  /** What a session needs, with warnings that name it. */
  #portsOf(id: string): SessionPorts {
    const { warn, ...ports } = this.#ports;
    return { ...ports, memory: this.#memories.of, warn: (warning) => warn(warning, id) };
  }

  /** How a session's turns get to those that learn from them, where the store has a queue. */
  async #learnLater(id: string, { memory }: SessionOptions): Promise<(() => Promise<void>) | undefined> {
    if (memory === undefined || memory.learn === false) return undefined;
    const { store, warn } = this.#ports;
    this.#learning ??= startLearning({ store, warn, open: (each) => this.#openApart(each) });
    const learning = await this.#learning;
    return learning && (() => learning.due(id));
  }

  /** The sessions that are open, but for those that cannot be opened. */
  async #opened(): Promise<Map<string, Session>> {
    const opened = new Map<string, Session>();
    for (const [id, { session }] of this.#open) {
      const found = await session.catch(() => undefined);
      if (found !== undefined) opened.set(id, found);
    }
    return opened;
  }

  #checked(id: string, options: HeldOptions): HeldOptions {
    checkKnown(id, options);
    return usableOptions(options, this.#portsOf(id).warn);
  }

  /** The options that a session was left with, where the store has it. */
  async #leftWith(id: string): Promise<HeldOptions | undefined> {
    const stored = await this.#ports.store.read(id, { from: Number.POSITIVE_INFINITY, documents: [OPTIONS] });
    const text = stored?.documents.get(OPTIONS);
    return text === undefined ? undefined : storedOptions(JSON.parse(text));
  }

  async #optionsOf(id: string): Promise<SessionOptions> {
    const options = await this.#leftWith(id);
    if (options !== undefined) return givenOptions(options);
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
    const learning = this.#learning?.then((started) => started?.close());
    const outcomes = await Promise.allSettled([...closing, this.#summaries?.close(), learning]);
    await this.#memories.settled();
    await this.#ports.store.close();
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /** Resolves when everything said to the open sessions is durable. */
  async #settle(): Promise<void> {
    for (const session of (await this.#opened()).values()) await session.flush();
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

const isUnknown = (strategy: SessionOptions["strategy"]): strategy is string =>
  typeof strategy === "string" && strategyFactory(strategy) === undefined;

/** A strategy that only the process before knew cannot be gone on with. */
function checkKnown(id: string, { strategy }: SessionOptions): void {
  if (!isUnknown(strategy)) return;
  throw new VarveError({
    code: "invalid-option",
    message: `There is no strategy "${strategy}" for the session "${id}".`,
    hint: `A store keeps a strategy of your own by its name: pass the strategy itself as you did at first, make it known with registerStrategy, or name one of ${strategyNames()}.`,
    details: { option: "strategy", value: strategy, session: id },
  });
}

const OPTIONS_OF_VARVE: OptionNames<VarveOptions> = {
  store: true,
  now: true,
  snapshots: true,
  embedder: true,
  formerEmbedders: true,
  summariser: true,
  memoryModel: true,
  onWarning: true,
};

async function openPorts(options: VarveOptions): Promise<VarvePorts> {
  checkNames(options, OPTIONS_OF_VARVE, "openVarve");
  const { now = Date.now, onWarning = (warning) => process.emitWarning(warning) } = options;
  if (typeof now !== "function")
    throw invalidOption({ option: "now", value: now, allowed: "a clock, such as Date.now" });
  if (typeof onWarning !== "function")
    throw invalidOption({ option: "onWarning", value: onWarning, allowed: "a function that takes a warning" });
  const listeners = new Listeners(onWarning);
  const emit: Emit = (name, event) => listeners.emit(name, event);
  const warn: VarvePorts["warn"] = (warning, session = sessionIn(warning)) => {
    onWarning(warning);
    emit("warning", { session, warning });
  };
  const snapshots = resolveSnapshots(options.snapshots);
  const summariser = options.summariser === undefined ? undefined : checkSummariser(options.summariser);
  const memoryModel = options.memoryModel === undefined ? undefined : checkModel("memoryModel", options.memoryModel);
  checkEmbedders(options);
  const store = await openStore(checkStore(options), { warn });
  return { store, now, warn, emit, listeners, snapshots, summariser, memoryModel };
}

const sessionIn = ({ details: { session } }: VarveError): string | undefined =>
  typeof session === "string" ? session : undefined;

async function goOn(known: OpenSession, options: SessionOptions | undefined): Promise<Session> {
  if (options === undefined) return known.session;
  checkSessionOptions(options);
  const session = await known.session;
  if (differs(options, known.options)) session.configure(withStrategySettings(options));
  known.options = options;
  return session;
}

/** Objects are compared as such, but for what is plain data. */
const differs = ({ memory, ...options }: SessionOptions, before: SessionOptions): boolean =>
  Object.entries(options).some(([name, value]) => value !== before[name as keyof SessionOptions]) ||
  (memory !== undefined && !sameValue(memory, before.memory));
