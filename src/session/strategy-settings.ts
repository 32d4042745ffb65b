import type { WindowSettings } from "../view/settings.js";
import type { Archive, Strategy } from "../view/strategy.js";

interface StrategyOptions extends WindowSettings {
  readonly strategy?: string | Strategy;
  readonly archive?: Archive;
}

/**
 * A session's options with those that its strategy was made with beneath them: what the session does not say, such as
 * the trigger of `slidingWindow({ trigger: 0.8 })`, the strategy does.
 */
export function withStrategySettings<T extends StrategyOptions>(options: T): T {
  const { strategy } = options;
  if (typeof strategy !== "object" || strategy?.settings === undefined) return options;
  const { window, model, reserve, trigger, target, maxSpend, counter, archive } = strategy.settings;
  const beneath = { window, model, reserve, trigger, target, maxSpend, counter, archive };
  // A window or a model of the session's own decides both, with the reserve and the counter that belong to them.
  const sized = options.window !== undefined || options.model !== undefined;
  const settings = sized ? { trigger, target, maxSpend, archive } : beneath;
  return { ...defined(settings), ...defined(options) } as T;
}

/** Options without those that are undefined. */
export const defined = <T extends object>(options: T): Partial<T> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
