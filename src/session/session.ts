import type { ContextDocument } from "../compaction/context-document.js";
import { invalidOption, type VarveError } from "../errors.js";
import type { ConfirmReceipt } from "../memory/heeding.js";
import type { Entry } from "../message/entry.js";
import { type PackedMessage, packMessage } from "../message/packed-message.js";
import type { AnyTool, Message, ToolDefinition } from "../message/types.js";
import type { EntryScore } from "../notes/importance.js";
import type { Summariser } from "../notes/summariser.js";
import { branchOf, entriesBehind, positionOf } from "../store/branch.js";
import { checkViewRequest } from "../view/check-request.js";
import { isCompaction, type Receipt } from "../view/receipt.js";
import type { View, ViewRequest } from "../view/view.js";
import { checkAppendOptions, checkCompact, checkSessionOptions, checkUsage } from "./check-options.js";
import type { Checkpoint, CheckpointDiff } from "./checkpoint.js";
import { SessionCheckpoints } from "./checkpoints.js";
import { Commits } from "./commits.js";
import { Engine, type ViewOptions } from "./engine.js";
import type { ExpandOptions, Expansion } from "./expand.js";
import { Looking } from "./looking.js";
import { SessionMemory } from "./memory/session-memory.js";
import type { Pin, PinOptions, PinOutcome } from "./pin.js";
import { SavedViews } from "./saved-views.js";
import type { SearchHit } from "./search.js";
import {
  pinWriter,
  readPins,
  readState,
  unpinWriter,
  writeCalibration,
  writeOptions,
  writePins,
} from "./session-documents.js";
import { closedSession, deletedSession, notFound, nothingRemoved } from "./session-errors.js";
import type { SessionNotes } from "./session-notes.js";
import type { AppendOptions, CompactOptions, HeldOptions, SessionOptions, SessionStatus } from "./session-options.js";
import type { SessionPorts } from "./session-ports.js";
import { statusOf } from "./session-status.js";
import { type Recall, Snapshots } from "./snapshots.js";
import { type Documents, type Missed, StoredLog } from "./stored-log.js";
import { Summaries } from "./summaries.js";
import { takeOver } from "./take-over.js";
import type { TrackedChange } from "./tracked-change.js";
import { Tracking } from "./tracking.js";
import type { ViewAccount } from "./view-account.js";
import { type HandedOut, Viewing } from "./viewing.js";

/**
 * One conversation: messages go in, views come out. The log keeps everything; a view shows what fits.
 *
 * Several processes may have the same session open. What one of them appends, the others take in before they append or
 * view themselves; where two reduce the view at once, one wins and the other goes on from there.
 *
 * @example
 * ```ts
 * const session = await varve.session("user:agent:1", { window: 128_000 });
 * await session.append(fromOpenAI(messages));
 * const view = await session.view({ system: "You are a helpful agent.", tools });
 * ```
 */
