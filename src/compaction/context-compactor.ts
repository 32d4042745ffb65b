import { checkSummariser } from "../digest/check-summariser.js";
import { summariseVerified, summaryFailure, type VerifiedSummary } from "../digest/summarise-verified.js";
import type { Summariser, SummaryRequest } from "../digest/summariser.js";
import type { Fault } from "../digest/verify.js";
import { invalidOption, VarveError } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { isObject } from "../message/plain-value.js";
import { shortenText } from "../reduce/shorten-text.js";
import { checkCounter, type TokenCounter } from "../tokens/counter.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import type { ActiveTask, ContextDocument, HistoryEntry } from "./context-document.js";
import { appendLines, historyLines, historyMessages } from "./context-history.js";

export interface CompactContextOptions {
  /** Milliseconds since the epoch: the age of completed tasks is measured against it. */
  readonly now: number;
  /** Writes the summaries; without one, or where it gives none that holds, each entry becomes one line. */
  readonly summariser?: Summariser;
  /** Entries above which the history is compacted; 50 unless given. */
  readonly maxHistory?: number;
  /** Entries that such a compaction keeps; 30 unless given. */
  readonly keep?: number;
  /** Tokens of the history above which its older half goes; 100,000 unless given. */
  readonly maxTokens?: number;
  /** Tokens that the long-term summary may grow to; 8,000 unless given. */
  readonly maxSummaryTokens?: number;
  /** Compacts a history below both limits too. */
  readonly force?: boolean;
  /** Counts entries that carry no count. */
  readonly counter?: TokenCounter;
  readonly signal?: AbortSignal;
}

/** A compacted document with the account of what was done to it. */
export interface DocumentCompaction {
  /** A new document; the one given is not changed. */
  readonly document: ContextDocument;
  /** Whether anything was summarised or removed. */
  readonly compacted: boolean;
  /** Entries that left the history for the summary. */
  readonly summarisedEntries: number;
  readonly removedFacts: number;
  readonly removedTasks: number;
  /** Tokens of the history. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Says why, where the summariser failed. */
  readonly error?: unknown;
  /** What was wrong with summaries that were not taken. */
  readonly faults?: readonly Fault[];
}

const DAY = 24 * 60 * 60;
/** Share of the long-term summary's room that one summary may take. */
const SUMMARY_SHARE = 0.25;
/** Share of a summary grown too long that is kept from its beginning; the rest is its end. */
const HEAD_SHARE = 0.3;

/**
 * Compacts a context document: a history that has grown too long gives its oldest entries to the long-term summary, a
 * history of too many tokens its older half; facts are sorted and kept once; tasks completed a day ago or earlier are
 * dropped. A tool's entry never parts from the assistant's entry before it.
 *
 * @example
 * ```ts
 * const { document, compacted } = await compactContext(emptyContextDocument("user:agent:1"), { now: 0 });
 * compacted; // false
 * ```
 */
export async function compactContext(
  document: ContextDocument,
  options: CompactContextOptions,
): Promise<DocumentCompaction> {
  checkArguments(document, options);
  const settings = resolve(options);
  const byLength = await moveOldest(document, lengthCut(document.recent_history, settings), settings);
  const shorter = byLength.document;
  const byTokens = await moveOldest(shorter, tokenCut(shorter.recent_history, settings), settings);
  const facts = distinctFacts(document.facts);
  const tasks = liveTasks(document.active_tasks, options.now);
  const result = { ...byTokens.document, facts, active_tasks: tasks };
  const summarisedEntries = document.recent_history.length - result.recent_history.length;
  const removedFacts = document.facts.length - facts.length;
  const removedTasks = document.active_tasks.length - tasks.length;
  const error = byLength.error ?? byTokens.error;
  const faults = [...(byLength.faults ?? []), ...(byTokens.faults ?? [])];
  return {
    document: structuredClone(result),
    compacted: summarisedEntries + removedFacts + removedTasks > 0,
    summarisedEntries,
    removedFacts,
    removedTasks,
    tokensBefore: tokensOf(document.recent_history, settings.counter),
    tokensAfter: tokensOf(result.recent_history, settings.counter),
    ...(error !== undefined && { error }),
    ...(faults.length > 0 && { faults }),
  };
}

const LISTS = ["recent_history", "facts", "active_tasks"];

function checkArguments(document: unknown, options: unknown): void {
  if (!isObject(document) || LISTS.some((field) => !Array.isArray(document[field])))
    throw invalidOption({ option: "document", value: document, allowed: "what parseContextDocument returns" });
  const { summariser } = checkNames(options, OPTIONS, "compactContext");
  if (summariser !== undefined) checkSummariser(summariser);
}

const OPTIONS: OptionNames<CompactContextOptions> = {
  now: true,
  summariser: true,
  maxHistory: true,
  keep: true,
  maxTokens: true,
  maxSummaryTokens: true,
  force: true,
  counter: true,
  signal: true,
};

interface Settings {
  readonly maxHistory: number;
  readonly keep: number;
  readonly maxTokens: number;
  readonly maxSummaryTokens: number;
  readonly force: boolean;
  readonly counter: TokenCounter;
  readonly summariser: Summariser | undefined;
  readonly signal: AbortSignal | undefined;
}

