import { extractiveSummariser } from "../digest/extractive-summariser.js";
import { summariseVerified, type VerifiedSummary } from "../digest/summarise-verified.js";
import type { Summariser } from "../digest/summariser.js";
import type { PendingSummary } from "../strategies/strategy.js";
import { checkSummarise } from "./check-options.js";
import type { Commits } from "./commits.js";
import type { Engine } from "./engine.js";
import { Overtaken, type SavedViews } from "./saved-views.js";

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
}

/** Summaries that are made on demand rather than by the viewer itself. No view waits while one is being made. */
export class Summaries {
  readonly #input: SummariesInput;

  constructor(input: SummariesInput) {
    this.#input = input;
  }

  /** Brings the summary up to date and makes it durable; false where there was nothing to do. */
  async make(summariser: Summariser, options: { readonly signal?: AbortSignal }): Promise<boolean> {
    checkSummarise(summariser, options);
    const { signal } = options;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const task = await this.#inTurn(async () => this.#input.engine.viewer.summaryTask?.());
      if (task === undefined) return false;
      const request = { ...task.request, ...(signal && { signal }) };
      const summary = await summariseVerified(summariser, request, extractiveSummariser());
      if (await this.#inTurn(() => this.#take(task, summary))) return true;
    }
    return false;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#input.inTurn(async () => {
      await this.#input.refresh();
      return work();
    });
  }

  /** False where the views have gone on from another summary, or on another branch. */
  async #take(task: PendingSummary, summary: VerifiedSummary, attempt = 1): Promise<boolean> {
    const { viewer } = this.#input.engine;
    const before = viewer.state;
    if (!viewer.takeSummary?.(task, summary)) return false;
    try {
      await this.#write(viewer.state);
      return true;
    } catch (error) {
      viewer.restore?.(before);
      if (!(error instanceof Overtaken) || attempt >= ATTEMPTS) throw error;
    }
    await this.#input.refresh();
    return this.#take(task, summary, attempt + 1);
  }

  async #write(after: unknown): Promise<void> {
    const { commits, views } = this.#input;
    const made = { view: {}, after };
    await commits.inOrder(() => commits.commit({ write: (documents) => views.write(documents, made, false) }));
    views.written(made);
  }
}
