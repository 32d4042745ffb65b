/** What a session tells of its log without a view: originals, hits, notes. Nothing is changed by it. */
import { checkString } from "../message/option-names.js";
import { positionOf } from "../store/branch.js";
import { checkNotes, checkSearch } from "./check-options.js";
import type { Engine } from "./engine.js";
import { type ExpandOptions, type Expansion, expandEntries, rangeOf } from "./expand.js";
import { LogSearch, type SearchHit } from "./search.js";
import { notFound } from "./session-errors.js";
import { notesOf, type SessionNotes } from "./session-notes.js";
import type { StoredLog } from "./stored-log.js";

interface LookingInput {
  readonly id: string;
  readonly engine: Engine;
  readonly stored: StoredLog;
}

export class Looking {
  readonly #input: LookingInput;
  /** What was found belongs to a branch. */
  readonly #searches = new WeakMap<Engine["log"], LogSearch>();

  constructor(input: LookingInput) {
    this.#input = input;
  }

  expand(id: string, options: ExpandOptions): Expansion {
    checkString("id", id);
    const { engine, stored, id: session } = this.#input;
    const setting = { cap: engine.reading.cap, counter: engine.counter };
    const entry = stored.entries[positionOf(stored.entries, id)];
    if (entry !== undefined) return expandEntries([entry], options, setting);
    const range = rangeOf(engine.log.entries, id);
    if (range === undefined) throw notFound(id, session);
    return expandEntries(range, options, setting);
  }

  search(query: string, options: { readonly limit?: number }): SearchHit[] {
    const { log } = this.#input.engine;
    const search = this.#searches.get(log) ?? new LogSearch();
    this.#searches.set(log, search);
    return search.find(query, log.entries, checkSearch(query, options));
  }

  notes(options: { readonly maxTokens?: number }): SessionNotes {
    const { id, engine } = this.#input;
    return notesOf(id, engine, checkNotes(options));
  }
}
