import type { View, ViewRequest } from "../compaction/view.js";
import { isObject } from "../message/plain-value.js";
import { checkView, type ViewSource } from "./check-view.js";
import { EntitiesViewer } from "./entities/entities-viewer.js";
import { ManagedViewer } from "./managed-strategy.js";
import { callFault, calling, pluginFault } from "./plugin-fault.js";
import type { Strategy, StrategyInput, Viewer, ViewOptions } from "./strategy.js";
import { WindowViewer } from "./window/viewer.js";

/** Starts a strategy on a log. A viewer that does not come with varve is watched: see `checkView`. */
export function startViewer(strategy: Strategy, input: StrategyInput): Viewer {
  const source: ViewSource = { strategy: strategy.name, input };
  const viewer: unknown = calling(strategy.name, "start", () => strategy.start(input));
  if (isOwn(viewer)) return viewer;
  if (isViewer(viewer)) return watched(viewer, source);
  const hint = "start(input) returns a Viewer: an object with the method view.";
  throw pluginFault({ strategy: strategy.name, what: "started no viewer", hint });
}

const isOwn = (viewer: unknown): viewer is Viewer =>
  viewer instanceof WindowViewer || viewer instanceof EntitiesViewer || viewer instanceof ManagedViewer;

const isViewer = (value: unknown): value is Viewer => isObject(value) && typeof value.view === "function";

/** A viewer with the abilities of another, whose errors are named and whose views are checked. */
function watched(viewer: Viewer, source: ViewSource): Viewer {
  const call = <T>(method: string, act: () => T): T => calling(source.strategy, method, act);
  let failure: { readonly error: unknown } | undefined;
  return {
    get cut() {
      const { cut } = viewer;
      return Number.isSafeInteger(cut) && cut >= 0 ? cut : 0;
    },
    get resultCap() {
      return call("resultCap", () => viewer.resultCap ?? 0);
    },
    get state() {
      return call("state", () => viewer.state);
    },
    /** What is appended is durable by then: a failure shows in the next view. */
    turnComplete: () => {
      try {
        viewer.turnComplete?.();
      } catch (error) {
        failure = { error };
      }
    },
    view: async (request, options) => {
      const failed = failure;
      failure = undefined;
      if (failed !== undefined) throw callFault(source.strategy, "turnComplete", failed.error);
      return watchedView(viewer, source, { request, options });
    },
    ...(viewer.restore && { restore: (state, isNews) => call("restore", () => viewer.restore!(state, isNews)) }),
    ...(viewer.save && { save: (state) => call("save", () => viewer.save!(state)) }),
    ...(viewer.load && { load: (saved) => call("load", () => viewer.load!(saved)) }),
    ...(viewer.differs && { differs: (one, other) => call("differs", () => viewer.differs!(one, other)) }),
    ...(viewer.tokensAt && { tokensAt: (position) => call("tokensAt", () => viewer.tokensAt!(position)) }),
    ...(viewer.digest && { digest: (id) => call("digest", () => viewer.digest!(id)) }),
  };
}

interface Asked {
  readonly request: ViewRequest;
  readonly options: ViewOptions | undefined;
}

async function watchedView(viewer: Viewer, source: ViewSource, { request, options }: Asked): Promise<View> {
  try {
    return checkView(await viewer.view(request, options), source);
  } catch (error) {
    throw callFault(source.strategy, "view", error);
  }
}
