import { invalidOption, VarveError } from "../../errors.js";
import { checkNames, type OptionNames } from "../../message/option-names.js";
import { isObject } from "../../message/plain-value.js";
import type { Strategy } from "../strategy.js";
import { DEFAULT_STRATEGY } from "./default-strategy.js";
import { hierarchical } from "./hierarchical.js";
import { importance } from "./importance.js";
import { slidingWindow } from "./sliding-window.js";
import { summarization } from "./summarization.js";

/**
 * Makes a strategy; gets the `config` of a plug-in's file, and nothing where a session asks for it by name. One that comes
 * with varve gets what a store kept of its options.
 */
export type StrategyFactory = (config?: Readonly<Record<string, unknown>>) => Strategy;

/** They check what they are given, so that it may come from anywhere. */
const BUILT_IN: Readonly<Record<string, StrategyFactory>> = {
  "sliding-window": slidingWindow,
  hierarchical,
  importance,
  summarization,
};

/** Whether the strategy of this name comes with varve: then its options make it again. */
export const isBuiltIn = (name: string): boolean => Object.hasOwn(BUILT_IN, name);

const factories = new Map(Object.entries(BUILT_IN));
const OPTIONS: OptionNames<RegisterOptions> = { replace: true };

export interface RegisterOptions {
  /** Takes the place of a strategy that was registered under this name before; a name is refused twice unless given. */
  readonly replace?: boolean;
}

/**
 * Makes a strategy known by name to every session of this process.
 *
 * @example
 * ```ts
 * registerStrategy("short", () => slidingWindow({ lockLast: 2 }));
 * const session = await varve.session("ann:coder:1", { window: 8_000, strategy: "short" });
 * ```
 */
export function registerStrategy(name: string, factory: StrategyFactory, options: RegisterOptions = {}): void {
  if (typeof name !== "string" || name === "")
    throw invalidOption({ option: "name", value: name, allowed: "a name for the strategy" });
  if (typeof factory !== "function")
    throw invalidOption({ option: "factory", value: factory, allowed: "a function that makes the strategy" });
  checkNames(options, OPTIONS, "registerStrategy");
  if (isBuiltIn(name) || (factories.has(name) && !options.replace))
    throw new VarveError({
      code: "invalid-option",
      message: `There is a strategy "${name}" already.`,
      hint: isBuiltIn(name)
        ? "Choose another name: those of the strategies that come with varve stay theirs."
        : "Choose another name, or register it with { replace: true }.",
      details: { option: "name", value: name },
    });
  factories.set(name, factory);
}

/** What makes the strategy of this name, where there is one that was registered or comes with varve. */
export const strategyFactory = (name: string): StrategyFactory | undefined => factories.get(name);

/**
 * A strategy by name, or the strategy itself; the default where none is given. Options make those that come with varve;
 * others were registered with theirs.
 */
export function resolveStrategy(
  strategy: string | Strategy = DEFAULT_STRATEGY,
  options?: Readonly<Record<string, unknown>>,
): Strategy {
  const isName = typeof strategy === "string";
  const create = isName ? strategyFactory(strategy) : undefined;
  if (isName && create === undefined) throw unknownStrategy(strategy);
  const made: unknown = create === undefined ? strategy : create(isBuiltIn(strategy as string) ? options : undefined);
  if (isStrategy(made)) return made;
  const allowed = `one of ${strategyNames()}, or a Strategy: a name and the method plan`;
  throw invalidOption({ option: "strategy", value: made, allowed });
}

export const unknownStrategy = (name: string): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `There is no strategy "${name}".`,
    hint: `Use one of ${strategyNames()}, pass a strategy of your own, or make it known with registerStrategy.`,
    details: { option: "strategy", value: name },
  });

export const isStrategy = (value: unknown): value is Strategy =>
  isObject(value) && typeof value.name === "string" && typeof value.plan === "function";

/** All names that a session may give, for error messages. */
export const strategyNames = (): string => [...factories.keys()].join(", ");
