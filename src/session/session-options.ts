import type { Budget } from "../compaction/budget.js";
import type { WindowSettings } from "../compaction/settings.js";
import type { Block, ViewRequest } from "../compaction/view.js";
import { isObject } from "../message/plain-value.js";
import type { Archive, Strategy } from "../strategies/strategy.js";

export interface SessionOptions extends WindowSettings {
  readonly strategy?: string | Strategy;
  /** The long-term archive: gets the messages that a view no longer shows. */
  readonly archive?: Archive;
  /** Share of the usable tokens that all pins may take together; 0.25 unless given. */
  readonly pinBudget?: number;
  /** Milliseconds after a view for which the provider's cache is taken to hold it; 5 minutes unless given. */
  readonly cacheLifetime?: number;
  /** Makes a checkpoint each time that so many messages have come; none unless given. */
  readonly checkpointEvery?: number;
}

/** The names of all options. */
export const SESSION_OPTIONS: Readonly<Record<keyof SessionOptions, true>> = {
  window: true,
  model: true,
  reserve: true,
  trigger: true,
  target: true,
  counter: true,
  strategy: true,
  archive: true,
  pinBudget: true,
  cacheLifetime: true,
  checkpointEvery: true,
};

/** How a session stands: what its latest view took, and what is left. */
export interface SessionStatus {
  readonly id: string;
  readonly strategy: string;
  readonly counter: string;
  /** How far the true count may lie above the counted one, as a share of it. */
  readonly errorBound: number;
  readonly budget: Budget;
  readonly entries: number;
  readonly turns: number;
  /** Entries that the latest view did not show. */
  readonly leftOut: number;
  readonly tokens: number;
  readonly blocks: readonly Block[];
  readonly percentUsed: number;
  readonly pins: readonly string[];
  readonly receipts: number;
}

export interface AppendOptions {
  /**
   * A name of the caller's own for this append: sent again with the same name, after a lost connection for one, it is
   * not carried out a second time, and the entries of the first time are returned.
   */
  readonly key?: string;
}

export interface CompactOptions extends ViewRequest {
  /** Reduces also where the view still fits; true unless given. */
  readonly force?: boolean;
}

/** Naming another model means its window and its counter too, unless they are given with it. */
export function mergeOptions(before: SessionOptions, after: SessionOptions): SessionOptions {
  if (after.model === undefined || after.model === before.model) return { ...before, ...after };
  const { window: _window, reserve: _reserve, counter: _counter, ...rest } = before;
  return { ...rest, ...after };
}

/** The options that can be kept in a store: a strategy by its name, and no functions. */
export function storableOptions({
  strategy,
  archive: _archive,
  counter: _counter,
  ...options
}: SessionOptions): object {
  return { ...options, strategy: typeof strategy === "object" ? strategy.name : strategy };
}

/** The options that a session was left with, for one that is opened without any. Those of other versions are passed over. */
export function storedOptions(value: unknown): SessionOptions | undefined {
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(SESSION_OPTIONS, name)));
}
