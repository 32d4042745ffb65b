/** Checks of what strategies are made with: a mistake is named where it is made, and not found out by a view. */

import { describeValue, VarveError } from "../../errors.js";
import { unknownOption } from "../../message/option-names.js";
import { isObject } from "../../message/plain-value.js";
import type { WindowSettings } from "../settings.js";

/** What may stand under a name. */
export interface OptionRule {
  readonly allowed: string;
  holds(value: unknown): boolean;
}

/** A rule for every option that a strategy knows. */
export type OptionRules<T> = { readonly [K in keyof Required<T>]: OptionRule };

const within = (low: number, high: number) => (value: unknown) =>
  typeof value === "number" && value >= low && value <= high;
const whole = (least: number) => (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least;
const functionRule = (allowed: string): OptionRule => ({ allowed, holds: (value) => typeof value === "function" });
/** Checked elsewhere, such as a window where it is resolved: that of a session may take its place. */
export const ANY: OptionRule = { allowed: "anything", holds: () => true };

/** Above nothing: a part of no size could show nothing. */
export const SHARE: OptionRule = {
  allowed: "a share above 0 and up to 1",
  holds: (value) => value !== 0 && within(0, 1)(value),
};
export const SHARE_OR_NONE: OptionRule = { allowed: "a share from 0 to 1", holds: within(0, 1) };
const MESSAGES: OptionRule = { allowed: "a whole number of messages from 0", holds: whole(0) };
export const TURNS: OptionRule = { allowed: "a whole number of turns from 1", holds: whole(1) };
const FANOUT: OptionRule = { allowed: "a whole number of digests from 2", holds: whole(2) };
export const FLAG: OptionRule = { allowed: "true or false", holds: (value) => typeof value === "boolean" };
export const NOTE_ROLE: OptionRule = {
  allowed: '"user" or "system"',
  holds: (value) => value === "user" || value === "system",
};
export const LISTENER: OptionRule = functionRule("a function");
export const FIELDS: OptionRule = { allowed: "an object", holds: isObject };

/** Something with a method of this name. */
export const having = (method: string, allowed: string): OptionRule => ({
  allowed,
  holds: (value) => isObject(value) && typeof value[method] === "function",
});

export const ALONE: OptionRules<WindowSettings> & { readonly archive: OptionRule } = {
  window: ANY,
  model: ANY,
  reserve: ANY,
  trigger: ANY,
  target: ANY,
  counter: ANY,
  archive: functionRule("a function that takes messages"),
};

export const TAIL = { lockLast: MESSAGES, resultShare: SHARE };
export const PROSE = {
  summariser: having("summarise", "a summariser, such as modelSummariser(model)"),
  onSummary: LISTENER,
};
export const DIGESTS = { digestShare: SHARE, largestLeafShare: SHARE, fanout: FANOUT, trimShare: SHARE };

/** The options that were given. Refuses names that the strategy does not know and values that it cannot work with. */
export function checkedOptions<T extends object>(strategy: string, options: T, rules: OptionRules<T>): T {
  if (!isObject(options)) throw refused({ strategy, option: "options", value: options, allowed: "an object" });
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [option, value] of given) {
    const rule = Object.hasOwn(rules, option) ? (rules as Record<string, OptionRule>)[option] : undefined;
    if (rule === undefined) throw unknownOption({ option, known: Object.keys(rules), of: strategy });
    if (!rule.holds(value)) throw refused({ strategy, option, value, allowed: rule.allowed });
  }
  return Object.fromEntries(given) as T;
}

interface Refusal {
  readonly strategy: string;
  readonly option: string;
  readonly value: unknown;
  readonly allowed: string;
}

/** The error for an option of a strategy that cannot be what it is. */
export const refused = ({ strategy, option, value, allowed }: Refusal): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `The option ${option} of ${strategy} is ${describeValue(value)}.`,
    hint: `Give ${option} as ${allowed}.`,
    details: { option, value, allowed },
  });
