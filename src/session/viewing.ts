import type { Store } from "../store/store.js";
import { isCompaction, isCut } from "../view/receipt.js";
import type { View, ViewRequest } from "../view/view.js";
import type { Commits } from "./commits.js";
import type { Engine, MadeView, ViewOptions } from "./engine.js";
import type { Emit } from "./events.js";
import { Overtaken, type SavedViews } from "./saved-views.js";
import { writePins } from "./session-documents.js";
import { alwaysOvertaken, nothingRemoved } from "./session-errors.js";
import type { Documents } from "./stored-log.js";
import type { Tracking } from "./tracking.js";
import { tellView } from "./view-events.js";

/** Views that are made anew because others have reduced meanwhile. */
const ATTEMPTS = 50;

export interface ViewingInput {
  readonly id: string;
  readonly store: Store;
  readonly engine: Engine;
  readonly views: SavedViews;
  readonly commits: Commits;
  readonly tracking: Tracking;
  readonly emit: Emit;
  /** Takes in what others have done. */
  readonly refresh: () => Promise<void>;
}

export interface HandedOut {
  readonly view: View;
  /** Whether others have reduced while it was made, so that it is another one than asked for. */
  readonly overtaken: boolean;
}

/** Makes views, each durable before it is handed out where it changes what later ones show. */
export class Viewing {
  readonly #input: ViewingInput;

  constructor(input: ViewingInput) {
    this.#input = input;
  }

  async make(request: ViewRequest, options: ViewOptions, attempt = 1): Promise<HandedOut> {
    const { id, engine, refresh, emit } = this.#input;
    await refresh();
    const { latest: before, log } = engine;
    const made = await engine.make(request, options);
    const { receipt } = made.view;
    try {
      if (options.force && !(receipt && isCompaction(receipt))) throw nothingRemoved(id, engine);
      const view = await this.#accept(made);
      tellView(emit, { session: id, view, before, log: log.entries, attempts: attempt });
      return { view, overtaken: false };
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      if (attempt >= ATTEMPTS) throw alwaysOvertaken(id, { attempts: attempt, cause: error });
    }
    return { view: (await this.make(request, {}, attempt + 1)).view, overtaken: true };
  }

  async #accept(made: MadeView): Promise<View> {
    const { engine, views, commits, tracking, store } = this.#input;
    if (!views.isChanged(made)) {
      if (made.after.latest !== made.before.latest) commits.defer(views.sent(made.after));
      return engine.accept(made, { id: "", row: -1 });
    }
    const isStep = made.view.receipt !== undefined && isCut(made.view.receipt);
    let placed = { id: "", row: -1 };
    const write = (documents: Documents) => {
      placed = views.write(documents, made, isStep ? made.before : undefined);
      engine.accounts.write(documents, made.account);
      writePins(documents, engine.pins);
      tracking.writeObserved(documents);
    };
    await commits.inOrder(() => commits.commit({ write }));
    views.written(made);
    tracking.show(store);
    return engine.accept(made, placed);
  }
}
