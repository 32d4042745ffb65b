import { describeValue, invalidOption, VarveError } from "../errors.js";
import type { AnyTool, Message } from "../message/types.js";

/**
 * Counts tokens for one model. `errorBound` says how far the true count may lie above the number given, as a
 * fraction of it: 0 where the tokenizer is public, at most 0.1 where it is estimated. Budgets plan with it.
 */
export interface TokenCounter {
  /** Names the tokenizer and its calibration; counts of two counters with one name agree. */
  readonly name: string;
  readonly errorBound: number;
  /** What reported usage corrects the count by, already in every number given; absent or 1 where nothing does. */
  readonly factor?: number;
  text(text: string): number;
  /** A message with its overhead, its calls and its media. */
  message(message: Message): number;
  tools(tools: readonly AnyTool[]): number;
}

const METHODS = ["text", "message", "tools"] as const;

/** Refuses what is no counter, before a view is planned with it; what it counts is held against what a count can be. */
export function checkCounter(counter: unknown): TokenCounter {
  if (isCounter(counter)) return guarded(counter);
  const allowed = "a TokenCounter: a name, an errorBound from 0, and the methods text, message and tools";
  throw invalidOption({ option: "counter", value: counter, allowed });
}

function isCounter(value: unknown): value is TokenCounter {
  if (typeof value !== "object" || value === null) return false;
  const counter = value as Partial<TokenCounter>;
  if (typeof counter.name !== "string" || typeof counter.errorBound !== "number") return false;
  return counter.errorBound >= 0 && METHODS.every((method) => typeof counter[method] === "function");
}

/** A number that is none would make every view seem to fit, or none. */
function guarded(counter: TokenCounter): TokenCounter {
  const checked = (tokens: number): number => (isCount(tokens) ? tokens : refuseCount(counter.name, tokens));
  return {
    get name() {
      return counter.name;
    },
    get errorBound() {
      return counter.errorBound;
    },
    ...(counter.factor !== undefined && { factor: counter.factor }),
    text: (text) => checked(counter.text(text)),
    message: (message) => checked(counter.message(message)),
    tools: (tools) => checked(counter.tools(tools)),
  };
}

export const isCount = (tokens: unknown): boolean => typeof tokens === "number" && tokens >= 0 && tokens < Infinity;

/** For a count that is no number of tokens. */
export function refuseCount(name: string, value: unknown): never {
  throw new VarveError({
    code: "invalid-option",
    message: `The counter ${JSON.stringify(name)} counted ${describeValue(value)} tokens.`,
    hint: "A counter gives a number of tokens from 0 for whatever it is asked: mend it, or use createTokenCounter().",
    details: { option: "counter", value, counter: name },
  });
}
