/**
 * The memories of a session's turns as views show them: each turn's stand in front of its user message and stay there as
 * long as views show that, so that a view begins with the one before it. A memory is shown once, at the first of the turns
 * that it was chosen for; a passage of a long one likewise.
 */

import type { Memory } from "../../memory/memory.js";
import type { PassagePlace } from "../../memory/text/search-text.js";
import type { Entry } from "../../message/entry.js";
import { positionOf } from "../../store/branch.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { View } from "../../view/view.js";
import type { RecalledTurn } from "./memory-documents.js";
import {
  blockOf,
  latestPlace,
  type PlacedBlock,
  partKey,
  placeOf,
  type RecallBlock,
  type ShownPart,
} from "./recall-block.js";

export interface HeldInput {
  readonly counter: () => TokenCounter;
  /** The entries of the present branch. */
  readonly entries: () => readonly Entry[];
  /** The latest user message; undefined where there is none. */
  readonly request: () => Entry | undefined;
}

interface Rendered {
  readonly memories: readonly Memory[];
  readonly most: number;
  readonly block: RecallBlock;
}

export class HeldBlocks {
  readonly #input: HeldInput;
  #memories = new Map<string, Memory>();
  /** By user message. */
  readonly #rendered = new Map<string, Rendered>();

  constructor(input: HeldInput) {
    this.#input = input;
  }

  get memories(): readonly Memory[] {
    return [...this.#memories.values()];
  }

  /** Goes on with the memories as they are. */
  take(memories: readonly Memory[]): void {
    this.#memories = new Map(memories.map((memory) => [memory.id, memory]));
  }

  add(memories: readonly Memory[]): void {
    for (const memory of memories) this.#memories.set(memory.id, memory);
  }

  /** Shows these no more. */
  drop(ids: Iterable<string>): void {
    for (const id of ids) this.#memories.delete(id);
    this.#rendered.clear();
  }

  clear(): void {
    this.#memories.clear();
    this.#rendered.clear();
  }

  /** The blocks of these turns in a view, in its order. */
  in(view: View, turns: readonly RecalledTurn[]): PlacedBlock[] {
    const shown = new Set<string>();
    const placed = turns.flatMap((turn) => {
      const at = turn.hidden ? -1 : this.#place(view, turn.entry);
      return at < 0 ? [] : [{ at, turn }];
    });
    placed.sort((one, other) => one.at - other.at);
    return placed.flatMap(({ at, turn }) => {
      const keyOf = (id: string): string => partKey(id, turn.passages?.[id]);
      const memories = this.#of(turn).filter(({ id }) => !shown.has(id) && !shown.has(keyOf(id)));
      for (const { id } of memories) shown.add(keyOf(id));
      return memories.length === 0 ? [] : [{ at, block: this.#block(turn, memories) }];
    });
  }

  #place({ messages }: View, id: string): number {
    const latest = this.#input.request();
    if (latest?.id === id) return latestPlace(messages, latest.message);
    const entries = this.#input.entries();
    const entry = entries[positionOf(entries, id)];
    return entry === undefined ? -1 : placeOf(messages, entry.message);
  }

  /** What is there of a turn's memories, and holds as it did when they were chosen. */
  #of({ ids, past = [] }: RecalledTurn): Memory[] {
    const found = ids.map((id) => this.#memories.get(id)).filter((memory) => memory !== undefined);
    return found.filter(({ id, validUntil }) => validUntil === undefined || past.includes(id));
  }

  /** The very same message as long as it says the same. */
  #block({ entry, most, passages = {} }: RecalledTurn, memories: readonly Memory[]): RecallBlock {
    const before = this.#rendered.get(entry);
    if (before?.most === most && sameItems(before.memories, memories)) return before.block;
    const parts = memories.map((memory) => withPassage(memory, passages[memory.id]));
    const made = blockOf(parts, most, this.#input.counter());
    const block = before?.block.message.content === made.message.content ? before.block : made;
    this.#rendered.set(entry, { memories, most, block });
    return block;
  }
}

/** Only what the turn says counts, whatever else was found with the memory. */
function withPassage(memory: Memory, passage: PassagePlace | undefined): ShownPart {
  const { passage: _, ...whole }: ShownPart = memory;
  return passage === undefined ? whole : { ...whole, passage };
}

const sameItems = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at]);
