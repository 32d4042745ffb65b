import type { Memory } from "../../memory/memory.js";
import type { ScopedMemory } from "../../memory/scoped-memory.js";

/** Memories that are looked at, and facts that are told. */
const MEMORIES = 10_000;
const FACTS = 200;
const PAGE = 500;

/** What holds now of all that a scope's memories tell. */
export class KnownFacts {
  /** By memory, in the order in which they were stored. */
  readonly #facts = new Map<string, readonly string[]>();

  /** Reads a scope's memories. */
  async load(memory: ScopedMemory): Promise<void> {
    let after: string | undefined;
    for (let read = 0; read < MEMORIES; read += PAGE) {
      const page = await memory.list({ limit: PAGE, ...(after === undefined ? {} : { after }) });
      for (const each of page.memories) this.take(each);
      after = page.next;
      if (after === undefined) return;
    }
  }

  take({ id, facts, validUntil }: Memory): void {
    const current = validUntil === undefined ? facts.filter((fact) => fact.validUntil === undefined) : [];
    if (current.length === 0) this.#facts.delete(id);
    else
      this.#facts.set(
        id,
        current.map(({ text }) => text),
      );
  }

  drop(ids: Iterable<string>): void {
    for (const id of ids) this.#facts.delete(id);
  }

  /** The latest, each once. */
  list(): readonly string[] {
    return [...new Set([...this.#facts.values()].flat())].slice(-FACTS);
  }
}
