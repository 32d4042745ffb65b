import { cutEconomics, type Economics, stepsUntil } from "../../compaction/economics.js";
import type { Receipt } from "../../compaction/receipt.js";
import type { ShortenedMessage, ShownExchanges } from "../../compaction/shown.js";
import type { Log } from "../../message/log.js";
import { sameValue } from "../../message/plain-value.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { ModelPrice } from "../../tokens/models.js";
import { type Account, type NewlyLeftOut, newlyLeftOut } from "./account.js";
import type { Composition } from "./compose.js";
import type { ContextForm } from "./context-block.js";
import type { LateSystem } from "./late-system.js";
import { leftOutItems } from "./left-out-items.js";
import { growthOf } from "./pricing.js";
import type { Standings } from "./standings.js";
import { byPosition, type ContextReach, folded, itemOf, savingOf, type Touched, unreachableOf } from "./touched.js";

/** Why a cut was made. */
export const CUT_REASONS = {
  window: "the history exceeded its part of the window",
  threshold: "the history exceeded a threshold of its strategy",
  asked: "it was asked for",
  cold: "the cache was cold, and a smaller view pays",
};

/** What decides whether a cut pays, beyond its tokens. */
export interface CutSetting {
  readonly price: ModelPrice | undefined;
  /** Tokens of the view that stayed as they were, and above which the next cut comes. */
  readonly prefix: number;
  readonly trigger: number;
  readonly cold: boolean;
  /** Tokens that a summariser writes; 0 where there is none. */
  readonly written: number;
}

export interface ReceiptInput {
  readonly id: string;
  readonly strategy: string;
  readonly log: Log;
  readonly late: LateSystem;
  readonly counter: TokenCounter;
  readonly shown: ShownExchanges;
  /** The account of the view before; undefined for the first. */
  readonly before: Account | undefined;
  readonly account: Account;
  readonly composition: Composition;
  readonly standings: Standings;
  /** Why the cut was made, where there was one. */
  readonly reason: string;
  readonly reach: ContextReach;
  readonly setting: CutSetting;
}

/** Writes the account of what a view reduced that the view before had not; undefined where it reduced nothing. */
export function receiptOf(input: ReceiptInput): Receipt | undefined {
  const { log, composition, before, account, reach } = input;
  const left = newlyLeftOut(before, account);
  const touched = touchedBy(input, left);
  const context = contextReduction(input);
  const memoryGaveWay = !account.memoryWhole && (before === undefined || before.memoryWhole);
  if (touched.length === 0 && context === undefined && !memoryGaveWay) return undefined;
  const memory = memoryChange(input);
  const changes = [...touched, memory, ...(context ? [context] : [])];
  const tokensBefore = changes.reduce((sum, change) => sum + savingOf(change), composition.tokens);
  const items = folded(touched);
  return {
    id: input.id,
    strategy: input.strategy,
    reason: reasonOf(input, touched),
    tokensBefore,
    tokensAfter: composition.tokens,
    estimated: touched.some(({ estimated }) => estimated),
    leftOut: leftOutOf(left, log),
    items: items.map((item) => itemOf(item, log, reach)),
    unreachable: unreachableOf(items, log, reach),
    memory,
    context,
    replacedBy: composition.replacedBy === "" || !isReplaced(touched) ? undefined : composition.replacedBy,
    recover: recoverOf(reach),
    cut: wasCut(input, touched),
    economics: economicsOf(input, touched, tokensBefore),
  };
}

const hasMoved = ({ before, account }: ReceiptInput): boolean => account.cut > (before?.cut ?? account.start);

/** A cut may also leave the tail where it starts, and only put lines in place of results. */
const wasCut = (input: ReceiptInput, touched: readonly Touched[]): boolean => hasMoved(input) || touched.some(isLine);

const isLine = ({ fate }: Touched): boolean => fate === "superseded" || fate === "cleared";

/** All that the reduction touched, in the order of the log. */
function touchedBy(input: ReceiptInput, left: NewlyLeftOut): Touched[] {
  const { composition, before } = input;
  const fresh = composition.shortened.filter((form) => before === undefined || !wasShown(form, before));
  const shortened = new Set(fresh.map(({ at }) => at));
  const moved = movedItems(input, left).filter(({ first }) => !shortened.has(first));
  const leftOut = leftOutItems(input, left);
  return [...leftOut, ...moved, ...fresh.map((form) => shorterItem(form, before))].sort(byPosition);
}