export class Session {
  readonly id: string;
  readonly #ports: SessionPorts;
  readonly #engine: Engine;
  readonly #stored: StoredLog;
  readonly #commits: Commits;
  readonly #views: SavedViews;
  readonly #checkpoints: SessionCheckpoints;
  readonly #tracking: Tracking;
  readonly #snapshots: Snapshots | undefined;
  readonly #memory: SessionMemory;
  readonly #looking: Looking;
  readonly #making: Viewing;
  readonly #summaries: Summaries;
  #recalled: Recall | undefined;
  #viewing: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(id: string, options: HeldOptions, ports: SessionPorts) {
    this.id = id;
    this.#ports = ports;
    const withMemories = (view: View, { dry = false }: ViewOptions) => this.#memory.into(view, { choose: !dry });
    const onSummary: Summaries["told"] = (summary, isTaken) => this.#summaries.told(summary, isTaken);
    this.#engine = new Engine(options, { ...ports, withMemories, onSummary });
    const onGone = (gone: VarveError) => this.#endWith(gone);
    this.#stored = new StoredLog(id, { ...ports, onGone, onMissed: (missed) => this.#takeIn(missed) });
    const onWritten = () => readPins(this.#stored, this.#engine);
    this.#commits = new Commits({ stored: this.#stored, onWritten, warn: ports.warn });
    this.#looking = new Looking({ id, engine: this.#engine, stored: this.#stored });
    this.#views = new SavedViews(this.#stored, this.#engine);
    this.#checkpoints = new SessionCheckpoints({ stored: this.#stored, engine: this.#engine, now: ports.now });
    const expected = (name: string) => this.#commits.expected(name);
    const parts = { ...ports, id, engine: this.#engine, commits: this.#commits };
    this.#memory = new SessionMemory({ ...parts, onFacts: () => this.#show() });
    this.#tracking = new Tracking({ ...parts, stored: this.#stored, expected, facts: () => this.#memory.facts() });
    const inTurn = <T>(work: () => Promise<T>) => this.#inTurn(work);
    const making = { ...parts, views: this.#views, refresh: () => this.refresh() };
    this.#summaries = new Summaries({ ...making, inTurn });
    this.#making = new Viewing({ ...making, tracking: this.#tracking });
    const { snapshots: settings } = ports;
    this.#snapshots = settings && new Snapshots({ sessionId: id, engine: this.#engine, ...ports, settings });
  }

  /** Takes in what the store already holds. */
  async load(): Promise<this> {
    const missed = await this.#stored.load();
    if (missed !== undefined) {
      this.#engine.load(branchOf(this.#stored.entries, missed.head));
      readState(this.#stored, this.#engine, missed.documents);
      await this.#views.resume();
    }
    this.#commits.defer((documents) => writeOptions(documents, this.#engine.options));
    if (missed === undefined) await this.#takeOver();
    this.#snapshots?.recalled();
    this.#memory.start();
    return this;
  }

  async #takeOver(): Promise<void> {
    const adopt = (document: ContextDocument) => this.#commits.defer(this.#tracking.adopt(document));
    const append = (messages: readonly Message[], options: AppendOptions) => this.append(messages, options);
    const { store } = this.#ports;
    this.#recalled = await takeOver({ id: this.id, store, snapshots: this.#snapshots, adopt, append });
  }

  /** The snapshot that the session went on from; undefined where its store had it, or there was none. */
  get recalled(): Recall | undefined {
    return this.#recalled;
  }

  /**
   * Adds messages to the log. They are durable when it resolves; changing them afterwards has no effect. Appends that
   * overlap are carried out one after the other, in the order of their calls. One with a key that is known adds nothing;
   * where its messages are others than those before, it is an error.
   */
  append(messages: Message | readonly Message[], options: AppendOptions = {}): Promise<readonly Entry[]> {
    const list: readonly Message[] = Array.isArray(messages) ? messages : [messages as Message];
    let packed: readonly PackedMessage[];
    try {
      checkAppendOptions(options);
      packed = list.map(packMessage);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#commits.inOrder(() => this.#append(packed, options.key));
  }

  async #append(messages: readonly PackedMessage[], key: string | undefined): Promise<readonly Entry[]> {
    const { entries, repeated } = await this.#commits.commit({
      messages,
      key,
      write: (documents, head) => {
        this.#views.sweeping(documents, () => this.#checkpoints.writeDue(documents, head, messages.length));
        this.#engine.accounts.write(documents);
      },
    });
    if (!repeated) this.#engine.append(entries);
    this.#show();
    this.#snapshots?.follow();
    this.#memory.appended();
    return entries;
  }

