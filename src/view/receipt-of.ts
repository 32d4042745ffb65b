import { messageText } from "../message/content.js";
import { isVisible, membersOf } from "../message/exchanges.js";
import type { Log } from "../message/log.js";
import type { Position } from "../message/positions.js";
import type { ModelPrice } from "../tokens/models.js";
import type { Budget } from "./budget.js";
import { cutEconomics, type Economics, stepsUntil } from "./economics.js";
import type { Change, Cover, Lead, Plan, Showing } from "./plan.js";
import type { ContextReach } from "./reach.js";
import type { Reading } from "./reading.js";
import type { EntryRun, Fate, Reach, Receipt, ReceiptItem } from "./receipt.js";
import { sampledTokens } from "./samples.js";

export interface ReceiptInput {
  readonly id: string;
  readonly plan: Plan;
  /** What the view before showed; undefined for the first. */
  readonly before: Showing | undefined;
  readonly reading: Reading;
  readonly budget: Budget;
  readonly price: ModelPrice | undefined;
  readonly reach: ContextReach;
  readonly cold: boolean;
  /** Tokens that a summariser writes for a cut; 0 where there is none. */
  readonly written: number;
  /** Whether what stands in for the past is shown in every view. */
  readonly always: boolean;
}

/** An item of a receipt by positions: the first and the last of its entries. */
interface Touched {
  readonly first: Position;
  readonly last: Position;
  readonly entries: number;
  readonly fate: Fate;
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly estimated: boolean;
  readonly digest?: string | undefined;
}

/** The account of what a plan reduces that the view before had not: their difference. Undefined where it reduces nothing. */
export function receiptOf(input: ReceiptInput): Receipt | undefined {
  const { plan, before, reading, reach } = input;
  const { log } = reading;
  const gone = leftOutItems(input);
  const fresh = plan.changes.filter((change) => !before?.changes.some((each) => isSameChange(each, change)));
  const changed = new Set(fresh.map(({ at }) => at));
  const moved = movedItems(input).filter(({ first }) => !changed.has(first));
  const touched = [...gone, ...moved, ...fresh.map((change) => changedItem(change, before))].sort(byPosition);
  const context = contextChange(plan, before);
  const gaveWay = !plan.notesWhole && (before === undefined || before.notesWhole);
  if (touched.length === 0 && context === undefined && !gaveWay) return undefined;
  const memory = {
    tokensBefore: before === undefined ? plan.opener + (input.always ? plan.notes : 0) : before.notes + before.opener,
    tokensAfter: plan.notes + plan.opener,
  };
  const changes = [...touched, memory, ...(context ? [context] : [])];
  const items = folded(touched);
  const isCutNow = plan.cut > (before?.cut ?? plan.start) || fresh.some(({ fate }) => isLine(fate));
  const notes = plan.items.find(({ kind }) => kind === "notes");
  const tokensBefore = changes.reduce((sum, change) => sum + savingOf(change), plan.tokens);
  return {
    id: input.id,
    strategy: plan.strategy,
    reason: isCutNow ? plan.reason! : reasonOf(touched),
    tokensBefore,
    tokensAfter: plan.tokens,
    estimated: touched.some(({ estimated }) => estimated),
    leftOut: gone.length === 0 ? undefined : runOf(gone.reduce(joined), log),
    items: items.map((item) => itemOf(item, log, reach)),
    unreachable: unreachableOf(items, log, reach),
    memory,
    context,
    replacedBy: notes?.kind === "notes" && [...gone, ...moved].length > 0 ? messageText(notes.message) : undefined,
    recover: recoverOf(reach),
    cut: isCutNow,
    economics: isCutNow ? economicsOf(input, touched, tokensBefore) : undefined,
  };
}

const isLine = (fate: Fate): boolean => fate === "superseded" || fate === "cleared";

const isSameChange = (one: Change, other: Change): boolean =>
  one.at === other.at &&
  one.fate === other.fate &&
  one.tokensBefore === other.tokensBefore &&
  one.tokensAfter === other.tokensAfter;