/** A line in place of a result may take the place of a line. */
function shorterItem(form: ShortenedMessage, before: Account | undefined): Touched {
  const { at, tokensAfter, estimated, fate = "shortened" } = form;
  const reason = form.reason ?? "larger than its share of the window";
  const line = form.fate && [...(before?.shortened ?? [])].find((each) => each.at === at);
  const { tokensBefore } = line === undefined ? form : { tokensBefore: line.tokensAfter };
  return { first: at, last: at, entries: 1, fate, reason, tokensBefore, tokensAfter, estimated };
}

/** Exchanges that the cut has passed, and that are shown in front of the tail from there on. */
function movedItems({ composition }: ReceiptInput, { from, to }: NewlyLeftOut): Touched[] {
  const passed = composition.lead.filter(({ exchange: { first } }) => first >= from && first < to);
  return passed.map(({ exchange, tokens, pinned }): Touched => {
    const { first, end, scattered = [] } = exchange;
    const reason = pinned ? "it is pinned" : "the rest of its turn follows";
    const size = { first, last: scattered.at(-1) ?? end - 1, entries: end - first + scattered.length };
    return { ...size, fate: "moved", reason, tokensBefore: tokens, tokensAfter: tokens, estimated: false };
  });
}

function reasonOf(input: ReceiptInput, touched: readonly Touched[]): string {
  if (wasCut(input, touched)) return input.reason;
  const [first] = touched;
  if (first === undefined) return "the last turn left no room for more";
  const gone = touched.find(({ fate }) => fate === "left-out" || fate === "digested" || fate === "kept");
  return gone?.reason ?? (first.fate === "shortened" ? "a message exceeded its part of the window" : first.reason);
}

function leftOutOf({ entries, first, last }: NewlyLeftOut, log: Log): Receipt["leftOut"] {
  return entries === 0 ? undefined : { from: log.entries[first]!.id, to: log.entries[last]!.id, entries };
}

const isReplaced = (touched: readonly Touched[]): boolean =>
  touched.some((item) => item.fate !== "shortened" && !isLine(item));

function contextReduction({ composition: { context }, before }: ReceiptInput): Receipt["context"] {
  if (context === undefined || isSameContext(context, before?.context)) return undefined;
  const tokensAfter = context.shown?.tokens ?? 0;
  return tokensAfter < context.whole ? { tokensBefore: context.whole, tokensAfter } : undefined;
}

/** A form is the same object as long as it is shown; one that came from a store is the same by what it says. */
const isSameContext = (context: ContextForm, before: ContextForm | undefined): boolean =>
  context === before || (context.whole === before?.whole && sameValue(context.shown, before.shown));

/** Before the first view nothing stood in; the opener it would have had as well. */
function memoryChange({ composition: { memory, opener }, before }: ReceiptInput): Receipt["memory"] {
  const tokensBefore = before === undefined ? opener : before.memory + before.opener;
  return { tokensBefore, tokensAfter: memory + opener };
}

function recoverOf({ expand, search }: ContextReach): string {
  const names = [...(expand ? ["context_expand"] : []), ...(search ? ["context_search"] : [])];
  const kept = "The log keeps every entry whole: session.entries() returns them";
  return names.length === 0 ? `${kept}.` : `${kept}, and the model reads them by ${names.join(" and ")}.`;
}

/** Whether the cut pays: what it leaves out and shortens against the cache that is written anew. */
function economicsOf(input: ReceiptInput, touched: readonly Touched[], tokensBefore: number): Economics | undefined {
  if (!wasCut(input, touched)) return undefined;
  const { account, before, composition, setting } = input;
  const { price, prefix, trigger, cold, written } = setting;
  const gone = touched.filter(({ fate }) => fate === "left-out" || fate === "digested");
  const summariser = { input: gone.reduce((sum, item) => sum + item.tokensBefore, 0), output: written };
  return cutEconomics({
    price,
    tokensBefore,
    tokensAfter: composition.tokens,
    prefix,
    steps: stepsUntil(trigger - composition.tokens, growthOf(account)),
    cold: cold || before === undefined,
    ...(written > 0 && { summariser }),
  });
}

function wasShown(form: ShortenedMessage, { shortened }: Account): boolean {
  if (shortened.has(form)) return true;
  const { at, tokensBefore, tokensAfter, fate } = form;
  for (const each of shortened)
    if (each.at === at && each.tokensBefore === tokensBefore && each.tokensAfter === tokensAfter)
      return each.fate === fate;
  return false;
}
