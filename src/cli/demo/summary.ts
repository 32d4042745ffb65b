import type { Receipt, ReceiptItem, RepairKind } from "../../index.js";
import { PROVIDERS } from "../../index.js";
import type { FinalLog, Step } from "./replay.js";

/** The whole replay in numbers, all of them computed from its steps. */
export interface DemoSummary {
  readonly strategy: string;
  readonly window: number;
  readonly messages: number;
  /** Messages that the log still holds word for word. */
  readonly messagesKept: number;
  readonly logTokens: number;
  readonly views: number;
  readonly largestView: number;
  readonly viewsOverWindow: number;
  /** Views whose whole log, with all that goes beside it, would have been larger than the window. */
  readonly viewsThatNeededReduction: number;
  readonly cuts: number;
  readonly entriesLeftOut: number;
  /** How to get back what was left out; null where nothing was. */
  readonly recover: string | null;
  readonly shortened: ShorterResults;
  /** Results with a line in their place: they were cleared, or a newer result says the same. */
  readonly replaced: ShorterResults;
  readonly repairs: Readonly<Partial<Record<RepairKind, number>>>;
  readonly providers: readonly string[];
  readonly viewsRefused: number;
  readonly tokensSent: number;
  /** Tokens sent that stood in an unchanged prefix of the view before: those that a prompt cache can serve. */
  readonly tokensUnchanged: number;
  readonly unchangedShare: number;
  /** Tokens that the whole log would have taken in all views together. */
  readonly tokensOfWholeLog: number;
}

interface ShorterResults {
  readonly results: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Adds the steps up. There must be at least one. */
export function summarize(steps: readonly Step[], log: FinalLog): DemoSummary {
  const last = steps.at(-1)!;
  const { window } = last.view.budget;
  const receipts = steps.flatMap(({ view }) => view.receipt ?? []);
  const tokensSent = sum(steps.map(({ view }) => view.tokens));
  const tokensUnchanged = sum(steps.map(({ unchanged }) => unchanged));
  return {
    strategy: last.strategy,
    window,
    messages: log.messages,
    messagesKept: log.kept,
    logTokens: log.tokens,
    views: steps.length,
    largestView: Math.max(...steps.map(({ view }) => view.tokens)),
    viewsOverWindow: steps.filter(({ view }) => view.tokens > window).length,
    viewsThatNeededReduction: steps.filter((step) => wholeLog(step) > window).length,
    cuts: receipts.filter(({ leftOut }) => leftOut !== undefined).length,
    entriesLeftOut: last.view.leftOut,
    recover: receipts.at(-1)?.recover ?? null,
    shortened: resultsOf(receipts, ["shortened"]),
    replaced: resultsOf(receipts, ["cleared", "superseded"]),
    repairs: countKinds(steps.flatMap(({ repairs }) => repairs.map(({ kind }) => kind))),
    providers: PROVIDERS,
    viewsRefused: steps.filter(({ refusedBy }) => refusedBy.length > 0).length,
    tokensSent,
    tokensUnchanged,
    unchangedShare: tokensUnchanged / tokensSent,
    tokensOfWholeLog: sum(steps.map(wholeLog)),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** What a step's view would take if it showed the whole log. */
function wholeLog({ log, view }: Step): number {
  const beside = view.blocks.filter(({ name }) => name === "system" || name === "tools" || name === "context");
  return log.tokens + sum(beside.map(({ tokens }) => tokens));
}

function resultsOf(receipts: readonly Receipt[], fates: readonly ReceiptItem["fate"][]): ShorterResults {
  const items = receipts.flatMap((receipt) => receipt.items.filter(({ fate }) => fates.includes(fate)));
  return {
    results: sum(items.map(({ entries }) => entries)),
    tokensBefore: sum(items.map(({ tokensBefore }) => tokensBefore)),
    tokensAfter: sum(items.map(({ tokensAfter }) => tokensAfter)),
  };
}

function countKinds(kinds: readonly RepairKind[]): Partial<Record<RepairKind, number>> {
  const counts: Partial<Record<RepairKind, number>> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