/** A line in place of a result may take the place of a line. */
function changedItem(
  { at, fate, reason, tokensBefore, tokensAfter, estimated }: Change,
  before: Showing | undefined,
): Touched {
  const line = isLine(fate) ? before?.changes.find((each) => each.at === at) : undefined;
  return {
    first: at,
    last: at,
    entries: 1,
    fate,
    reason,
    tokensBefore: line?.tokensAfter ?? tokensBefore,
    tokensAfter,
    estimated,
  };
}

const LEAD_REASONS = {
  pinned: "it is pinned",
  request: "the rest of its turn follows",
  thinking: "its turn begins with its reasoning",
  instruction: "it is an instruction",
  important: "it is likely to be used again",
} as const;

/** Exchanges that the cut has passed, and that are shown in front of the tail from there on. */
function movedItems({ plan, before }: ReceiptInput): Touched[] {
  const from = Math.max(plan.start, before?.cut ?? 0);
  return plan.lead.flatMap(({ at, entries, tokens, lead = "request" }): Touched[] => {
    if (at < from || at >= plan.cut) return [];
    const size = { first: at, last: entries.at(-1)!, entries: entries.length };
    const fate = lead === "important" ? "kept" : "moved";
    return [{ ...size, fate, reason: LEAD_REASONS[lead], tokensBefore: tokens, tokensAfter: tokens, estimated: false }];
  });
}

/** What became of each exchange that a view leaves out and the view before did not. */
function leftOutItems(input: ReceiptInput): Touched[] {
  const { plan, before, reading } = input;
  const kept = new Set(plan.lead.flatMap(({ entries }) => entries));
  const dropped = new Set(before?.dropped);
  const passed = stretches(input).flatMap(({ from, to, tokens }) => {
    const entries: Position[] = [];
    for (let at = from; at < to; at++) if (!kept.has(at) && !dropped.has(at)) entries.push(at);
    return goneItem(input, entries, {
      tokens: () => tokens ?? sampledTokens(reading, from, to),
      isCounted: tokens !== undefined,
    });
  });
  const moved = (before?.lead ?? []).flatMap(({ entries, tokens, lead }) => {
    const gone = entries.filter((at) => at < plan.cut && at < before!.cut && !kept.has(at));
    return goneItem(input, gone, { tokens: () => tokens, isCounted: true, reason: GONE_REASONS[lead ?? "request"] });
  });
  return [...passed, ...moved, ...lateItems(input)];
}

const GONE_REASONS: Record<Lead, string> = {
  pinned: "it is no longer pinned",
  instruction: "newer instructions took its room",
  request: "its turn left the window",
  thinking: "its turn left the window",
  important: "its turn left the window",
};

interface Gone {
  readonly tokens: () => number;
  readonly isCounted: boolean;
  readonly reason?: string | undefined;
}

function goneItem(input: ReceiptInput, entries: readonly Position[], { tokens, isCounted, reason }: Gone): Touched[] {
  if (entries.length === 0) return [];
  const positions = { first: entries[0]!, last: entries.at(-1)!, entries: entries.length };
  const tokensBefore = tokens();
  const size = { tokensBefore, tokensAfter: 0, estimated: !isCounted && tokensBefore > 0 };
  return [{ ...positions, ...fateAt(input, positions.first), ...(reason && { reason }), ...size }];
}

interface Stretch {
  readonly from: Position;
  readonly to: Position;
  /** As it was shown or would have been; undefined where it was never counted. */
  readonly tokens: number | undefined;
}

