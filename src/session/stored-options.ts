/** The options of a session as its store keeps them, and what becomes of them when it is opened again. */
import { VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import { aloneFields } from "../view/strategies/check-options.js";
import { PLAIN_STRATEGY } from "../view/strategies/default-strategy.js";
import { isBuiltIn, resolveStrategy } from "../view/strategies/registry.js";
import type { Strategy } from "../view/strategy.js";
import { type HeldOptions, SESSION_OPTIONS, type SessionOptions } from "./session-options.js";

/** In front of the name of an option that is the strategy's own. */
const OWN = "strategy.";

/**
 * Options with others laid over them. Naming another model means its window and its counter too, unless they are given
 * with it; naming the strategy there is means to go on with it as it was made.
 */
export function mergeOptions(before: HeldOptions, after: SessionOptions): HeldOptions {
  const { strategyOptions, missing = [], ...rest } = before;
  const goesOn = after.strategy === undefined || isSame(after.strategy, before.strategy);
  const left = missing.filter((name) => (name.startsWith(OWN) ? goesOn : !isGiven(after, name)));
  return {
    ...(goesOn ? withStrategy(laidOver(rest, after), before.strategy) : laidOver(rest, after)),
    ...(goesOn && strategyOptions && { strategyOptions }),
    ...(left.length > 0 && { missing: left }),
  };
}

function laidOver(before: SessionOptions, after: SessionOptions): SessionOptions {
  if (after.model === undefined || after.model === before.model) return { ...before, ...after };
  const { window: _window, reserve: _reserve, counter: _counter, ...rest } = before;
  return { ...rest, ...after };
}

const isSame = (after: string | Strategy, before: string | Strategy | undefined): boolean =>
  after === before || (typeof before === "object" && after === before.name);

const withStrategy = (
  { strategy: _strategy, ...options }: SessionOptions,
  strategy: SessionOptions["strategy"],
): SessionOptions => ({ ...options, ...(strategy !== undefined && { strategy }) });

const isGiven = (options: SessionOptions, name: string): boolean => options[name as keyof SessionOptions] !== undefined;

/** The options that can be kept in a store, with the names of those that cannot: functions, and what has some. */
export function storableOptions({ strategy, archive, counter, missing = [], ...options }: HeldOptions): object {
  const own = typeof strategy === "object" ? ownOptions(strategy) : [];
  const lost = [
    ...missing,
    ...(archive === undefined ? [] : ["archive"]),
    ...(counter === undefined ? [] : ["counter"]),
    ...own.filter(([, value]) => !isPlain(value)).map(([name]) => OWN + name),
  ];
  const kept = own.filter(([, value]) => isPlain(value));
  return {
    ...options,
    strategy: typeof strategy === "object" ? strategy.name : strategy,
    ...(kept.length > 0 && { strategyOptions: Object.fromEntries(kept) }),
    ...(lost.length > 0 && { missing: [...new Set(lost)] }),
  };
}

/** What a strategy that comes with varve was made with, beside what its session holds as options of its own. */
const ownOptions = ({ name, settings = {} }: Strategy): [string, unknown][] =>
  isBuiltIn(name) ? Object.entries(settings).filter(([option]) => !Object.hasOwn(aloneFields, option)) : [];

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== "object" || value === null)
    return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
}

const HELD: Readonly<Record<keyof HeldOptions, true>> = { ...SESSION_OPTIONS, strategyOptions: true, missing: true };

/**
 * The options that a session was left with. Those of other versions are passed over; 0.1.0 stored no name of a strategy
 * where none was given.
 */
export function storedOptions(value: unknown): HeldOptions | undefined {
  if (!isObject(value)) return undefined;
  const stored = Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(HELD, name)));
  return { strategy: PLAIN_STRATEGY, ...stored };
}

/** The same as an application would give them. */
export const givenOptions = ({ strategyOptions: _own, missing: _missing, ...options }: HeldOptions): SessionOptions =>
  options;

/** Without what the strategy no longer takes, as where another release has stored it; whoever listens is told. */
export function usableOptions(options: HeldOptions, warn: (warning: VarveError) => void): HeldOptions {
  const { strategyOptions, ...rest } = options;
  if (strategyOptions === undefined) return options;
  try {
    resolveStrategy(options.strategy, strategyOptions);
    return options;
  } catch (error) {
    if (!VarveError.isInstance(error) || error.code !== "invalid-option") throw error;
    warn(error);
    return rest;
  }
}

/** What to say of options that a session goes on without, where somebody else's summariser does not do for its own. */
export function notStored(id: string, { missing = [] }: HeldOptions, hasSummariser: boolean): VarveError | undefined {
  const lost = missing.filter((name) => !(hasSummariser && name === `${OWN}summariser`));
  if (lost.length === 0) return undefined;
  return new VarveError({
    code: "option-not-stored",
    message: `The session "${id}" goes on without ${lost.join(", ")}: a store cannot keep functions, and none was given again.`,
    hint: "Pass what is missing each time that you open the session: archive and counter in its options, what is the strategy's own with the strategy. openVarve({ summariser }) serves all sessions.",
    details: { session: id, missing: lost },
  });
}

/** What to say where a summariser is given for all sessions and the strategy of one never asks it. */
export function withoutSummaries(id: string, { strategy, strategyOptions }: HeldOptions): VarveError | undefined {
  const { name, withSummariser, work } = resolveStrategy(strategy, strategyOptions);
  if (withSummariser !== undefined || work !== undefined) return undefined;
  return new VarveError({
    code: "invalid-option",
    message: `The summariser is never asked in the session "${id}": the strategy ${name} shows no summaries.`,
    hint: "Choose a strategy that does, such as hierarchical, or leave the summariser out.",
    details: { session: id, option: "summariser", strategy: name },
  });
}
