import { VarveError } from "../../errors.js";
import type { MemoryOptions } from "../../memory/open-memory.js";
import type { ScopedMemory } from "../../memory/scoped-memory.js";
import { sameValue } from "../../message/plain-value.js";
import type { LanguageModel } from "../../model/language-model.js";
import type { Scope } from "../../store/memories/memories.js";
import type { View } from "../../view/view.js";
import type { Commits } from "../commits.js";
import type { Engine } from "../engine.js";
import type { ExtractionPorts } from "./extraction.js";
import { KnownFacts } from "./known-facts.js";
import { Learning } from "./learning.js";
import { LEARNT, underScope } from "./memory-documents.js";
import { memorySettings, type SessionMemorySettings } from "./memory-options.js";
import { PendingRequests } from "./pending-requests.js";
import { Recall } from "./recall.js";

/** What a session needs from outside to have memories. */
export interface SessionMemoryPorts {
  /** Opens the memories of a scope. */
  readonly memory?: ((options: MemoryOptions) => ScopedMemory) | undefined;
  /** Puts the learning from a session's turns where any process may do it; each session does it itself unless given. */
  readonly learnLater?: (() => Promise<void>) | undefined;
  /** Reads turns for facts that the rules do not find. */
  readonly memoryModel?: LanguageModel | undefined;
  readonly warn: (warning: VarveError) => void;
}

export interface SessionMemoryInput extends SessionMemoryPorts {
  readonly id: string;
  readonly engine: Engine;
  readonly commits: Commits;
  /** Told when other facts are known. */
  readonly onFacts: () => void;
}

/** The memories of a session: those that its views show, and those that its turns become. */
export class SessionMemory {
  readonly #input: SessionMemoryInput;
  readonly #recall: Recall;
  readonly #learning: Learning;
  /** What user messages asked of the memory, and waits for a yes. */
  readonly requests: PendingRequests;
  #facts = new KnownFacts();
  /** The memories that are open, and for which scope. */
  #open: { readonly scope: string; readonly memory: ScopedMemory } | undefined;
  #loading: Promise<void> = Promise.resolve();

  constructor(input: SessionMemoryInput) {
    const { id: session, engine, commits, warn } = input;
    this.#input = input;
    const memory = (scope?: Scope) => this.#memory(scope);
    const parts = { session, commits, warn, memory, settings: () => this.#settings };
    const entries = () => engine.log.entries;
    const request = () => engine.log.entries[engine.log.requests.at(-1) ?? -1];
    this.#recall = new Recall({ ...parts, entries, request, counter: () => engine.counter });
    const { learnLater: later, memoryModel } = input;
    const extract =
      memoryModel &&
      ((ids: readonly string[], memories: ScopedMemory) => extractWith(ids, memories, { memoryModel, warn }));
    const onLearnt = (ids: ReadonlySet<string>, memories: ScopedMemory) => this.#takeFacts(ids, memories);
    this.#learning = new Learning({ ...parts, entries, recall: this.#recall, later, extract, onLearnt });
    const memoryOf = (sequence: number) => this.#memory(this.#learning.scopeOf(sequence));
    this.requests = new PendingRequests({ session, commits, memory: memoryOf });
  }

  /** Goes on with the options and the memories of now: reads the facts of the scope, and learns from what was left. */
  start(): void {
    if (this.#settings === undefined) return;
    const memory = this.#memory();
    this.#noteScope(memory.scope);
    const facts = new KnownFacts();
    this.#facts = facts;
    this.#recall.startAnew();
    this.#loading = facts.load(memory).then(this.#input.onFacts, this.#input.warn);
    this.#learning.schedule();
  }

  /** A view with the memories that its turn asks for. */
  into(view: View, options: { readonly choose: boolean }): Promise<View> {
    return this.#recall.into(view, options);
  }

  /** Learns from the turns that are complete, behind what the caller is about. */
  appended(): void {
    this.#learning.schedule();
  }

  /** Learns from them now; returns how many texts were stored. */
  async learn(): Promise<number> {
    return this.#settings === undefined ? 0 : this.#learning.learn();
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#learning.settled();
    await this.#loading;
  }

  /** What holds now of all that the memories tell. */
  facts(): readonly string[] {
    return this.#facts.list();
  }

  /** Neither shows nor tells what is in memories that were forgotten. */
  forget(ids: ReadonlySet<string>): void {
    this.#recall.drop(ids);
    this.#facts.drop(ids);
    this.#input.onFacts();
  }

  get #settings(): SessionMemorySettings | undefined {
    const { engine, memory: open } = this.#input;
    const { memory } = engine.options;
    return open && memory && memorySettings(memory);
  }

  /** What has been said so far stays the matter of the scope that it was said under. */
  #noteScope(scope: Scope): void {
    const { commits, engine } = this.#input;
    const head = engine.log.entries.at(-1)?.sequence ?? -1;
    commits.defer((documents) => {
      const learnt = documents.get(LEARNT);
      const next = underScope(learnt, scope, head);
      if (next !== learnt) documents.set(LEARNT, next);
    });
  }

  #memory(scope = this.#settings?.scope): ScopedMemory {
    const { memory: open, id } = this.#input;
    if (scope === undefined || open === undefined) throw noMemories(id);
    const key = JSON.stringify(scope);
    if (this.#open?.scope !== key) this.#open = { scope: key, memory: open({ scope }) };
    return this.#open.memory;
  }

  /** Facts of what was stored, and of what that ended. */
  async #takeFacts(ids: ReadonlySet<string>, memory: ScopedMemory): Promise<void> {
    if (ids.size === 0 || !sameValue(memory.scope, this.#memory().scope)) return;
    const facts = this.#facts;
    for (const each of await memory.getMany([...ids])) facts.take(each);
    this.#input.onFacts();
  }
}

/** What reads for facts with a model is loaded by those who have one. */
async function extractWith(
  ids: readonly string[],
  memory: ScopedMemory,
  ports: ExtractionPorts,
): Promise<readonly string[]> {
  const { extractFacts } = await import("./extraction.js");
  return extractFacts(ids, memory, ports);
}

const noMemories = (session: string): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `The session "${session}" has no memories.`,
    hint: 'Open it with { memory: { scope: { user: "ann" } } } on a store that keeps memories.',
    details: { session },
  });
