import type { ActiveTask, ContextDocument } from "../compaction/context-document.js";
import { contextOf, NOTED, type Noted, notedIn, OBSERVED, observedOn, observeEntries } from "../store/context-of.js";
import type { Observed } from "../store/observed.js";
import type { Store } from "../store/store.js";
import type { Engine } from "./engine.js";
import type { Documents, StoredLog } from "./stored-log.js";
import { parseTrackedChange, type TaskChange, type TrackedChange } from "./tracked-change.js";

/** Milliseconds from one document of a session to the next. */
const PAUSE = 250;

export interface TrackingInput {
  readonly id: string;
  readonly stored: StoredLog;
  readonly engine: Engine;
  readonly now: () => number;
  /** A small document as it will be once everything is written. */
  readonly expected: (name: string) => unknown;
  /** What the session's memories tell, beside what the application noted. */
  readonly facts: () => readonly string[];
}

/** What is known of a session beside its messages. What they tell is read off when somebody asks. */
export class Tracking {
  readonly #input: TrackingInput;
  /** Read off the messages of all branches. */
  #observed: Observed | undefined;
  /** Read off those of the present branch alone, where there are others, up to the entry of this id. */
  #branch: { readonly observed: Observed; readonly head: string | undefined } | undefined;
  #showing: Promise<void> | undefined;
  #again = false;
  /** Ends the pause before the next document. */
  #hurry: (() => void) | undefined;
  #failure: unknown;

  constructor(input: TrackingInput) {
    this.#input = input;
  }

  document(): ContextDocument {
    const { id, engine, stored, expected, facts } = this.#input;
    const noted = notedIn(expected(NOTED));
    this.#observed = observeEntries(this.#observed ?? stored.document(OBSERVED), stored.entries);
    return contextOf({
      id,
      branch: engine.log.entries,
      observed: this.#onBranch(this.#observed),
      noted: { ...noted, facts: [...new Set([...noted.facts, ...facts()])] },
      summary: engine.receipts.findLast(({ replacedBy }) => replacedBy !== undefined)?.replacedBy ?? "",
    });
  }

  /** Reads the messages again. */
  startAnew(): void {
    this.#observed = undefined;
    this.#branch = undefined;
  }

  #onBranch(all: Observed): Observed {
    const { entries } = this.#input.engine.log;
    if (entries.length === this.#input.stored.entries.length) return all;
    const known = this.#branch;
    const goesOn = known !== undefined && entries[known.observed.entries - 1]?.id === known.head;
    const observed = observeEntries(goesOn ? known.observed : undefined, entries);
    this.#branch = { observed, head: entries.at(-1)?.id };
    return observedOn(observed, all);
  }

  change(given: TrackedChange): (documents: Documents) => void {
    const change = parseTrackedChange(given);
    const time = Math.floor(this.#input.now() / 1_000);
    return (documents) => documents.set(NOTED, changed(notedIn(documents.get(NOTED)), change, time));
  }

  /** Notes what a document says of a session that began elsewhere, unless something is noted of it already. */
  adopt(document: ContextDocument): (documents: Documents) => void {
    const { facts, active_tasks: tasks, system_state, last_known_environment, token_usage } = document;
    const noted: Noted = {
      facts,
      tasks,
      workspace: last_known_environment.workspace ?? system_state.last_workspace,
      preferences: system_state.preferences,
      environment: last_known_environment.system_snapshot,
      updated: last_known_environment.last_update,
      input: token_usage.total_input,
      output: token_usage.total_output,
    };
    return (documents) => {
      if (documents.get(NOTED) === undefined) documents.set(NOTED, noted);
    };
  }

  used(usage: { inputTokens: number; outputTokens?: number }): (documents: Documents) => void {
    const { inputTokens, outputTokens = 0 } = usage;
    return (documents) => {
      const noted = notedIn(documents.get(NOTED));
      documents.set(NOTED, { ...noted, input: noted.input + inputTokens, output: noted.output + outputTokens });
    };
  }

  /** What was observed, so that it is not read off again by the next process. */
  writeObserved(documents: Documents): void {
    const known = documents.get(OBSERVED) as Observed | undefined;
    if (this.#observed !== undefined && this.#observed.entries !== known?.entries)
      documents.set(OBSERVED, this.#observed);
  }

  /** Hands the document to a store that shows it. One is written at a time, and the latest last. */
  show({ writeContext }: Store): void {
    if (writeContext === undefined) return;
    this.#again = true;
    this.#showing ??= this.#showAll(writeContext);
  }

  async #showAll(writeContext: NonNullable<Store["writeContext"]>): Promise<void> {
    while (this.#again) {
      this.#again = false;
      await this.#write(writeContext);
      await this.#pause();
    }
    this.#showing = undefined;
  }

  async #write(writeContext: NonNullable<Store["writeContext"]>): Promise<void> {
    try {
      const { id, stored } = this.#input;
      await writeContext(id, this.document(), stored.version);
    } catch (error) {
      this.#failure = error;
    }
  }

  /** Documents follow appends at some distance: a disk has better things to do. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#hurry = resolve;
      setTimeout(resolve, PAUSE).unref();
    });
  }

  /** Resolves when the document is written; a failure since the last call is told now. */
  async shown(): Promise<void> {
    while (this.#showing !== undefined) {
      this.#hurry?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }
}

function changed(noted: Noted, change: TrackedChange, time: number): Noted {
  const { facts = [], forget = [], tasks = [], workspace = noted.workspace, preferences, environment } = change;
  return {
    ...noted,
    facts: [...new Set([...noted.facts, ...facts])].filter((fact) => !forget.includes(fact)),
    tasks: tasks.reduce((known, task) => withTask(known, task, time), noted.tasks),
    workspace,
    preferences: { ...noted.preferences, ...preferences },
    environment: environment ?? noted.environment,
    updated: environment !== undefined || change.workspace !== undefined ? time : noted.updated,
  };
}

function withTask(tasks: readonly ActiveTask[], { id, ...change }: TaskChange, time: number): readonly ActiveTask[] {
  const known = tasks.find((task) => task.id === id);
  const fresh = { id, description: id, status: "Running", progress: 0, created_at: time };
  const task: ActiveTask = { ...(known ?? fresh), ...change, updated_at: time };
  return known === undefined ? [...tasks, task] : tasks.map((each) => (each === known ? task : each));
}
