import { z } from "zod";
import { invalidOption } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import { shortenText } from "../reduce/shorten-text.js";
import { checkCounter, type TokenCounter } from "../tokens/counter.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import {
  checkedOptions,
  milliseconds,
  positive,
  refused,
  summariser,
  whole,
} from "../view/strategies/check-options.js";
import { dueCut } from "../view/strategies/thresholds.js";
import { type AskedSummary, askSummary } from "./ask-summary.js";
import type { ContextDocument, HistoryEntry } from "./context-document.js";
import { exchangesIn, historyMessages, withLines } from "./context-history.js";

const fields = z.strictObject({
  /** Milliseconds since the epoch: the age of completed tasks is measured against it. */
  now: milliseconds,
  /** Writes the summaries; without one, or where it gives none that holds, each entry becomes one line. */
  summariser: summariser.optional(),
  /** Entries above which the history is compacted; 50 unless given. */
  maxHistory: whole(1, " of entries").default(50),
  /** Entries that such a compaction keeps; 30 unless given, or all that may stay. */
  keep: whole(1, " of entries").optional(),
  /** Tokens of the history above which its older half goes; 100,000 unless given. */
  maxTokens: positive("a number of tokens").default(100_000),
  /** Tokens that the long-term summary may grow to; 8,000 unless given. */
  maxSummaryTokens: positive("a number of tokens").default(8_000),
  /** Compacts a history below both limits too. */
  force: z.boolean("true or false").default(false),
  /** Counts entries that carry no count. */
  counter: z.custom<TokenCounter>().optional(),
  signal: z.custom<AbortSignal>().optional(),
});
export type CompactContextOptions = Readonly<z.input<typeof fields>>;

/** A compacted document with the account of what was done to it. */
export interface DocumentCompaction extends Omit<AskedSummary, "text"> {
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
}

const DAY = 24 * 60 * 60;
const KEEP = 30;
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
  const settings = settingsOf(document, options);
  const { recent_history: history, long_term_summary: before } = document;
  const cut = cutIn(history, settings);
  const left = history.slice(cut);
  const { text: long_term_summary, ...trouble } = await extended(before, history.slice(0, cut), settings);
  // Sorted by code units, so that the order is the same everywhere.
  const facts = [...new Set(document.facts.map((fact) => fact.trim()).filter(Boolean))].sort();
  const cutoff = settings.now / 1000 - DAY;
  const active_tasks = document.active_tasks.filter((task) => task.status !== "Completed" || task.updated_at > cutoff);
  const removedFacts = document.facts.length - facts.length;
  const removedTasks = document.active_tasks.length - active_tasks.length;
  return {
    document: structuredClone({ ...document, recent_history: left, long_term_summary, facts, active_tasks }),
    compacted: cut + removedFacts + removedTasks > 0,
    summarisedEntries: cut,
    removedFacts,
    removedTasks,
    tokensBefore: tokensOf(history, settings.counter),
    tokensAfter: tokensOf(left, settings.counter),
    ...trouble,
  };
}

const LISTS = ["recent_history", "facts", "active_tasks"];

type Settings = ReturnType<typeof settingsOf>;

function settingsOf(document: unknown, options: unknown) {
  if (!isObject(document) || LISTS.some((field) => !Array.isArray(document[field])))
    throw invalidOption({ option: "document", value: document, allowed: "what parseContextDocument returns" });
  const given = checkedOptions("compactContext", fields, options);
  const { maxHistory, keep = Math.min(KEEP, maxHistory) } = given;
  const allowed = "a whole number of entries from 1 to maxHistory";
  if (keep > maxHistory) throw refused({ of: "compactContext", option: "keep", value: keep, allowed });
  return { ...given, keep, counter: given.counter === undefined ? createTokenCounter() : checkCounter(given.counter) };
}

const tokensOf = (history: readonly HistoryEntry[], counter: TokenCounter): number =>
  history.reduce((sum, entry) => sum + (entry.token_count ?? counter.text(entry.content)), 0);

/** How many of the oldest entries go: of too many all but those to keep, and of too many tokens half of what is left. */
function cutIn(history: readonly HistoryEntry[], { maxHistory, keep, maxTokens, force, counter }: Settings): number {
  const half = (entries: readonly HistoryEntry[]) => Math.ceil(entries.length / 2);
  const most = history.length > keep ? keep : half(history);
  const cut = dueCut(exchangesIn(history), { entries: { limit: force ? most : maxHistory, keep: most } }) ?? 0;
  const left = history.slice(cut);
  if (tokensOf(left, counter) <= maxTokens) return cut;
  return cut + (dueCut(exchangesIn(left), { entries: { limit: 0, keep: half(left) } }) ?? 0);
}

/** Appends to the summary; one that would grow too long is handed to the summariser to be carried on instead. */
async function extended(
  before: string,
  old: readonly HistoryEntry[],
  settings: Settings,
): Promise<AskedSummary & { text: string }> {
  if (old.length === 0) return { text: before };
  const { summariser, counter, maxSummaryTokens, signal } = settings;
  const maxTokens = Math.max(1, Math.floor(maxSummaryTokens * SUMMARY_SHARE));
  const carriesOn = before !== "" && counter.text(before) + maxTokens > maxSummaryTokens;
  const previous = carriesOn ? { previous: before } : {};
  const request = { messages: historyMessages(old), maxTokens, counter, ...previous, ...(signal && { signal }) };
  const { text: told, ...trouble } = summariser === undefined ? {} : await askSummary(summariser, request);
  const kept = carriesOn || before === "" ? "" : `${before}\n\n`;
  const whole = told === undefined ? withLines(before, old) : `${kept}${told}`;
  const most = { maxTokens: maxSummaryTokens, headShare: HEAD_SHARE };
  return { text: shortenText(whole, { ...most, counter: (piece) => counter.text(piece) }), ...trouble };
}