function resolve(options: CompactContextOptions): Settings {
  const { maxHistory = 50, keep = 30, maxTokens = 100_000, maxSummaryTokens = 8_000, force = false } = options;
  const { summariser, signal, now } = options;
  const counter = options.counter === undefined ? createTokenCounter() : checkCounter(options.counter);
  if (!Number.isFinite(now))
    throw refused("now", now, "the time in milliseconds since the epoch, as Date.now() tells it");
  if (!(maxTokens > 0)) throw refused("maxTokens", maxTokens, "a number of tokens above 0");
  if (!(maxSummaryTokens > 0)) throw refused("maxSummaryTokens", maxSummaryTokens, "a number of tokens above 0");
  if (!(keep >= 1 && keep <= maxHistory)) throw refused("keep", keep, "a number of entries from 1 to maxHistory");
  return { maxHistory, keep, maxTokens, maxSummaryTokens, force, counter, summariser, signal };
}

const refused = (option: string, value: unknown, wanted: string): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `The option "${option}" cannot be ${String(value)}.`,
    hint: `Give ${wanted}.`,
    details: { option, value },
  });

/** How many of the oldest entries go because there are too many; a forced compaction takes half of a short history. */
function lengthCut(history: readonly HistoryEntry[], { maxHistory, keep, force }: Settings): number {
  const { length } = history;
  if (length > maxHistory || (force && length > keep)) return wholeCut(history, length - keep, maxHistory);
  return force ? wholeCut(history, Math.floor(length / 2), maxHistory) : 0;
}

function tokenCut(history: readonly HistoryEntry[], { maxTokens, maxHistory, counter }: Settings): number {
  const half = Math.floor(history.length / 2);
  return tokensOf(history, counter) > maxTokens ? wholeCut(history, half, maxHistory) : 0;
}

/**
 * The cut nearest to the one wanted that leaves results with their call: before it, if the rest is not too long then,
 * else behind it. 0 where the whole history is one exchange.
 */
function wholeCut(history: readonly HistoryEntry[], wanted: number, maxHistory: number): number {
  const opens = (at: number): boolean => at > 0 && at < history.length && history[at]!.role !== "tool";
  let before = wanted;
  while (before > 0 && !opens(before)) before--;
  let behind = wanted;
  while (behind < history.length && !opens(behind)) behind++;
  if (before > 0 && history.length - before <= maxHistory) return before;
  return behind < history.length ? behind : before;
}

const tokensOf = (history: readonly HistoryEntry[], counter: TokenCounter): number =>
  history.reduce((sum, entry) => sum + (entry.token_count ?? counter.text(entry.content)), 0);

type Trouble = Pick<DocumentCompaction, "error" | "faults">;

async function moveOldest(
  document: ContextDocument,
  cut: number,
  settings: Settings,
): Promise<{ document: ContextDocument } & Trouble> {
  if (cut <= 0) return { document };
  const old = document.recent_history.slice(0, cut);
  const { text, ...trouble } = await extendSummary(document.long_term_summary, old, settings);
  const fitted = shortenText(text, {
    maxTokens: settings.maxSummaryTokens,
    headShare: HEAD_SHARE,
    counter: (piece) => settings.counter.text(piece),
  });
  const recent_history = document.recent_history.slice(cut);
  return { document: { ...document, recent_history, long_term_summary: fitted }, ...trouble };
}

/** Appends to the summary; one that would grow too long is handed to the summariser to be carried on instead. */
async function extendSummary(
  before: string,
  old: readonly HistoryEntry[],
  settings: Settings,
): Promise<{ text: string } & Trouble> {
  const { summariser, counter, maxSummaryTokens, signal } = settings;
  if (summariser === undefined) return { text: appendLines(before, historyLines(old)) };
  const maxTokens = Math.max(1, Math.floor(maxSummaryTokens * SUMMARY_SHARE));
  const carriesOn = before !== "" && counter.text(before) + maxTokens > maxSummaryTokens;
  const request = { messages: historyMessages(old), maxTokens, counter, ...(signal && { signal }) };
  const summary = await verified(summariser, { ...request, ...(carriesOn && { previous: before }) });
  const { faults } = summary;
  if (summary.path === "none") {
    const error = summaryFailure(faults);
    return { text: appendLines(before, historyLines(old)), faults, ...(error && { error }) };
  }
  const text = summary.text.trim();
  return { text: carriesOn || before === "" ? text : `${before}\n\n${text}`, faults };
}

async function verified(summariser: Summariser, request: SummaryRequest): Promise<VerifiedSummary> {
  try {
    return await summariseVerified(summariser, request);
  } catch (cause) {
    return { path: "none", faults: [{ kind: "failed", detail: "Summarising was aborted.", cause }] };
  }
}

/** Sorted by code units, so that the order is the same everywhere. */
const distinctFacts = (facts: readonly string[]): string[] =>
  [...new Set(facts.map((fact) => fact.trim()).filter(Boolean))].sort();

function liveTasks(tasks: readonly ActiveTask[], now: number): ActiveTask[] {
  const cutoff = now / 1000 - DAY;
  return tasks.filter(({ status, updated_at }) => status !== "Completed" || updated_at > cutoff);
}
