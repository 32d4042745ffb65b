import type { Memory } from "../../memory/memory.js";
import type { ScopedMemory } from "../../memory/scoped-memory.js";

/** Memories that are looked at, and facts that are told. */
const MEMORIES = 10_000;
const FACTS = 200;
const PAGE = 500;

/** What holds now of all that a scope's memories tell. */
export class KnownFacts {
  /** By memory, in the order in which they were stored. */
  #facts = new Map<string, readonly string[]>();

  /** Reads a scope's memories, the newest first, until there are enough facts. */
  async load(memory: ScopedMemory): Promise<void> {
    const found: [string, readonly string[]][] = [];
    const texts = new Set<string>();
    let after: string | undefined;
    for (let read = 0; read < MEMORIES && texts.size < FACTS; read += PAGE) {
      const page = await memory.list({ newest: true, limit: PAGE, ...(after === undefined ? {} : { after }) });
      for (const each of page.memories) {
        const facts = currentFacts(each);
        if (facts.length > 0) found.push([each.id, facts]);
        for (const fact of facts) texts.add(fact);
      }
      after = page.next;
      if (after === undefined) break;
    }
    const takenMeanwhile = this.#facts;
    this.#facts = new Map([...found.reverse(), ...takenMeanwhile]);
  }

  take(memory: Memory): void {
    const facts = currentFacts(memory);
    if (facts.length === 0) this.#facts.delete(memory.id);
    else this.#facts.set(memory.id, facts);
  }

  drop(ids: Iterable<string>): void {
    for (const id of ids) this.#facts.delete(id);
  }

  /** The latest, each once. */
  list(): readonly string[] {
    return [...new Set([...this.#facts.values()].flat())].slice(-FACTS);
  }
}

const currentFacts = ({ facts, validUntil }: Memory): readonly string[] =>
  validUntil === undefined ? facts.filter((fact) => fact.validUntil === undefined).map(({ text }) => text) : [];
