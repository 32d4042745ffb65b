import { invalidOption, VarveError } from "../errors.js";
import { type Scope, scopeOf } from "../store/memories/memories.js";
import { type AuditOptions, type AuditPorts, auditMemories, type MemoryAudit } from "./auditing.js";
import { checkContent, checkId } from "./check-input.js";
import { type ForgetReceipt, forgetMemory, forgetScope } from "./forgetting.js";
import { type ObserveReceipt, observeTexts } from "./heeding.js";
import { keyOf } from "./keys.js";
import { historyOf, listMemories, type MemoryList, type MemoryListOptions } from "./listing.js";
import type { EndedValue, Memory, MemoryInput, Retrieved, RetrieveOptions, StoreReceipt } from "./memory.js";
import { exportMemories, type ImportMemoriesOptions, type ImportMemoriesReport, importMemories } from "./moving.js";
import { type RetrievePorts, retrieve } from "./retrieving.js";
import { bodyOf, memoryOf } from "./row.js";
import type { FactAddition } from "./store-plan.js";
import { addFacts, type StorePorts, storeTexts } from "./storing.js";

export type MemoryPorts = StorePorts & RetrievePorts & AuditPorts;

/**
 * The memories of one scope. Everything here is about this scope alone: a reader sees what was stored with the same
 * value in every part of the scope that it names, and no argument or metadata can widen that.
 *
 * @example
 * ```ts
 * const memory = varve.memory({ scope: { user: "ann", project: "atlas" } });
 * await memory.store("Ann prefers metric units", { tags: ["preference"] });
 * const [best] = await memory.retrieve("Which units?", { limit: 5 });
 * ```
 */
export class ScopedMemory {
  readonly scope: Scope;
  readonly #ports: MemoryPorts;

  constructor(scope: Scope, ports: MemoryPorts) {
    this.scope = scope;
    this.#ports = ports;
  }

  /**
   * Stores a text; durable when it resolves. A text that is known already is counted, not stored twice; one that gives an
   * attribute a new value closes the old one. Secrets in it are masked unless allowed.
   */
  async store(content: string, details: Omit<MemoryInput, "content"> = {}): Promise<StoreReceipt> {
    const [receipt] = await storeTexts(this.scope, [{ ...details, content }], this.#ports);
    return receipt!;
  }

  /** Stores many texts in their order: those with a speaker become a conversation, and each other's context. */
  async storeMany(texts: readonly MemoryInput[]): Promise<StoreReceipt[]> {
    if (!Array.isArray(texts))
      throw invalidOption({ option: "texts", value: texts, allowed: "a list of { content, … }" });
    return storeTexts(this.scope, texts, this.#ports);
  }

  /**
   * Takes in what was said in a turn: stores it, and does what the user asks of the memory itself ("forget the old
   * address", "do not save this").
   */
  async observe(texts: readonly MemoryInput[]): Promise<ObserveReceipt> {
    if (!Array.isArray(texts))
      throw invalidOption({ option: "texts", value: texts, allowed: "a list of { content, … }" });
    return observeTexts(this.scope, texts, this.#ports);
  }

  /** The memories that answer a question best, best first, each with the evidence for it. */
  async retrieve(query: string, options: RetrieveOptions = {}): Promise<Retrieved[]> {
    return retrieve(this.scope, { ...options, question: query }, this.#ports);
  }

  /**
   * Adds what else is known from memories to what the rules found in them: further keys to their texts. A new value for an
   * attribute closes the old one.
   */
  async addFacts(additions: readonly FactAddition[]): Promise<readonly EndedValue[]> {
    return additions.length === 0 ? [] : addFacts(this.scope, additions, this.#ports);
  }

  /** One memory; undefined where the scope has none under this id. */
  async get(id: string): Promise<Memory | undefined> {
    const { rows } = await this.#ports.memories.find(this.scope, [keyOf.id(checkId(id))]);
    return rows[0] === undefined ? undefined : memoryOf(rows[0]);
  }

  /** Several memories at once, in the order of the ids, without those that the scope does not have. */
  async getMany(ids: readonly string[]): Promise<Memory[]> {
    if (ids.length === 0) return [];
    const { rows } = await this.#ports.memories.find(
      this.scope,
      ids.map((id) => keyOf.id(checkId(id))),
    );
    const found = new Map(rows.toReversed().map((row) => [bodyOf(row).id, row]));
    return ids.flatMap((id) => (found.has(id) ? [memoryOf(found.get(id)!)] : []));
  }

  /** Gives a memory another text. The one before stays for questions about its time, and in the history. */
  async update(id: string, content: string): Promise<StoreReceipt> {
    checkContent(content);
    const { rows } = await this.#ports.memories.find(this.scope, [keyOf.id(checkId(id))]);
    const [row] = rows;
    if (row === undefined) throw notFound(id);
    if (rows.length > 1) throw ambiguous(id);
    const { source, metadata, entries } = bodyOf(row);
    const { speaker, thread, tags } = row;
    const details = {
      ...(speaker === "" ? {} : { speaker }),
      ...(thread === "" ? {} : { thread }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(entries === undefined ? {} : { entries }),
    };
    const [receipt] = await storeTexts(
      { ...scopeOf(row.scope), tags },
      [{ ...details, id, content, source }],
      this.#ports,
    );
    return receipt!;
  }

  /** Removes a memory with all that was made of it, in the sessions that it came from too, and proves it. */
  async forget(id: string): Promise<ForgetReceipt> {
    return forgetMemory(this.scope, checkId(id), this.#ports);
  }

  /** Removes all memories of the scope, and no other. */
  async forgetAll(): Promise<ForgetReceipt> {
    return forgetScope(this.scope, this.#ports);
  }

  /** The memories of the scope, page by page, in the order in which they were stored. */
  async list(options: MemoryListOptions = {}): Promise<MemoryList> {
    return listMemories(this.#ports.memories, this.scope, { ...options, now: this.#ports.now() });
  }

  /** Every version of a memory, the first one first. */
  async history(id: string): Promise<Memory[]> {
    return historyOf(this.#ports.memories, this.scope, checkId(id));
  }

  /** The memories of the scope as lines of JSON, each with its line break. */
  export(): AsyncGenerator<string> {
    return exportMemories(this.#ports.memories, this.scope);
  }

  /** Takes in what `export` wrote, as memories of this scope. */
  async import(
    lines: AsyncIterable<string | Uint8Array> | Iterable<string>,
    options: ImportMemoriesOptions = {},
  ): Promise<ImportMemoriesReport> {
    return importMemories(this.scope, { ...options, lines }, this.#ports);
  }

  /** Counts what is wrong: duplicates, stale, orphaned, junk, unscoped; and puts right what may be. */
  async audit(options: AuditOptions = {}): Promise<MemoryAudit> {
    return auditMemories(this.scope, options, this.#ports);
  }
}

const notFound = (id: string): VarveError =>
  new VarveError({
    code: "not-found",
    message: `There is no memory ${JSON.stringify(id)} in this scope.`,
    hint: "memory.list() shows the ids; a memory of another scope is not seen from here.",
    details: { id },
  });

const ambiguous = (id: string): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `Several scopes within this one have a memory ${JSON.stringify(id)}.`,
    hint: "Open the memory with the scope that it was stored in.",
    details: { id },
  });
