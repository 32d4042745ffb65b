/**
 * A session's turns become memories, behind appends and views. A document says up to which entry that is done, and each
 * memory is named after its entry, so that whoever goes on after a crash stores every text exactly once.
 */
import { VarveError } from "../../errors.js";
import type { MemoryInput } from "../../memory/memory.js";
import type { ScopedMemory } from "../../memory/scoped-memory.js";
import { callsOf } from "../../message/content.js";
import type { Entry } from "../../message/entry.js";
import type { Scope } from "../../store/memories/memories.js";
import type { Commits } from "../commits.js";
import { type Lessons, lessonsOf, type ShownMemory } from "./lessons.js";
import { LEARNT, type Learnt, learntIn, learntOf, learntTo, type WaitingRequest } from "./memory-documents.js";
import type { SessionMemorySettings } from "./memory-options.js";
import type { Recall } from "./recall.js";
import { idsIn, resultsIn } from "./said.js";

export interface LearningInput {
  readonly session: string;
  /** The memories of a scope; those of the session's own unless given. */
  readonly memory: (scope?: Scope) => ScopedMemory;
  readonly settings: () => SessionMemorySettings | undefined;
  /** The entries of the present branch. */
  readonly entries: () => readonly Entry[];
  readonly commits: Commits;
  readonly recall: Recall;
  readonly warn: (warning: VarveError) => void;
  /** Puts the work where any process may do it; it is done here unless given. */
  readonly later?: (() => Promise<void>) | undefined;
  /** Adds what a model finds in memories that were stored; returns the ids of those that it ends. */
  readonly extract?: ((ids: readonly string[], memory: ScopedMemory) => Promise<readonly string[]>) | undefined;
  /** Told which memories were stored or changed. */
  readonly onLearnt: (ids: ReadonlySet<string>, memory: ScopedMemory) => Promise<void>;
}

/** Entries that are stored at a time. */
const BATCH = 200;

export class Learning {
  readonly #input: LearningInput;
  #latest: Promise<unknown> = Promise.resolve();
  #waiting = false;

  constructor(input: LearningInput) {
    this.#input = input;
  }

  /** Learns from the turns that are complete, once what is under way is done. Nobody waits for it. */
  schedule(): void {
    if (this.#waiting || !this.#isDue) return;
    this.#waiting = true;
    this.#latest = this.#latest
      .then(() => new Promise((resolve) => setImmediate(resolve)))
      .then(() => this.#begin())
      .catch((error: unknown) => this.#input.warn(notLearnt(this.#input.session, error)));
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#latest;
  }

  /** Learns now; returns how many texts were stored. */
  async learn(): Promise<number> {
    await this.#latest;
    let stored = 0;
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) stored += await this.#take(batch);
    return stored;
  }

  /** The scope that what an entry says belongs to, where it is not that of now. */
  scopeOf(sequence: number): Scope | undefined {
    return this.#partOf({ sequence })?.scope;
  }

  async #begin(): Promise<void> {
    this.#waiting = false;
    const { later } = this.#input;
    if (later !== undefined) return later();
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) await this.#take(batch);
  }

