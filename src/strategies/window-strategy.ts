import { resolveSettings, type WindowSettings } from "../compaction/settings.js";
import { type AnyToolManager, contextManager } from "./context-manager.js";
import type { Archive, BuiltInStrategy, Strategy, StrategyInput, Viewer } from "./strategy.js";

/** Settings that count where a strategy works alone; inside a session the session's own do. */
export interface AloneSettings extends WindowSettings {
  readonly archive?: Archive;
}

/** A strategy that would show the prose of a summariser, if it had one. */
export const proseTaking = (
  strategy: BuiltInStrategy,
  withSummariser: NonNullable<Strategy["withSummariser"]>,
): BuiltInStrategy => ({ ...strategy, withSummariser });

/** A strategy from its viewer: inside a session through `start`, alone through `composePayload`. */
export function windowStrategy(
  name: string,
  settings: AloneSettings,
  start: (input: StrategyInput) => Viewer,
): BuiltInStrategy {
  let alone: AnyToolManager | undefined;
  const manager = () => {
    const { archive } = settings;
    alone ??= contextManager({ start, ...resolveSettings(settings), ...(archive && { archive }) });
    return alone;
  };
  return {
    name,
    settings,
    start,
    composePayload: async (...payload) => manager().composePayload(...payload),
    onTurnComplete: async (newHistory) => manager().onTurnComplete(newHistory),
  };
}
