import { z } from "zod";
import type { Fault } from "../digest/verify.js";
import { invalidOption } from "../errors.js";
import { logOf } from "../message/log.js";
import { isObject } from "../message/plain-value.js";
import { OPENER } from "../message/repair.js";
import { checkMessages } from "../message/seal-message.js";
import type { AssistantMessage, Message } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import type { Budget } from "../view/budget.js";
import { countMessages } from "../view/count-messages.js";
import { freshState, type Plan } from "../view/plan.js";
import { planView } from "../view/plan-view.js";
import type { Policy, TailExchange } from "../view/policy.js";
import { readingOf } from "../view/reading.js";
import { render } from "../view/render.js";
import { resolveSettings, type WindowSettings } from "../view/settings.js";
import { called, checkedOptions, summariser, whole, windowFields } from "../view/strategies/check-options.js";
import { dueCut } from "../view/strategies/thresholds.js";
import { compactedMessage, type EarlierSummary, readCompacted } from "./compacted-context.js";
import { heldSummary } from "./held-summary.js";
import { pruneMessages } from "./prune-messages.js";
import { splitByTurns, type TurnSplit } from "./turns.js";

/** The caller's conversation. */
export interface CompactableContext {
  readonly messages: readonly Message[];
}

const fields = z.strictObject({
  ...windowFields,
  /** Writes the summaries; without one they are made of the conversation's own words. */
  summariser: summariser.optional(),
  /** Turns at the end that stay as they are; 6 unless given. */
  keepLastTurns: whole(1, " of turns").default(6),
  /** Attempts allowed before the caller starts counting anew; 2 unless given. */
  maxAttempts: whole(0, " of attempts").default(2),
  /** Attempts made already: `attempts` of the call before. Start at 0 with each request of the user. */
  attempts: whole(0, " of attempts").default(0),
  /** Compacts below the trigger too. */
  force: z.boolean("true or false").default(false),
  /** Why the model stopped, as its provider says it: "length" and its synonyms force a compaction. */
  finishReason: z.string("a text").nullish(),
  /** Tokens that a summary may take; an eighth of the window unless given. */
  summaryTokens: whole(1, " of tokens").optional(),
  /** What the summary is to keep above all. */
  focus: z.string("a text").optional(),
  /** Ends the wait for the summariser; the last turns then stand alone. */
  signal: z.custom<AbortSignal>().optional(),
  onCompacted: called<(report: CompactedReport) => void | Promise<void>>("a function that takes a report").optional(),
});
export type MaybeCompactOptions = WindowSettings & Readonly<z.input<typeof fields>>;

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

/** What `onCompacted` is told: `messages` take the place of the context's. */
export interface CompactedReport extends Pick<ContextCompaction, "ratio" | "level" | "attempts" | "reason"> {
  readonly before: number;
  readonly after: number;
  readonly messages: readonly Message[];
}

const WINDOW = 64_000;
const TRIGGER = 0.75;
const TARGET = 0.5;
const SUMMARY_SHARE = 1 / 8;
/** How providers say that the model stopped for length. */
const LENGTH = new Set(["length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"]);

/**
 * Compacts a conversation that has reached its trigger: the old turns are summarised into one marked message of the
 * assistant, the last turns stay as they are. Where the summariser fails, or its summary leaves the conversation above
 * the target, only the last turns are kept, as many as fit. A summary that does not hold against its source is asked
 * for once more, and then made of the source's own words, as it is where no summariser is given. The result is legal and smaller than the context, or the
 * context is left as it is and the reason says why. The last turn is never shortened, so the result may lie above the
 * target where that turn alone does.
 *
 * @example
 * ```ts
 * const messages: Message[] = Array.from({ length: 9 }, (_, at) => ({
 *   role: "user",
 *   content: `Question ${at}: `.repeat(20),
 * }));
 * const compaction = await maybeCompactContext({ messages }, { finishReason: "length" });
 * compaction.messages.length; // 8: an opener, the summary, and the last six turns
 * ```
 */
export async function maybeCompactContext(
  context: CompactableContext,
  options: MaybeCompactOptions = {},
): Promise<ContextCompaction> {
  const job = openJob(context, options);
  const { messages, settings, limits, tokensBefore } = job;
  const { force, finishReason, attempts, maxAttempts, keepLastTurns } = settings;
  const isForced = force || LENGTH.has(finishReason?.toLowerCase() ?? "");
  if (messages.length === 0) return reported(job, "empty");
  if (!isForced && tokensBefore < limits.trigger) return reported(job, "below-trigger");
  if (attempts >= maxAttempts) return reported(job, "attempts-exhausted");
  const split = splitByTurns(messages, keepLastTurns);
  const previous = readCompacted(split.old[0]);
  const old = previous === undefined ? split.old : split.old.slice(1);
  if (old.length === 0) return reported(job, "nothing-old");
  const { summary, ...trouble } = await summarised(job, old, previous);
  const [reason, compacted] = smaller(job, split, [summary, previous?.message]);
  const report = { ...reported(job, reason, compacted), attempts: attempts + 1, ...trouble };
  const { tokensBefore: before, tokensAfter: after, ratio, level, messages: taken } = report;
  if (report.didCompact)
    await settings.onCompacted?.({ before, after, ratio, level, attempts: report.attempts, reason, messages: taken });
  return report;
}

interface Job {
  readonly messages: readonly Message[];
  readonly settings: z.output<typeof fields>;
  readonly limits: Budget;
  readonly counter: TokenCounter;
  readonly tokensBefore: number;
}

/** The shares are those of the window itself where no model is named: they leave room enough. */
const WHOLE_WINDOW = { reserve: 0, counter: createTokenCounter({ encoding: "o200k" }) };