/** The part between two cuts by exchange; what nobody has looked at in long pieces, each under one cover. */
function stretches({ plan, before, reading }: ReceiptInput): Stretch[] {
  const { log } = reading;
  const { cut: to } = plan;
  const from = Math.max(plan.start, before?.cut ?? 0);
  const lines = new Map(
    before?.changes.filter(({ fate }) => isLine(fate)).map((change) => [change.at, savingOf(change)]),
  );
  const lead = new Set(plan.lead.map(({ at }) => at));
  const known = Math.max(from, Math.min(to, log.horizon));
  const edges = [
    from,
    ...plan.covers.map(({ from: edge }) => edge).filter((edge) => edge > from && edge < known),
    known,
  ];
  const unknown = edges.slice(1).map((end, place) => ({ from: edges[place]!, to: end, tokens: undefined }));
  const exchanges = log.exchanges.slice(log.exchangeFrom(known), log.exchangeFrom(to));
  const found = exchanges.map((exchange, place): Stretch => {
    const counted = isVisible(exchange) && !lead.has(exchange.first) ? reading.counted(exchange.first) : 0;
    const saved = membersOf(exchange).reduce((sum, at) => sum + (lines.get(at) ?? 0), 0);
    const end = Math.min(to, exchanges[place + 1]?.first ?? to);
    return { from: exchange.first, to: end, tokens: counted === undefined ? undefined : counted - saved };
  });
  return [...unknown, ...found];
}

/** Late results whose calls are left out. */
function lateItems(input: ReceiptInput): Touched[] {
  const { plan, before, reading } = input;
  const { log } = reading;
  const from = Math.max(plan.start, before?.cut ?? 0);
  const wasLeftOut = (at: Position) =>
    before !== undefined && at < before.cut && !before.lead.some(({ entries }) => entries.includes(at));
  const late = plan.dropped.filter((at) => !before?.dropped.includes(at) && !wasLeftOut(at));
  const items = late.flatMap((at) => {
    const owner = log.lateResults.findLast((each) => each.at === at)?.first ?? -1;
    const counted = owner >= from && owner < plan.cut ? 0 : log.entries[at]!.tokens;
    const reason = owner < 0 ? plan.reason : "its call is left out";
    return goneItem(input, [at], {
      tokens: () => counted ?? sampledTokens(reading, at, at + 1),
      isCounted: counted !== undefined,
      reason,
    });
  });
  return neighbours(items);
}

const coverAt = ({ covers }: Showing, at: Position): Cover | undefined =>
  covers.find(({ from, to }) => at >= from && at < to);

function fateAt({ plan }: ReceiptInput, at: Position): Pick<Touched, "fate" | "reason" | "digest"> {
  const cover = coverAt(plan, at);
  const reason = plan.reason ?? "it left the window";
  return cover === undefined ? { fate: "left-out", reason } : { fate: "digested", reason, digest: cover.id };
}

function reasonOf(touched: readonly Touched[]): string {
  const [first] = touched;
  if (first === undefined) return "the last turn left no room for more";
  const gone = touched.find(({ fate }) => fate === "left-out" || fate === "digested");
  return gone?.reason ?? (first.fate === "shortened" ? "a message exceeded its part of the window" : first.reason);
}

function contextChange({ context }: Showing, before: Showing | undefined): Receipt["context"] {
  if (context === undefined || context.shown >= context.whole) return undefined;
  if (before?.context?.whole === context.whole && before.context.shown === context.shown) return undefined;
  return { tokensBefore: context.whole, tokensAfter: context.shown };
}

/** Whether the cut pays: what it leaves out and shortens against the cache that is written anew. */
function economicsOf(input: ReceiptInput, touched: readonly Touched[], tokensBefore: number): Economics {
  const { plan, before, price, cold, written, budget } = input;
  const gone = touched.filter(({ fate }) => fate === "left-out" || fate === "digested");
  const summariser = { input: gone.reduce((sum, item) => sum + item.tokensBefore, 0), output: written };
  const locked = plan.blocks.filter(({ name }) => name === "system" || name === "tools");
  return cutEconomics({
    price,
    tokensBefore,
    tokensAfter: plan.tokens,
    prefix: locked.reduce((sum, { tokens }) => sum + tokens, 0),
    steps: stepsUntil(budget.trigger - plan.tokens, plan.growth),
    cold: cold || before === undefined,
    ...(written > 0 && { summariser }),
  });
}

