import { invalidOption } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import { repair } from "../message/repair.js";
import { checkMessage } from "../message/seal-message.js";
import type { AssistantMessage, Message } from "../message/types.js";
import { countMessages } from "../view/count-messages.js";
import { compactedMessage, type EarlierSummary, readCompacted } from "./compacted-context.js";
import { type HeldSummary, heldSummary } from "./held-summary.js";
import {
  type CompactionReason,
  type ContextCompaction,
  isForced,
  type MaybeCompactOptions,
  type ResolvedOptions,
  resolveOptions,
} from "./maybe-compact-options.js";
import { pruneMessages } from "./prune-messages.js";
import { splitByTurns } from "./turns.js";

/** The caller's conversation. */
export interface CompactableContext {
  readonly messages: readonly Message[];
}

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
  const input = measure(checkContext(context), options);
  const idle = idleReason(input);
  if (idle !== undefined) return unchanged(input, idle);
  const job = openJob(input);
  if (job.old.length === 0) return unchanged(input, "nothing-old");
  const { summary, ...trouble } = await summariseOld(job);
  const report = { ...outcomeOf(job, summary), ...trouble };
  if (report.didCompact) await tell(report, options);
  return report;
}

function checkContext(context: unknown): readonly Message[] {
  const messages = isObject(context) ? context.messages : undefined;
  if (!Array.isArray(messages))
    throw invalidOption({
      option: "context",
      value: context,
      allowed: "an object with a list of messages: { messages }",
    });
  for (const [at, message] of messages.entries()) checkMessage(message, at);
  return messages;
}

interface Input {
  readonly messages: readonly Message[];
  readonly options: MaybeCompactOptions;
  readonly settings: ResolvedOptions;
  readonly tokensBefore: number;
}

function measure(messages: readonly Message[], options: MaybeCompactOptions): Input {
  const settings = resolveOptions(options);
  return { messages, options, settings, tokensBefore: countMessages(messages, settings.counter) };
}

function idleReason({ messages, options, settings, tokensBefore }: Input): CompactionReason | undefined {
  if (messages.length === 0) return "empty";
  if (!isForced(options) && tokensBefore < settings.budget.trigger) return "below-trigger";
  return settings.attempts >= settings.maxAttempts ? "attempts-exhausted" : undefined;
}

/** An input that is due, taken apart. */
interface Job extends Input {
  readonly system: readonly Message[];
  readonly old: readonly Message[];
  readonly recent: readonly Message[];
  /** The summary of an earlier compaction, which is no part of `old`. */
  readonly previous: EarlierSummary | undefined;
}

function openJob(input: Input): Job {
  const { system, old, recent } = splitByTurns(input.messages, input.settings.keepLastTurns);
  const previous = readCompacted(old[0]);
  return { ...input, system, old: previous === undefined ? old : old.slice(1), recent, previous };
}

interface Summarised extends Pick<ContextCompaction, "error" | "faults"> {
  readonly summary?: AssistantMessage;
}

/** The marked summary of the old turns, or what kept the summariser from giving one. */
async function summariseOld(job: Job): Promise<Summarised> {
  const { old, previous, settings } = job;
  const replaced = previous === undefined ? old : [previous.message, ...old];
  const tokensBefore = countMessages(replaced, settings.counter);
  try {
    const { text, faults } = await answer(job, Math.max(1, Math.min(settings.summaryTokens, tokensBefore)));
    const messages = old.length + (previous?.messages ?? 0);
    const summary = compactedMessage(text, { level: (previous?.level ?? 0) + 1, messages, tokensBefore });
    return faults.length === 0 ? { summary } : { summary, faults };
  } catch (error) {
    return { error };
  }
}

async function answer({ old, previous, settings, options }: Job, maxTokens: number): Promise<HeldSummary> {
  const { summariser, focus, signal } = options;
  const summary = heldSummary(summariser, {
    messages: old,
    maxTokens,
    counter: settings.counter,
    ...(previous && { previous: previous.text }),
    ...(focus !== undefined && { focus }),
    ...(signal && { signal }),
  });
  return signal === undefined ? summary : orAborted(summary, signal);
}

/** Rejects once the signal is given, also where the summariser does not heed it. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: end, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([promise, end]).finally(() => signal.removeEventListener("abort", abort));
}

/** The new context, or the old one where none that could be made is smaller. */
function outcomeOf(job: Job, summary: AssistantMessage | undefined): ContextCompaction {
  if (summary !== undefined) {
    const messages = legal([...job.system, summary, ...job.recent]);
    if (isWithin(job, messages, job.settings.budget.target)) return compacted(job, messages, "summarised");
  }
  const messages = lastTurns(job, summary);
  return messages === undefined ? unchanged(job, "removed-nothing", 1) : compacted(job, messages, "last-turns");
}

const isWithin = ({ settings, tokensBefore }: Job, messages: readonly Message[], limit: number): boolean =>
  countMessages(messages, settings.counter) <= Math.min(limit, tokensBefore - 1);

/** As many of the last turns as fit the target; where not even one does, the last one, with a summary if that can be. */
function lastTurns(job: Job, summary: AssistantMessage | undefined): Message[] | undefined {
  const { keepLastTurns, budget } = job.settings;
  const counts = Array.from({ length: keepLastTurns }, (_, at) => keepLastTurns - at);
  const forms = formsOf(job, summary, counts);
  const single = formsOf(job, summary, [1]);
  return (
    forms.find((form) => isWithin(job, form, budget.target)) ??
    single.find((form) => isWithin(job, form, budget.trigger - 1)) ??
    single.findLast((form) => isWithin(job, form, Number.POSITIVE_INFINITY))
  );
}

/** The last turns by these numbers: first behind the new summary, then behind the one before it, then alone. */
function formsOf({ messages, previous }: Job, summary: AssistantMessage | undefined, counts: number[]): Message[][] {
  const pruned = pruneMessages(messages);
  const heads = [summary, previous?.message].filter((head) => head !== undefined).map((head) => [head]);
  const tails = counts.map((turns) => splitByTurns(pruned, turns));
  return [...heads, []].flatMap((head) => tails.map(({ system, recent }) => legal([...system, ...head, ...recent])));
}

const legal = (messages: readonly Message[]): Message[] => repair(messages).messages;

function compacted(job: Job, messages: Message[], reason: CompactionReason): ContextCompaction {
  const { tokensBefore, settings } = job;
  const tokensAfter = countMessages(messages, settings.counter);
  return {
    didCompact: true,
    reason,
    messages,
    tokensBefore,
    tokensAfter,
    ratio: tokensAfter / tokensBefore,
    level: levelOf(messages),
    attempts: settings.attempts + 1,
  };
}

function unchanged(input: Input, reason: CompactionReason, attempts = 0): ContextCompaction {
  const { messages, tokensBefore, settings } = input;
  return {
    didCompact: false,
    reason,
    messages: [...messages],
    tokensBefore,
    tokensAfter: tokensBefore,
    ratio: 1,
    level: levelOf(messages),
    attempts: settings.attempts + attempts,
  };
}

/** The level of the summary that a conversation starts with. */
function levelOf(messages: readonly Message[]): number {
  const first = messages.find((message) => message.role === "assistant");
  return readCompacted(first)?.level ?? 0;
}

async function tell(compaction: ContextCompaction, { onCompacted }: MaybeCompactOptions): Promise<void> {
  const { tokensBefore: before, tokensAfter: after, ratio, level, attempts, reason, messages } = compaction;
  await onCompacted?.({ before, after, ratio, level, attempts, reason, messages });
}
