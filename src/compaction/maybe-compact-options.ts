import { checkSummariser } from "../digest/check-summariser.js";
import type { Summariser } from "../digest/summariser.js";
import type { Fault } from "../digest/verify.js";
import { invalidOption, VarveError } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import type { Message } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import type { Budget } from "../view/budget.js";
import { resolveSettings, WINDOW_SETTINGS, type WindowSettings } from "../view/settings.js";

/** Why a context was compacted, or why not. */
export type CompactionReason =
  /** A summary stands in for the old turns. */
  | "summarised"
  /** The summariser failed or said too much: only the last turns are left, with an earlier summary where it fits. */
  | "last-turns"
  | "empty"
  | "below-trigger"
  /** There are no more turns than are to be kept. */
  | "nothing-old"
  | "attempts-exhausted"
  /** No form of the context would have been smaller than it is. */
  | "removed-nothing";

/** What became of a context. The caller's own messages are never changed: `messages` are to take their place. */
export interface ContextCompaction {
  readonly didCompact: boolean;
  readonly reason: CompactionReason;
  readonly messages: Message[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens after over tokens before; 1 where nothing was done. */
  readonly ratio: number;
  /** Level of the summary in `messages`; 0 where there is none. */
  readonly level: number;
  /** Attempts made so far, those handed in included: hand it in again with the next call. */
  readonly attempts: number;
  /** What the summariser threw, where it failed. */
  readonly error?: unknown;
  /** What was wrong with summaries that were not taken, where there were any. */
  readonly faults?: readonly Fault[];
}

/** What `onCompacted` is told. */
export interface CompactedReport {
  readonly before: number;
  readonly after: number;
  readonly ratio: number;
  readonly level: number;
  readonly attempts: number;
  readonly reason: CompactionReason;
  /** The messages that take the place of the context's. */
  readonly messages: readonly Message[];
}

export interface MaybeCompactOptions extends WindowSettings {
  /** Writes the summaries; without one they are made of the conversation's own words. */
  readonly summariser?: Summariser;
  /** Turns at the end that stay as they are; 6 unless given. */
  readonly keepLastTurns?: number;
  /** Attempts allowed before the caller starts counting anew; 2 unless given. */
  readonly maxAttempts?: number;
  /** Attempts made already: `attempts` of the call before. Start at 0 with each request of the user. */
  readonly attempts?: number;
  /** Compacts below the trigger too. */
  readonly force?: boolean;
  /** Why the model stopped, as its provider says it: "length" and its synonyms force a compaction. */
  readonly finishReason?: string | null;
  /** Tokens that a summary may take; an eighth of the window unless given. */
  readonly summaryTokens?: number;
  /** What the summary is to keep above all. */
  readonly focus?: string;
  /** Ends the wait for the summariser; the last turns then stand alone. */
  readonly signal?: AbortSignal;
  readonly onCompacted?: (report: CompactedReport) => void | Promise<void>;
}

/** The options with every default filled in. */
export interface ResolvedOptions {
  readonly budget: Budget;
  readonly counter: TokenCounter;
  readonly keepLastTurns: number;
  readonly maxAttempts: number;
  readonly attempts: number;
  readonly summaryTokens: number;
}

const WINDOW = 64_000;
const TRIGGER = 0.75;
const TARGET = 0.5;
const KEEP_LAST_TURNS = 6;
const MAX_ATTEMPTS = 2;
const SUMMARY_SHARE = 1 / 8;

/** How providers say that the model stopped for length. */
const LENGTH = new Set(["length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"]);

export const isForced = ({ force = false, finishReason }: MaybeCompactOptions): boolean =>
  force || LENGTH.has(finishReason?.toLowerCase() ?? "");

export function resolveOptions(options: MaybeCompactOptions): ResolvedOptions {
  checkOptions(options);
  const { model, trigger = TRIGGER, keepLastTurns = KEEP_LAST_TURNS, maxAttempts = MAX_ATTEMPTS } = options;
  const window = options.window ?? (model === undefined ? WINDOW : undefined);
  const target = options.target ?? Math.min(TARGET, trigger);
  const { budget, counter } = resolveSettings({ ...options, trigger, target, ...(window !== undefined && { window }) });
  const attempts = options.attempts ?? 0;
  const summaryTokens = options.summaryTokens ?? Math.max(1, Math.round(budget.usable * SUMMARY_SHARE));
  check({ keepLastTurns }, 1);
  check({ maxAttempts }, 0);
  check({ attempts }, 0);
  check({ summaryTokens }, 1);
  return { budget, counter: remembering(counter), keepLastTurns, maxAttempts, attempts, summaryTokens };
}

const OPTIONS: OptionNames<MaybeCompactOptions> = {
  ...WINDOW_SETTINGS,
  summariser: true,
  keepLastTurns: true,
  maxAttempts: true,
  attempts: true,
  force: true,
  finishReason: true,
  summaryTokens: true,
  focus: true,
  signal: true,
  onCompacted: true,
};

function checkOptions(options: unknown): void {
  const { summariser, onCompacted } = checkNames(options, OPTIONS, "maybeCompactContext");
  if (summariser !== undefined) checkSummariser(summariser);
  if (onCompacted !== undefined && typeof onCompacted !== "function")
    throw invalidOption({ option: "onCompacted", value: onCompacted, allowed: "a function that takes a report" });
}

function check(option: Record<string, number>, least: number): void {
  const [name, value] = Object.entries(option)[0]!;
  if (Number.isInteger(value) && value >= least) return;
  throw new VarveError({
    code: "invalid-option",
    message: `The option ${name} of maybeCompactContext is ${value}.`,
    hint: `Give ${name} as a whole number from ${least}.`,
    details: { option: name, value },
  });
}

/** Several forms of one context are weighed against each other; most of their messages are the same. */
function remembering(counter: TokenCounter): TokenCounter {
  const counts = new WeakMap<Message, number>();
  const message = (each: Message): number => {
    const tokens = counts.get(each) ?? counter.message(each);
    counts.set(each, tokens);
    return tokens;
  };
  const { name, errorBound } = counter;
  return { name, errorBound, text: (text) => counter.text(text), tools: (tools) => counter.tools(tools), message };
}