  /** What to send to the model now. Reduces where the window demands it, and says so in the receipt. */
  async view<Tool extends AnyTool = ToolDefinition>(request: ViewRequest<Tool> = {}): Promise<View<Tool>> {
    return (await this.#view(checkViewRequest(request), {})).view as View<Tool>;
  }

  /**
   * Reduces the view now, down to the target, also where it still fits, and returns the receipt. Where nothing can be
   * left out that is an error, not a success. What the request does not name is that of this process's latest view.
   */
  async compact(options: CompactOptions = {}): Promise<Receipt> {
    const { force, request } = checkCompact(options);
    const { view, overtaken } = await this.#view({ ...this.#engine.request, ...request }, { force });
    const receipt = view.receipt ?? (overtaken ? this.#engine.receipts.at(-1) : undefined);
    if (receipt !== undefined && isCompaction(receipt)) return receipt;
    throw nothingRemoved(this.id, this.#engine);
  }

  /** What `compact` would do: its receipt, without doing it. Undefined where it would do nothing. */
  async explain(request: ViewRequest = {}): Promise<Receipt | undefined> {
    return this.#inTurn(() => this.#engine.explain(checkViewRequest(request)));
  }

  /** How important each entry is, and why; undefined where the strategy does not go by that. */
  scores(): readonly EntryScore[] | undefined {
    return this.#engine.scores();
  }

  /**
   * Brings the prose of the summary up to date now, where the strategy shows one, and makes it durable. No view waits for
   * it. False where there is nothing to summarise.
   */
  summarise(summariser: Summariser, options: { readonly signal?: AbortSignal } = {}): Promise<boolean> {
    return this.#summaries.make(summariser, options);
  }

  /** How a view would stand now, without making one: nothing is written, and later views do not know of it. */
  preview(request: ViewRequest = {}): Promise<ViewAccount> {
    return this.#inTurn(async () => (await this.#engine.make(checkViewRequest(request), { dry: true })).account);
  }

  /** What works on the state of views does so one after the other. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#viewing.then(() => {
      this.#commits.check();
      return work();
    });
    this.#viewing = done.catch(() => undefined);
    return done;
  }

  #view(request: ViewRequest, options: ViewOptions): Promise<HandedOut> {
    return this.#inTurn(() => this.#making.make(request, options));
  }

  /**
   * Takes the latest reduction back, once the views asked for before are made: the next view is the one before it, byte
   * for byte, as long as that fits. A cut that the window demanded is refused with `undo-refused`.
   */
  undo(): Promise<Receipt> {
    return this.#inTurn(async () => {
      const step = this.#engine.undo();
      this.#commits.note(this.#views.undone(step));
      this.#commits.note((documents) => this.#engine.accounts.write(documents));
      return step.receipt;
    });
  }

  /** The original text of an entry, or of a range of them as notes name it, in pages; all pages together are the whole. */
  expand(id: string, options: ExpandOptions = {}): Expansion {
    return this.#looking.expand(id, options);
  }

  /** The whole session as Markdown, by the notes that views show of the past: to hand it over to somebody else. */
  notes(options: { readonly maxTokens?: number } = {}): SessionNotes {
    return this.#looking.notes(options);
  }

  /** Finds in everything ever said on this branch, best match first. */
  search(query: string, options: { readonly limit?: number } = {}): SearchHit[] {
    return this.#looking.search(query, options);
  }

  /**
   * Takes in what the provider counted for the latest view. Once a few reports agree, later views are counted with the
   * correction; a counter of your own is left alone.
   */
  reportUsage(usage: { readonly inputTokens: number; readonly outputTokens?: number }): void {
    checkUsage(usage);
    this.#commits.check();
    this.#restartingWith(() => this.#engine.reportUsage(usage));
    this.#commits.defer(this.#tracking.used(usage));
    this.#commits.defer((documents) => writeCalibration(documents, this.#engine));
  }

  /** Goes on with another model, window or strategy. The log stays; the next view is planned anew. */
  configure(options: SessionOptions): void {
    checkSessionOptions(options);
    this.#commits.check();
    this.#restartingWith(() => this.#engine.configure(options));
    this.#commits.note((documents) => {
      this.#engine.accounts.write(documents);
      writeOptions(documents, this.#engine.options);
      writeCalibration(documents, this.#engine);
    });
    if (options.memory !== undefined) this.#memory.start();
  }

  /** Hands the context document to a store that shows it, once there is a session. */
  #show(): void {
    if (this.#stored.version > 0) this.#tracking.show(this.#ports.store);
  }

  /** Views that were started anew have no steps back. */
  #restartingWith(act: () => void): void {
    const { starts } = this.#engine;
    act();
    if (this.#engine.starts !== starts) this.#commits.defer(this.#views.restarted());
  }

  /**
   * Keeps an entry, with its whole exchange, in every view from now on, or until the pin ends. All pins together have a
   * budget: beyond it a pin of the user's is refused with the list of those set, and one of the agent's takes the place
   * of its oldest.
   *
   * @example
   * ```ts
   * session.pin("e12");
   * session.pin("e40", { by: "agent", turns: 3 }).gaveWay; // the agent's pins that had to go
   * ```
   */
  pin(entryId: string, options: PinOptions = {}): PinOutcome {
    this.#commits.check();
    const position = positionOf(this.entries(), entryId);
    if (position < 0) throw notFound(entryId, this.id);
    const outcome = this.#engine.pins.set(position, options);
    this.#commits.note(pinWriter(this.#engine.pins, entryId, outcome));
    return outcome;
  }

  unpin(entryId: string): void {
    this.#commits.check();
    if (!this.#engine.pins.delete(entryId)) throw notFound(entryId, this.id);
    this.#commits.note(unpinWriter(entryId));
  }

  /** What is pinned, oldest pin first. */
  pins(): readonly Pin[] {
    return this.#engine.pins.list();
  }

  /** The log itself, oldest first: the entries of the present branch. */
  entries(): readonly Entry[] {
    return this.#engine.log.entries;
  }

  /** The entries of all branches, by sequence. */
  allEntries(): readonly Entry[] {
    return this.#stored.entries;
  }

  /** The accounts of the latest reductions, oldest first: all of this process's, and some from before. */
  receipts(): readonly Receipt[] {
    return this.#engine.receipts;
  }

  /** The accounts of all reductions that the store holds, oldest first. */
  async allReceipts(): Promise<readonly Receipt[]> {
    await this.flush();
    return this.#views.receipts();
  }

  /**
   * Gives the present head and state a name to come back to.
   *
   * @example
   * ```ts
   * const { id } = await session.checkpoint("before the refactor");
   * await session.restore(id);
   * ```
   */
  async checkpoint(name?: string): Promise<Checkpoint> {
    this.#checkpoints.checkName(name);
    await this.#commits.inOrder(() =>
      this.#commits.commit({ write: (documents, head) => this.#checkpoints.write(documents, { head, name }) }),
    );
    return this.#checkpoints.list().at(-1)!;
  }

  /** Oldest first. */
  checkpoints(): readonly Checkpoint[] {
    return this.#checkpoints.list();
  }

  /** Moves the head back to a checkpoint, by id or name. What came after it stays in the log, on a branch of its own. */
  restore(checkpoint: string): Promise<Checkpoint> {
    return this.#inTurn(() => this.#restore(checkpoint));
  }

  async #restore(checkpoint: string): Promise<Checkpoint> {
    await this.refresh();
    const found = this.#checkpoints.find(checkpoint);
    await this.#commits.inOrder(async () => {
      const head = this.#checkpoints.headOf(found);
      const write = (documents: Documents) => this.#views.pointTo(documents, { ...found, head });
      await this.#commits.commit({ head, write });
      this.#engine.switchTo(branchOf(this.#stored.entries, head));
      this.#checkpoints.restorePins(found);
      await this.#views.resume();
    });
    this.#commits.note((documents) => {
      writePins(documents, this.#engine.pins);
      this.#engine.accounts.write(documents);
    });
    return found;
  }

  /** What lies between a checkpoint and the present head, or another checkpoint. */
  diff(checkpoint: string, other?: string): CheckpointDiff {
    return this.#checkpoints.diff(checkpoint, other);
  }

  /** Removes a checkpoint; no entry goes with it. */
  async deleteCheckpoint(checkpoint: string): Promise<Checkpoint> {
    const found = this.#checkpoints.find(checkpoint);
    const write = (documents: Documents) =>
      this.#views.sweeping(documents, () => this.#checkpoints.writeDeleted(documents, found));
    await this.#commits.inOrder(() => this.#commits.commit({ write }));
    return found;
  }

  /**
   * What is known of the session as a document: facts, tasks, tool statistics, environment and token usage. Statistics
   * come from the messages, the rest from `track`.
   */
  context(): ContextDocument {
    return this.#tracking.document();
  }

  /** Notes facts, tasks, the system's state or its environment. */
  track(change: TrackedChange): void {
    const write = this.#tracking.change(change);
    this.#commits.check();
    this.#commits.note(write);
  }

  /** Takes in what other processes have done. Appends and views do it themselves. */
  async refresh(): Promise<void> {
    await this.#commits.inOrder(async () => {
      const missed = await this.#stored.refresh();
      if (missed !== undefined) this.#takeIn(missed);
      if (this.#views.isBehind) await this.#views.resume();
    });
  }

  /**
   * Stores what was said in the turns that are complete as memories, now rather than in the background; returns how many
   * texts that were. 0 where the session was opened without memories.
   */
  async learn(): Promise<number> {
    this.#commits.check();
    return this.#memory.learn();
  }

  /** Does what a user message asked of the memory, and waits in `status().requests` for a yes. */
  confirm(request: string): Promise<ConfirmReceipt> {
    return this.#memory.requests.confirm(request);
  }

  /** Lets go of such a request: it is not the user's wish. */
  dismiss(request: string): Promise<void> {
    return this.#memory.requests.dismiss(request);
  }

  /** Shows and tells no more what was in memories that have been forgotten. */
  async forgotten(ids: ReadonlySet<string>): Promise<void> {
    if (!(ids instanceof Set)) throw invalidOption({ option: "ids", value: ids, allowed: "a Set of ids of memories" });
    this.#memory.forget(ids);
    await this.refresh();
  }

  /** Resolves when everything said to the session so far is durable, pins, facts and memories included. */
  async flush(): Promise<void> {
    await this.#memory.settled();
    await this.written();
  }

  /** The same without waiting for memories. */
  written(): Promise<void> {
    const write = (documents: Documents) => this.#engine.accounts.write(documents);
    return this.#commits.inOrder(() => this.#commits.writePending(write).then(() => this.#tracking.shown()));
  }

  /** Makes everything durable, a last snapshot included. The session refuses whatever is asked of it afterwards. */
  async close(): Promise<void> {
    if (this.#ended) return;
    await this.flush();
    this.#snapshots?.finish();
    this.#endWith(closedSession(this.id));
  }

  /** Waits for what is under way, and refuses everything after it: the session is going to be deleted. */
  async end(): Promise<void> {
    await this.#memory.settled();
    await this.#tracking.shown().catch(() => undefined);
    await this.#commits.endInOrder(deletedSession(this.id));
  }

  #endWith(reason: VarveError): void {
    this.#ended = true;
    this.#commits.end(reason);
    this.#ports.onEnded?.();
  }

  status(): SessionStatus {
    const { failure: summariser } = this.#summaries;
    return statusOf(this.id, this.#engine, { requests: this.#memory.requests.list(), summariser });
  }

  /** Entries that others have appended go into the log; where they moved the head elsewhere, that branch is taken up. */
  #takeIn({ head, documents, redacted }: Missed): void {
    const { starts } = this.#engine;
    const before = this.entries().at(-1)?.sequence ?? -1;
    const behind = entriesBehind(this.#stored.entries, before, head);
    if (behind === undefined || redacted) this.#engine.switchTo(branchOf(this.#stored.entries, head));
    else if (behind.length > 0) this.#engine.append(behind);
    if (documents.size > 0) readState(this.#stored, this.#engine, documents);
    if (this.#engine.starts !== starts) this.#views.lose();
    if (redacted) this.#forgetTexts();
  }

  /** Lets go of what was made of texts that have been taken out of the log. */
  #forgetTexts(): void {
    this.#tracking.startAnew();
    this.#snapshots?.startAnew();
    this.#memory.start();
    this.#show();
  }
}
