import type { VarveError } from "../errors.js";
import type { VerifiedSummary } from "../notes/summarise-verified.js";
import type { Summariser } from "../notes/summariser.js";
import { checkSummarise } from "./check-options.js";
import type { Commits } from "./commits.js";
import { SUMMARISER } from "./document-names.js";
import type { Engine, WorkBase } from "./engine.js";
import type { Emit } from "./events.js";
import { Overtaken, type SavedViews } from "./saved-views.js";
import { type SummariserFailure, summaryEvent, writeOutcome } from "./summariser-failure.js";

/** How often a summary is made anew, or written again, because others have gone on meanwhile. */
const ATTEMPTS = 5;

export interface SummariesInput {
  readonly engine: Engine;
  readonly views: SavedViews;
  readonly commits: Commits;
  /** Takes in what others have done. */
  readonly refresh: () => Promise<void>;
  /** Does work while no view is being made. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly id: string;
  readonly emit: Emit;
  readonly warn: (warning: VarveError) => void;
  readonly now: () => number;
}

/** What becomes of summaries, and those that are made on demand. No view waits while one is being made. */
export class Summaries {
  readonly #input: SummariesInput;

  constructor(input: SummariesInput) {
    this.#input = input;
  }

  /** Brings the summary up to date and makes it durable; false where there was nothing to do. */
  async make(summariser: Summariser, options: { readonly signal?: AbortSignal }): Promise<boolean> {
    checkSummarise(summariser, options);
    const { engine } = this.#input;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const due = await this.#inTurn(async () => engine.work());
      if (due === undefined) return false;
      let made: VerifiedSummary | undefined;
      const own = await due.work.run({
        summariser,
        ...options,
        onSummary: (summary) => {
          made = summary;
        },
      });
      const isTaken = await this.#inTurn(() => this.#take(due.base, own));
      if (made !== undefined) this.told(made, isTaken);
      if (isTaken) return true;
    }
    return false;
  }

  /** Takes note of how a summary came out. One that views have not gone on from is told of only where it failed. */
  told(summary: VerifiedSummary, isTaken: boolean): void {
    const { id, commits, emit, warn, now } = this.#input;
    const event = summaryEvent(id, summary);
    if (event.outcome === "written" && !isTaken) return;
    const time = now();
    // One that was never asked fails each time alike, for as long as nobody changes its options.
    if (event.outcome === "failed" && event.error.code === "invalid-option" && this.failure === undefined)
      warn(event.error);
    commits.defer((documents) => writeOutcome(documents, event, time));
    emit("summary", event);
  }

  /** How the summariser fails; undefined while it does not. */
  get failure(): SummariserFailure | undefined {
    return this.#input.commits.expected(SUMMARISER) as SummariserFailure | undefined;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#input.inTurn(async () => {
      await this.#input.refresh();
      return work();
    });
  }

  /** False where the views have gone on from another summary, or on another branch. */
  async #take(base: WorkBase, own: unknown, attempt = 1): Promise<boolean> {
    const { engine, commits, views } = this.#input;
    if (!engine.take(base, own)) return false;
    const made = { view: {}, after: engine.state };
    try {
      await commits.inOrder(() => commits.commit({ write: (documents) => views.write(documents, made) }));
      views.written(made);
      return true;
    } catch (error) {
      engine.take({ ...base, own }, base.own);
      if (!(error instanceof Overtaken) || attempt >= ATTEMPTS) throw error;
    }
    await this.#input.refresh();
    return this.#take(base, own, attempt + 1);
  }
}
