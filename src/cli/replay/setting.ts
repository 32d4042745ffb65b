import type { Strategy } from "../../view/strategy.js";

/** Shares of the usable tokens above which a view is reduced, and that a reduction aims for. */
export interface Thresholds {
  readonly trigger?: number;
  readonly target?: number;
}

/** What a recording is replayed under. */
export interface Setting extends Thresholds {
  readonly name: string;
  /** The strategy itself, where the configuration gives it options. */
  readonly strategy: string | Strategy;
  readonly window: number;
}

export interface NamedStrategy {
  readonly name: string;
  readonly strategy: string | Strategy;
}

export interface Grid {
  readonly strategies: readonly NamedStrategy[];
  readonly windows: readonly number[];
  readonly thresholds: readonly Thresholds[];
}

/** Every strategy with every window and every pair of thresholds. */
export const settingsOf = ({ strategies, windows, thresholds }: Grid): Setting[] =>
  windows.flatMap((window) =>
    strategies.flatMap((strategy) => thresholds.map((shares) => ({ ...strategy, window, ...shares }))),
  );

/** Settings by the size of their windows, each of them once. */
export function ordered(settings: readonly Setting[]): Setting[] {
  const unlike = settings.filter((setting, at) => settings.findIndex((each) => isSame(each, setting)) === at);
  return unlike.toSorted((a, b) => a.window - b.window);
}

export const isSame = (a: Setting, b: Setting): boolean =>
  a.name === b.name && a.window === b.window && a.trigger === b.trigger && a.target === b.target;

/** Those that are compared unless others are named: varve's own, a deep cut, and an early one. */
export const DEFAULT_THRESHOLDS: readonly Thresholds[] = [
  {},
  { trigger: 1, target: 0.5 },
  { trigger: 0.75, target: 0.5 },
];

const LADDER = [4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000, 1_000_000];
const WINDOWS = 3;

/**
 * Windows worth comparing: the largest few that the conversations outgrow, none beyond what the model takes. Where
 * nothing outgrows any, the smallest.
 *
 * @example
 * ```ts
 * defaultWindows(90_000, 200_000); // [16000, 32000, 64000]
 * ```
 */
export function defaultWindows(longest: number, most: number | undefined): number[] {
  const steps = LADDER.filter((window) => window < (most ?? Number.POSITIVE_INFINITY));
  const all = most === undefined ? steps : [...steps, most];
  const outgrown = all.filter((window) => window < longest);
  return outgrown.length === 0 ? all.slice(0, 1) : outgrown.slice(-WINDOWS);
}
