/** Why a pin is refused: a pin that no view could keep to is an error where it is set. */
import { invalidOption, VarveError } from "../errors.js";
import type { Entry } from "../message/entry.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import type { Pin, PinOptions } from "./pin.js";

const OPTIONS: OptionNames<PinOptions> = { by: true, maxTokens: true, turns: true, until: true };

export function checkPinOptions(options: PinOptions): PinOptions {
  const { by, maxTokens, turns, until } = checkNames(options, OPTIONS, "session.pin");
  if (by !== undefined && by !== "user" && by !== "agent")
    throw invalidOption({ option: "by", value: by, allowed: '"user" or "agent"' });
  checkNumber("maxTokens", maxTokens, "a number of tokens from 1", 1);
  checkNumber("turns", turns, "a whole number of turns from 0", 0);
  if (turns !== undefined && !Number.isInteger(turns))
    throw invalidOption({ option: "turns", value: turns, allowed: "a whole number of turns from 0" });
  checkNumber("until", until, "a time in milliseconds since the epoch", 0);
  return options;
}

// biome-ignore lint/complexity/useMaxParams: a name, a value and its bounds
function checkNumber(option: string, value: unknown, allowed: string, least: number): void {
  if (value === undefined || (typeof value === "number" && value >= least && Number.isFinite(value))) return;
  throw invalidOption({ option, value, allowed });
}

export function nothingToShow({ id, role }: Entry): VarveError {
  const why = role === "system" ? SYSTEM : role === "tool" ? ORPHAN : BLANK;
  return new VarveError({
    code: "pin-refused",
    message: `The entry "${id}" ${why.message}`,
    hint: why.hint,
    details: { entry: id, reason: why.reason },
  });
}

const ORPHAN = {
  reason: "orphan",
  message: "holds a result that no call asked for, which no provider takes: no view shows it.",
  hint: "Pin the entry of the call, or append what it says as a user message and pin that.",
};
const SYSTEM = {
  reason: "system",
  message: "is a system message: views show these at their start without a pin.",
  hint: "Put what must never go into the system prompt of the request.",
};
const BLANK = {
  reason: "blank",
  message: "has nothing to show.",
  hint: "Pin an entry with content; session.entries() lists them.",
};

export const tooLarge = (entry: string, tokens: number, maxTokens: number): VarveError =>
  new VarveError({
    code: "pin-refused",
    message: `The exchange of "${entry}" takes ${tokens} tokens, more than maxTokens, ${maxTokens}.`,
    hint: "Raise maxTokens, or append the part that matters as a message of its own and pin that.",
    details: { entry, reason: "too-large", tokens, maxTokens },
  });

const LISTED = 10;

export function overBudget(pin: Pin, pins: readonly Pin[], budget: number): VarveError {
  const named = pins.slice(0, LISTED).map(({ entry, by, tokens }) => `${entry} (${by}, ${tokens})`);
  const more = pins.length > LISTED ? ` and ${pins.length - LISTED} more` : "";
  const beside = named.length === 0 ? "" : ` Pinned are ${named.join(", ")}${more}.`;
  return new VarveError({
    code: "pin-refused",
    message: `A pin of "${pin.entry}" needs ${pin.tokens} tokens; all pins may take ${budget}.${beside}`,
    hint: "Unpin something first, or give the session a larger pinBudget.",
    details: { entry: pin.entry, reason: "budget", tokens: pin.tokens, budget, pins },
  });
}