function openJob(context: unknown, options: unknown): Job {
  const messages = isObject(context) ? context.messages : undefined;
  if (!Array.isArray(messages))
    throw invalidOption({
      option: "context",
      value: context,
      allowed: "an object with a list of messages: { messages }",
    });
  checkMessages(messages);
  const settings = checkedOptions("maybeCompactContext", fields, options);
  const { model, window = model === undefined ? WINDOW : undefined, trigger = TRIGGER } = settings;
  const target = settings.target ?? Math.min(TARGET, trigger);
  const whole = model === undefined ? WHOLE_WINDOW : {};
  const { budget: limits, counter } = resolveSettings({ ...whole, ...settings, window, trigger, target });
  return { messages, settings, limits, counter, tokensBefore: countMessages(messages, counter) };
}

interface Summarised extends Pick<ContextCompaction, "error" | "faults"> {
  readonly summary?: AssistantMessage;
}

/** The marked summary of the old turns, or what kept the summariser from giving one. */
async function summarised(
  { settings, limits, counter }: Job,
  old: readonly Message[],
  previous: EarlierSummary | undefined,
): Promise<Summarised> {
  const { summariser, focus, signal, summaryTokens = limits.usable * SUMMARY_SHARE } = settings;
  const tokensBefore = countMessages(previous === undefined ? old : [previous.message, ...old], counter);
  const maxTokens = Math.max(1, Math.min(Math.round(summaryTokens), tokensBefore));
  const carried = { ...(previous && { previous: previous.text }), ...(focus !== undefined && { focus }) };
  try {
    const asked = heldSummary(summariser, { messages: old, maxTokens, counter, ...carried, ...(signal && { signal }) });
    const { text, faults } = await (signal === undefined ? asked : orAborted(asked, signal));
    const messages = old.length + (previous?.messages ?? 0);
    const summary = compactedMessage(text, { level: (previous?.level ?? 0) + 1, messages, tokensBefore });
    return faults.length === 0 ? { summary } : { summary, faults };
  } catch (error) {
    return { error };
  }
}

/** Rejects once the signal is given, also where the summariser does not heed it. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: end, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([promise, end]).finally(() => signal.removeEventListener("abort", abort));
}

/**
 * The new context: all turns that are to be kept, behind the summary; else as many of the last as fit the target, behind
 * the summary, behind the one before it, or alone; else the last one, with a summary if that can be.
 */
function smaller(
  { messages, settings, limits, counter, tokensBefore }: Job,
  { system, recent }: TurnSplit,
  [summary, previous]: readonly (AssistantMessage | undefined)[],
): [CompactionReason, Form?] {
  const most = Math.min(limits.target, tokensBefore - 1);
  const fits = ({ plan }: Form, limit: number) => plan.leftOut === 0 && plan.tokens <= limit;
  const whole = summary && formOf([...system, summary, ...recent], counter);
  if (whole !== undefined && fits(whole, most)) return ["summarised", whole];
  const kept = splitByTurns(pruneMessages(messages), settings.keepLastTurns).recent;
  const turns = turnsIn(kept, counter);
  const heads = [summary, previous].filter((head) => head !== undefined).map((head) => [OPENER, head]);
  const forms = [...heads, []].map((head) => {
    const room = most - countMessages([...system, ...head], counter);
    const cut = dueCut(turns, { tokens: { limit: room, keep: room } }) ?? 0;
    return formOf([...system, ...head, ...kept.slice(cut)], counter);
  });
  const form =
    forms.find((each) => fits(each, most)) ??
    forms.find((each) => fits(each, Math.min(limits.trigger, tokensBefore) - 1)) ??
    forms.findLast(({ plan }) => plan.tokens < tokensBefore);
  return form === undefined ? ["removed-nothing"] : ["last-turns", form];
}

/** The turns as the thresholds of a plan measure them. */
function turnsIn(messages: readonly Message[], counter: TokenCounter): TailExchange[] {
  const opening = [...messages.keys()].filter((at) => at === 0 || messages[at]!.role === "user");
  return opening.map((at, turn) => {
    const said = messages.slice(at, opening[turn + 1]);
    return { at, turn, entries: said.length, tokens: countMessages(said, counter) };
  });
}

/** A context as the one plan shows it: legal, counted, and opened by a user. */
interface Form {
  readonly messages: Message[];
  readonly plan: Plan;
}

const ENDLESS = Number.MAX_SAFE_INTEGER;
const BUDGET: Budget = { window: ENDLESS, reserve: 0, usable: ENDLESS, trigger: ENDLESS, target: ENDLESS };
const past = { bound: () => 0, write: () => undefined };
const POLICY: Policy = { name: "compaction", lockLast: 0, resultShare: 1, clears: false, past };

/** Nothing is cut but what has more messages than a provider takes. */
function formOf(messages: readonly Message[], counter: TokenCounter): Form {
  const log = logOf(messages);
  const reading = readingOf(log, counter, ENDLESS);
  const plan = planView({ reading, budget: BUDGET, state: freshState(log.start), request: {}, pinned: [] }, POLICY);
  return { messages: render(plan, log), plan };
}

/** What became of the context; it stays as it is where no form takes its place. */
function reported(
  { messages: given, settings, tokensBefore }: Job,
  reason: CompactionReason,
  form?: Form,
): ContextCompaction {
  const messages = form?.messages ?? [...given];
  const tokensAfter = form?.plan.tokens ?? tokensBefore;
  const first = messages.find(({ role }) => role === "assistant");
  return {
    didCompact: form !== undefined,
    reason,
    messages,
    tokensBefore,
    tokensAfter,
    ratio: form === undefined ? 1 : tokensAfter / tokensBefore,
    level: readCompacted(first)?.level ?? 0,
    attempts: settings.attempts,
  };
}