/** The most items that a receipt has: a cut may touch tens of thousands of entries. */
const MOST_ITEMS = 200;
/** Room for one item of each fate, for those that are told together. */
const SINGLE_ITEMS = MOST_ITEMS - 9;

/** Few items stand one by one; many are told as runs of neighbours, and the smallest of very many by their fate alone. */
function folded(items: readonly Touched[]): readonly Touched[] {
  if (items.length <= MOST_ITEMS) return items;
  const runs = neighbours(items);
  if (runs.length <= MOST_ITEMS) return runs;
  const bySize = [...runs].sort((a, b) => savingOf(b) - savingOf(a));
  const rest = Map.groupBy(bySize.slice(SINGLE_ITEMS), ({ fate }) => fate);
  const together = [...rest.values()].map((group) => group.sort(byPosition).reduce(joined));
  return [...bySize.slice(0, SINGLE_ITEMS), ...together].sort(byPosition);
}

const byPosition = (a: Touched, b: Touched): number => a.first - b.first;

const savingOf = ({ tokensBefore, tokensAfter }: Pick<Touched, "tokensBefore" | "tokensAfter">): number =>
  tokensBefore - tokensAfter;

function neighbours(items: readonly Touched[]): Touched[] {
  const runs: Touched[] = [];
  for (const item of items) {
    const before = runs.at(-1);
    if (before !== undefined && isSame(before, item)) runs[runs.length - 1] = joined(before, item);
    else runs.push(item);
  }
  return runs;
}

const isSame = (a: Touched, b: Touched): boolean =>
  a.last + 1 === b.first && a.fate === b.fate && a.reason === b.reason && a.digest === b.digest;

function joined(a: Touched, b: Touched): Touched {
  return {
    first: Math.min(a.first, b.first),
    last: Math.max(a.last, b.last),
    entries: a.entries + b.entries,
    fate: a.fate,
    reason: a.reason === b.reason ? a.reason : "for several reasons",
    tokensBefore: a.tokensBefore + b.tokensBefore,
    tokensAfter: a.tokensAfter + b.tokensAfter,
    estimated: a.estimated || b.estimated,
    digest: a.digest === b.digest ? a.digest : undefined,
  };
}

const SHOWN: ReadonlySet<Fate> = new Set<Fate>(["moved", "kept", "unpinned"]);
/** The line that is shown in their place names the entry. */
const NAMED: ReadonlySet<Fate> = new Set<Fate>(["cleared", "superseded"]);

function reachOf({ fate, digest }: Touched, { expand, search }: ContextReach): Reach {
  if (SHOWN.has(fate)) return "view";
  const canExpand = expand && (digest !== undefined || NAMED.has(fate));
  return search || canExpand ? "model" : "application";
}

function itemOf(touched: Touched, log: Log, reach: ContextReach): ReceiptItem {
  const { fate, reason, tokensBefore, tokensAfter, estimated, digest } = touched;
  const item = { ...runOf(touched, log), fate, reason, tokensBefore, tokensAfter, estimated };
  return { ...item, reach: reachOf(touched, reach), ...(digest !== undefined && { digest }) };
}

const runOf = ({ first, last, entries }: Pick<Touched, "first" | "last" | "entries">, log: Log): EntryRun => ({
  from: log.entries[first]!.id,
  to: log.entries[last]!.id,
  entries,
});

/** The runs of entries that only the application can get at. */
function unreachableOf(items: readonly Touched[], log: Log, reach: ContextReach): EntryRun[] {
  const lost = items.filter((item) => reachOf(item, reach) === "application");
  const same = lost.map((item) => ({ ...item, fate: "left-out" as const, reason: "", digest: undefined }));
  return neighbours(same).map((run) => runOf(run, log));
}

function recoverOf({ expand, search }: ContextReach): string {
  const names = [...(expand ? ["context_expand"] : []), ...(search ? ["context_search"] : [])];
  const kept = "The log keeps every entry whole: session.entries() returns them";
  return names.length === 0 ? `${kept}.` : `${kept}, and the model reads them by ${names.join(" and ")}.`;
}
