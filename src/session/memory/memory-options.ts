import { invalidOption } from "../../errors.js";
import { checkScope } from "../../memory/check-input.js";
import { type OptionNames, unknownName, unknownOption } from "../../message/option-names.js";
import { isObject } from "../../message/plain-value.js";
import type { Scope } from "../../store/memories/memories.js";
import type { Budget } from "../../view/budget.js";

/** What a session does with memories. Plain data: the store keeps it with the session's other options. */
export interface SessionMemoryOptions {
  /** Whose memories are shown and added to: at least one of tenant, user, agent, project, session. */
  readonly scope: Scope;
  /** Whether views show the memories that the latest user message asks for; true unless given. */
  readonly recall?: boolean;
  /** Whether what user and agent say is stored once a turn is complete; true unless given. */
  readonly learn?: boolean;
  /** Share of the usable tokens that the memories in a view may take; 0.1 unless given. */
  readonly share?: number;
  /** Memories in a view at most; 10 unless given. */
  readonly limit?: number;
  /** Shows only memories whose similarity to the question is at least this, from 0 to 1. */
  readonly similarityThreshold?: number;
  /** Whether the results of tools are stored too; false unless given. */
  readonly tools?: boolean;
}

const SHARE = 0.1;
const LIMIT = 10;
const KNOWN: OptionNames<SessionMemoryOptions> = {
  scope: true,
  recall: true,
  learn: true,
  share: true,
  limit: true,
  similarityThreshold: true,
  tools: true,
};

/** The same with what is meant where nothing is given. */
export type SessionMemorySettings = Required<Omit<SessionMemoryOptions, "similarityThreshold">> &
  Pick<SessionMemoryOptions, "similarityThreshold">;

export const memorySettings = (options: SessionMemoryOptions): SessionMemorySettings => ({
  recall: true,
  learn: true,
  share: SHARE,
  limit: LIMIT,
  tools: false,
  ...options,
});

/** Refuses options that are none, before a session goes by them. */
export function checkSessionMemory(options: unknown): void {
  if (options === undefined) return;
  if (!isObject(options)) throw refusal("memory", options, 'an object, such as { scope: { user: "ann" } }');
  const unknown = unknownName(options, KNOWN);
  const known = Object.keys(KNOWN);
  if (unknown !== undefined) throw unknownOption({ option: `memory.${unknown}`, known, of: "a session" });
  checkScope(options.scope);
  for (const name of ["recall", "learn", "tools"]) {
    if (options[name] !== undefined && typeof options[name] !== "boolean")
      throw refusal(`memory.${name}`, options[name], "true or false");
  }
  checkNumbers(options);
}

function checkNumbers({ share, limit, similarityThreshold }: Readonly<Record<string, unknown>>): void {
  if (share !== undefined && !(isNumber(share) && share > 0 && share <= 0.5))
    throw refusal("memory.share", share, "a share above 0 and up to 0.5");
  if (limit !== undefined && !(isNumber(limit) && Number.isInteger(limit) && limit >= 1))
    throw refusal("memory.limit", limit, "a whole number from 1");
  const threshold = similarityThreshold;
  if (threshold !== undefined && !(isNumber(threshold) && threshold >= 0 && threshold <= 1))
    throw refusal("memory.similarityThreshold", threshold, "a number from 0 to 1");
}

const isNumber = (value: unknown): value is number => typeof value === "number";

const refusal = (option: string, value: unknown, allowed: string) => invalidOption({ option, value, allowed });

/**
 * The budget of a session whose views show memories: what is said is reduced a little earlier, so that there is room for
 * them. What cannot be reduced may still take all there is.
 */
export function withMemoryShare(budget: Budget, options: SessionMemoryOptions | undefined): Budget {
  if (options === undefined) return budget;
  const { recall, share } = memorySettings(options);
  if (!recall) return budget;
  const { usable, affordable } = budget;
  const trigger = Math.min(budget.trigger, Math.floor(Math.min(usable, affordable ?? usable) * (1 - share)));
  const target = Math.min(budget.target, trigger);
  const less = affordable === undefined ? {} : { affordable: Math.floor(affordable * (1 - share)) };
  return {
    ...budget,
    trigger,
    target,
    ...less,
    ...(budget.floor !== undefined && { floor: Math.min(budget.floor, target) }),
  };
}
