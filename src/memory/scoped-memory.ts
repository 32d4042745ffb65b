import { VarveError } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { type MemoryRow, type Scope, scopeKey, scopeOf } from "../store/memories/memories.js";
import { type AuditOptions, type AuditPorts, auditMemories, type MemoryAudit } from "./auditing.js";
import { checkContent, checkId } from "./check-input.js";
import { checkAdditions, checkDetails, checkIds, checkTexts } from "./check-request.js";
import { type ForgetReceipt, forgetMemory, forgetScope } from "./forgetting.js";
import {
  type ConfirmReceipt,
  checkPending,
  confirmRequest,
  type ObserveReceipt,
  observeTexts,
  type PendingRequest,
} from "./heeding.js";
import { keyOf } from "./keys.js";
import { historyOf, listMemories, type MemoryList, type MemoryListOptions } from "./listing.js";
import type {
  EndedValue,
  EntryReference,
  Memory,
  MemoryDetails,
  MemoryInput,
  Retrieved,
  RetrieveOptions,
  StoreReceipt,
} from "./memory.js";
import { exportMemories, type ImportMemoriesOptions, type ImportMemoriesReport, importMemories } from "./moving.js";
import { rowsOfOne } from "./one-memory.js";
import type { Retelling } from "./retellings.js";
import { type RetrievePorts, retrieve } from "./retrieving.js";
import { bodyOf, memoryOf } from "./row.js";
import type { FactAddition } from "./store-plan.js";
import { addFacts, type Replacement, replaceText, type StorePorts, storeTexts } from "./storing.js";

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
  async store(content: string, details: MemoryDetails = {}): Promise<StoreReceipt> {
    const [receipt] = await storeTexts(this.scope, [{ ...checkDetails(details), content }], this.#ports);
    return receipt!;
  }

  /** Stores many texts in their order: those with a speaker become a conversation, and each other's context. */
  async storeMany(texts: readonly MemoryInput[]): Promise<StoreReceipt[]> {
    return storeTexts(this.scope, checkTexts(texts), this.#ports);
  }

  /**
   * Takes in what was said in a turn: stores it, and does what the user asks of the memory itself ("forget the old
   * address", "do not save this"). What the agent only retold of memories is named in `retellings`: its entries lose their
   * text when those are forgotten. What texts of the entries in `attached` ask, which came with a
   * file, waits for a yes.
   */
  async observe(
    texts: readonly MemoryInput[],
    options: { readonly retellings?: readonly Retelling[]; readonly attached?: readonly EntryReference[] } = {},
  ): Promise<ObserveReceipt> {
    checkNames(options, OBSERVE, "memory.observe");
    const inputs = checkTexts(texts);
    return observeTexts(this.scope, { ...options, inputs }, this.#ports);
  }

  /**
   * Does what a text asked that was observed, and that was not done: see `asked` of the receipt of `observe`.
   *
   * @example
   * ```ts
   * const { asked } = await memory.observe([{ content: "Delete all my memories", speaker: "user" }]);
   * for (const request of asked) await memory.confirm(request);
   * ```
   */
  async confirm(request: PendingRequest): Promise<ConfirmReceipt> {
    return confirmRequest(this.scope, checkPending(request), this.#ports);
  }

  /** The memories that answer a question best, best first, each with the evidence for it. */
  async retrieve(query: string, options: RetrieveOptions = {}): Promise<Retrieved[]> {
    return retrieve(this.scope, { question: query, options }, this.#ports);
  }

  /**
   * Adds what else is known from memories to what the rules found in them: further keys to their texts. A new value for an
   * attribute closes the old one.
   */
  async addFacts(additions: readonly FactAddition[]): Promise<readonly EndedValue[]> {
    const checked = checkAdditions(additions);
    return checked.length === 0 ? [] : addFacts(this.scope, checked, this.#ports);
  }

  /** One memory; undefined where the scope has none under this id, an error where several scopes within it have one. */
  async get(id: string): Promise<Memory | undefined> {
    const row = await this.#row(id);
    return row && memoryOf(row);
  }

  async #row(id: string): Promise<MemoryRow | undefined> {
    const { rows } = await this.#ports.memories.find(this.scope, [keyOf.id(checkId(id))]);
    return rowsOfOne(this.scope, id, rows)[0];
  }

  /**
   * Several memories at once, in the order of the ids, without those that the scope does not have. Where several scopes
   * within this one have one under an id, it is the first that was stored.
   */
  async getMany(ids: readonly string[]): Promise<Memory[]> {
    if (checkIds(ids).length === 0) return [];
    const { rows } = await this.#ports.memories.find(
      this.scope,
      ids.map((id) => keyOf.id(checkId(id))),
    );
    const own = scopeKey(this.scope);
    const inner = rows.filter((row) => row.scope !== own).toReversed();
    const found = new Map([...inner, ...rows.filter((row) => row.scope === own)].map((row) => [bodyOf(row).id, row]));
    return ids.flatMap((id) => (found.has(id) ? [memoryOf(found.get(id)!)] : []));
  }

  /** Gives a memory another text. The one before stays for questions about its time, and in the history. */
  async update(id: string, content: string): Promise<StoreReceipt> {
    checkContent(content);
    return replaceText(this.scope, () => this.#replacement(id, content), this.#ports);
  }

  async #replacement(id: string, content: string): Promise<Replacement> {
    const row = await this.#row(id);
    if (row === undefined) throw notFound(id);
    const { source, metadata, entries } = bodyOf(row);
    const { speaker, thread, tags } = row;
    const details = {
      ...(speaker === "" ? {} : { speaker }),
      ...(thread === "" ? {} : { thread }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(entries === undefined ? {} : { entries }),
    };
    return { scope: { ...scopeOf(row.scope), tags }, input: { ...details, id, content, source } };
  }

  /** Removes a memory with all that was made of it, in the sessions that it came from too, and proves it. */
  async forget(id: string): Promise<ForgetReceipt> {
    return forgetMemory(this.scope, checkId(id), this.#ports);
  }

  /**
   * Removes all memories of the scope, and no other: in parts, each a transaction of its own, so that others get a turn.
   * Called again it goes on where it was stopped.
   */
  async forgetAll(): Promise<ForgetReceipt> {
    return forgetScope(this.scope, this.#ports);
  }

  /** The memories of the scope, page by page, in the order in which they were stored. */
  async list(options: MemoryListOptions = {}): Promise<MemoryList> {
    return listMemories(this.#ports.memories, this.scope, { options, now: this.#ports.now() });
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
    checkNames(options, IMPORT, "memory.import");
    return importMemories(this.scope, { ...options, lines }, this.#ports);
  }

  /** Counts what is wrong: duplicates, stale, orphaned, junk, unscoped; and puts right what may be. */
  async audit(options: AuditOptions = {}): Promise<MemoryAudit> {
    checkNames(options, AUDIT, "memory.audit");
    return auditMemories(this.scope, options, this.#ports);
  }
}

const OBSERVE = { retellings: true, attached: true };
const IMPORT: OptionNames<ImportMemoriesOptions> = { trusted: true };
const AUDIT: OptionNames<AuditOptions> = { mend: true, removeJunk: true };

const notFound = (id: string): VarveError =>
  new VarveError({
    code: "not-found",
    message: `There is no memory ${JSON.stringify(id)} in this scope.`,
    hint: "memory.list() shows the ids; a memory of another scope is not seen from here.",
    details: { id },
  });