  get #isDue(): boolean {
    return this.#input.settings()?.learn === true && this.#next().length > 0;
  }

  /** The next entries of complete turns that have not been learnt from, as far as they belong to one scope. */
  #next(): readonly Entry[] {
    const entries = this.#input.entries();
    const { sequence: after } = this.#learnt;
    let end = entries.length;
    while (end > 0 && entries[end - 1]!.sequence > after && !endsTurn(entries[end - 1]!)) end--;
    let start = end;
    while (start > 0 && entries[start - 1]!.sequence > after) start--;
    const next = entries.slice(start, Math.min(end, start + BATCH));
    const to = next[0] === undefined ? undefined : this.#partOf(next[0])?.to;
    return to === undefined ? next : next.filter(({ sequence }) => sequence <= to);
  }

  /** The part of another scope that an entry belongs to. */
  #partOf({ sequence }: Pick<Entry, "sequence">) {
    return this.#learnt.left?.find(({ to }) => sequence <= to);
  }

  get #learnt(): Learnt {
    return learntOf(this.#input.commits.expected(LEARNT));
  }

  async #take(batch: readonly Entry[]): Promise<number> {
    const { onLearnt, recall, extract, warn, session } = this.#input;
    const memory = this.#input.memory(this.#partOf(batch[0]!)?.scope);
    const { texts: lessons, ...noted } = await this.#lessons(batch, memory);
    const { texts, forgotten, ended, asked } = await memory.observe(await this.#unknown(lessons, memory), noted);
    const ids = lessons.map(({ id = "" }) => id);
    const superseded = [...ended, ...((await extract?.(ids, memory)) ?? [])];
    for (const receipt of texts) superseded.push(...receipt.superseded.map(({ id }) => id));
    const requests = asked.flatMap(({ entries = [], number, text }) =>
      entries.map(({ sequence }) => ({ id: `e${sequence}.${number}`, text })),
    );
    this.#note(batch.at(-1)!.sequence, requests);
    // A request to forget must not be heeded a second time: what it meant may have been said again since.
    if (forgotten.length + ended.length > 0) await this.#write();
    if (requests.length > 0) warn(notDone(session, requests));
    recall.settle(batch.at(-1)!.sequence);
    await onLearnt(new Set([...texts.map(({ id }) => id), ...superseded]), memory);
    return texts.filter(({ status }) => status === "stored").length;
  }

  /** Written with the next commit. */
  #note(sequence: number, requests: readonly WaitingRequest[]): void {
    this.#input.commits.defer((documents) => {
      const learnt = documents.get(LEARNT);
      if (sequence > learntIn(learnt)) documents.set(LEARNT, learntTo(learnt, sequence, requests));
    });
  }

  #write(): Promise<void> {
    const { commits } = this.#input;
    return commits.inOrder(() => commits.writePending());
  }

  async #lessons(batch: readonly Entry[], memory: ScopedMemory): Promise<Lessons> {
    const { session, settings, recall } = this.#input;
    const request = this.#requestOf(batch[0]!);
    const turns = [...(request === undefined ? [] : [request]), ...batch.filter(({ role }) => role === "user")];
    const recalled = new Map<string, readonly ShownMemory[]>();
    for (const { id } of turns) recalled.set(id, await recall.shownIn(id, memory));
    const found = await this.#found(batch, memory);
    return lessonsOf(batch, { session, tools: settings()?.tools ?? false, request: request?.id, recalled, found });
  }

  /** The memories that the results of its own tools name, by entry. */
  async #found(batch: readonly Entry[], memory: ScopedMemory): Promise<Map<string, readonly ShownMemory[]>> {
    const found = new Map<string, readonly ShownMemory[]>();
    const calls = new Map(
      batch.flatMap(({ message }) => callsOf(message)).map((call) => [call.toolCallId, call.toolName]),
    );
    const nameOf = (id: string): string => calls.get(id) ?? "";
    for (const { id, role, message } of batch) {
      const ids = role === "tool" ? idsIn(resultsIn(message, { own: true, nameOf })) : [];
      if (ids.length > 0) found.set(id, await memory.getMany(ids));
    }
    return found;
  }

  /** The user message before an entry. */
  #requestOf({ sequence }: Entry): Entry | undefined {
    return this.#input.entries().findLast((entry) => entry.sequence < sequence && entry.role === "user");
  }

  /** Those that are not there: what was stored before a crash, or changed since, stays as it is. */
  async #unknown(lessons: readonly MemoryInput[], memory: ScopedMemory): Promise<MemoryInput[]> {
    const named = await Promise.all(lessons.map((lesson) => this.#unnamed(lesson, memory)));
    return named.filter((lesson) => lesson !== undefined);
  }

  /** Undefined where the memory is there. One of an earlier session under the same id keeps its name, and stays. */
  async #unnamed(lesson: MemoryInput, memory: ScopedMemory): Promise<MemoryInput | undefined> {
    const begun = this.#input.entries()[0]?.time ?? 0;
    const [there] = await memory.getMany([lesson.id ?? ""]);
    if (there === undefined) return lesson;
    if (Date.parse(there.storedAt) >= begun) return undefined;
    const id = `${lesson.id}@${begun.toString(36)}`;
    return (await memory.getMany([id])).length === 0 ? { ...lesson, id } : undefined;
  }
}

/** Whether the agent has said its last word of a turn. */
const endsTurn = ({ role, blank, message }: Entry): boolean =>
  role === "assistant" && !blank && callsOf(message).length === 0;

const notDone = (session: string, requests: readonly WaitingRequest[]): VarveError => {
  const words = requests.map(({ text }) => JSON.stringify(text)).join(", ");
  const first = JSON.stringify(requests[0]?.id);
  return new VarveError({
    code: "memory-request",
    message: `Something in the session "${session}" asks the memory: ${words}. It was not done.`,
    hint: `Is it the user's wish? Then call session.confirm(${first}), or type /confirm in a chat; else session.dismiss, or /dismiss.`,
    details: { session, asked: requests.map(({ text }) => text), requests: requests.map(({ id }) => id) },
  });
};

const notLearnt = (session: string, cause: unknown): VarveError =>
  new VarveError({
    code: VarveError.isInstance(cause) ? cause.code : "store-failed",
    message: `What was said in the session "${session}" could not be stored as memories.`,
    hint: "Nothing is lost: it is tried again after the next turn, or when the session is opened again. See the cause.",
    cause,
    retryable: true,
    details: { session },
  });
