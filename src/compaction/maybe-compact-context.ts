import { z } from "zod";
import { invalidOption, VarveError } from "../errors.js";
import { messageText } from "../message/content.js";
import { type Log, logOf, lowest } from "../message/log.js";
import { isObject } from "../message/plain-value.js";
import type { Position } from "../message/positions.js";
import { checkMessages } from "../message/seal-message.js";
import type { AssistantMessage, Message } from "../message/types.js";
import { extractiveSummariser } from "../notes/extractive-summariser.js";
import type { SummaryRequest } from "../notes/summariser.js";
import type { TokenCounter } from "../tokens/counter.js";
import type { Budget } from "../view/budget.js";
import { countMessages } from "../view/count-messages.js";
import { freshState, type Plan } from "../view/plan.js";
import { planView } from "../view/plan-view.js";
import type { Policy } from "../view/policy.js";
import { readingOf } from "../view/reading.js";
import { render } from "../view/render.js";
import { resolveSettings, type WindowSettings, windowFields } from "../view/settings.js";
import { called, checkedOptions, summariser, whole } from "../view/strategies/check-options.js";
import { type AskedSummary, askSummary } from "./ask-summary.js";
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
  /** Tokens that a summary may take, at most half of what it replaces; an eighth of the window unless given. */
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
export interface ContextCompaction extends Omit<AskedSummary, "text"> {
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
/** Share of what it replaces that a summary may take, or nothing is gained. */
const LARGEST_SUMMARY = 0.5;
/** How providers say that the model stopped for length. */
const LENGTH = new Set(["length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"]);

/**
 * Compacts a conversation that has reached its trigger: the old turns are summarised into one marked message of the
 * assistant, the last turns stay as they are. Where the summariser fails, or its summary leaves the conversation above
 * the target, only the last turns are kept, as many as fit. A summary that does not hold against its source is asked
 * for once more, and then made of the source's own words, as it is where no summariser is given. The result is legal and
 * smaller than the context, or the context is left as it is and the reason says why. The last turn is never shortened,
 * so the result may lie above the target where that turn alone does.
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
  const { force, finishReason, attempts, maxAttempts, keepLastTurns, onCompacted } = settings;
  const unchanged = { didCompact: false, messages: [...messages], tokensBefore, tokensAfter: tokensBefore, ratio: 1 };
  const left = (reason: CompactionReason) => ({ ...unchanged, reason, level: levelOf(messages), attempts });
  const isForced = force || LENGTH.has(finishReason?.toLowerCase() ?? "");
  if (messages.length === 0) return left("empty");
  if (!isForced && tokensBefore < limits.trigger) return left("below-trigger");
  if (attempts >= maxAttempts) return left("attempts-exhausted");
  const split = splitByTurns(messages, keepLastTurns);
  const previous = readCompacted(split.old[0]);
  if (split.old.length === (previous === undefined ? 0 : 1)) return left("nothing-old");
  const { summary, ...trouble } = await summarised(job, split.old);
  const [reason, form] = smaller(job, split, [summary, previous?.message]);
  const tried = { ...left(reason), ...trouble, attempts: attempts + 1 };
  if (form === undefined) return tried;
  const { tokens: after } = form.plan;
  const taken = render(form.plan, form.log);
  const told = { messages: taken, level: levelOf(taken), ratio: after / tokensBefore, attempts: attempts + 1, reason };
  await onCompacted?.({ before: tokensBefore, after, ...told });
  return { ...tried, ...told, didCompact: true, tokensAfter: after };
}

const levelOf = (messages: readonly Message[]): number =>
  readCompacted(messages.find(({ role }) => role === "assistant"))?.level ?? 0;

type Job = ReturnType<typeof openJob>;

function openJob(context: CompactableContext, options: MaybeCompactOptions) {
  const allowed = "an object with a list of messages: { messages }";
  if (!isObject(context) || !Array.isArray(context.messages))
    throw invalidOption({ option: "context", value: context, allowed });
  const { messages } = context;
  checkMessages(messages);
  const settings = checkedOptions("maybeCompactContext", fields, options);
  const { model, window = model === undefined ? WINDOW : undefined, trigger = TRIGGER } = settings;
  const target = settings.target ?? Math.min(TARGET, trigger);
  const { budget: limits, counter } = resolveSettings({ ...settings, window, trigger, target });
  return { messages, settings, limits, counter, tokensBefore: countMessages(messages, counter) };
}

/** The marked summary of the old turns, the one before it carried on; or what kept the summariser from giving one. */
async function summarised(
  { settings, limits, counter }: Job,
  old: readonly Message[],
): Promise<Omit<AskedSummary, "text"> & { readonly summary?: AssistantMessage }> {
  const { summariser, focus, signal, summaryTokens = limits.usable * SUMMARY_SHARE } = settings;
  const previous = readCompacted(old[0]);
  const messages = previous === undefined ? old : old.slice(1);
  const tokensBefore = countMessages(old, counter);
  const maxTokens = Math.max(1, Math.round(Math.min(summaryTokens, tokensBefore * LARGEST_SUMMARY)));
  const carried = { ...(previous && { previous: previous.text }), ...(focus !== undefined && { focus }) };
  const request = { messages, maxTokens, counter, ...carried, ...(signal && { signal }) };
  const own = extractiveSummariser();
  // Summarisers copy the mark that they see in what was compacted before.
  const unmarked = summariser && {
    name: summariser.name,
    summarise: async (asked: SummaryRequest) => {
      const summary = await summariser.summarise(asked);
      return { ...summary, text: withoutMark(summary.text) };
    },
  };
  const asked = unmarked && (await askSummary(unmarked, request, own));
  const { text, ...trouble }: AskedSummary = asked ?? { text: (await own.summarise(request)).text };
  if (!text) {
    const message = "No summary of the conversation could be made.";
    const hint = "Give a summariser, or more tokens for the summary.";
    return { error: new VarveError({ code: "nothing-removed", message, hint }), ...trouble };
  }
  // One level more for each summary that went into it; all messages that it stands for, and the tokens of what went.
  const [level, replaced] = [(previous?.level ?? 0) + 1, messages.length + (previous?.messages ?? 0)];
  const providerOptions = { varve: { compacted: { level, messages: replaced, tokensBefore } } };
  return { summary: { role: "assistant", content: `${COMPACTED_MARK}\n${text}`, providerOptions }, ...trouble };
}

/** Opens the text of every summary that stands in for earlier turns. */
const COMPACTED_MARK = "[COMPACTED_CONTEXT]";

/** Metadata may get lost: the mark in the text is enough. */
const metadata = z.object({ level: z.number(), messages: z.number() }).catch({ level: 1, messages: 0 });

/** Reads a message as a summary, its text without the mark; undefined where it is none. */
function readCompacted(message: Message | undefined) {
  if (message?.role !== "assistant") return undefined;
  const text = messageText(message);
  if (!text.startsWith(COMPACTED_MARK)) return undefined;
  return { message, text: withoutMark(text), ...metadata.parse(message.providerOptions?.varve?.compacted) };
}

/** The words of a summary, whether it came with the mark or without. */
function withoutMark(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith(COMPACTED_MARK) ? trimmed.slice(COMPACTED_MARK.length).trim() : trimmed;
}

/**
 * The new context: all turns that are to be kept, behind the summary; else as many of the last as fit the target, behind
 * the summary, behind the one before it, or alone; else the last one, behind what keeps the context below the trigger,
 * or makes it smaller at all.
 */
function smaller(
  { messages, settings, limits, counter, tokensBefore }: Job,
  { system, recent }: TurnSplit,
  [summary, previous]: readonly (AssistantMessage | undefined)[],
): [CompactionReason, Form?] {
  const bounds = [limits.target, limits.trigger - 1, tokensBefore - 1].map((most) => Math.min(most, tokensBefore - 1));
  const fits = ({ plan }: Form) => plan.tokens <= bounds[0]!;
  if (summary !== undefined) {
    const { log, formFrom } = formsOf([...system, summary, ...recent], counter);
    const whole = formFrom(log.start);
    if (whole.plan.leftOut === 0 && fits(whole)) return ["summarised", whole];
  }
  const heads = [summary, previous].filter((head) => head !== undefined);
  const kept = splitByTurns(pruneMessages(messages), settings.keepLastTurns).recent;
  const { log, formFrom } = formsOf([...system, ...heads, ...kept], counter);
  const forms = [...heads.map((_, at) => [log.start + at]), []].map((pinned) => {
    const turn = lowest(log.requests, (cut) => fits(formFrom(cut, pinned)));
    return formFrom(log.requests[turn] ?? log.requests.at(-1)!, pinned);
  });
  const form = bounds.flatMap((most) => forms.find(({ plan }) => plan.tokens <= most) ?? [])[0];
  return form === undefined ? ["removed-nothing"] : ["last-turns", form];
}

/** A context as the one plan shows it: legal, counted, and opened by a user. */
interface Form {
  readonly plan: Plan;
  readonly log: Log;
}

const ENDLESS = Number.MAX_SAFE_INTEGER;
const BUDGET: Budget = { window: ENDLESS, reserve: 0, usable: ENDLESS, trigger: ENDLESS, target: ENDLESS };
const PAST = { bound: () => 0, write: () => undefined };
const POLICY: Policy = { name: "compaction", lockLast: 0, resultShare: 1, clears: false, past: PAST };

/** The forms of a context that begin with a cut, behind what is pinned. The plan cuts more only of what no provider takes. */
function formsOf(messages: readonly Message[], counter: TokenCounter) {
  const log = logOf(messages);
  const reading = readingOf(log, counter, ENDLESS);
  const formFrom = (cut: Position, pinned: readonly Position[] = []): Form => ({
    plan: planView({ reading, budget: BUDGET, state: freshState(cut), request: {}, pinned }, POLICY),
    log,
  });
  return { log, formFrom };
}
