/** The account of what a plan reduces that the view before had not: the difference of two. */
import { messageText } from "../message/content.js";
import { isVisible, membersOf } from "../message/exchanges.js";
import type { Log } from "../message/log.js";
import { sameValue } from "../message/plain-value.js";
import type { Position } from "../message/positions.js";
import { measureTokens } from "../reduce/measure.js";
import { type CutTerms, cutEconomics, type Economics, stepsUntil } from "./economics.js";
import type { Plan, Showing } from "./plan.js";
import type { PlanInput, Policy } from "./policy.js";
import { type ContextReach, contextReach } from "./reach.js";
import type { Reading } from "./reading.js";
import type { EntryRun, Fate, Reach, Receipt, ReceiptItem } from "./receipt.js";
import { totalOf } from "./stage.js";

/** An item of a receipt by positions: the first and the last of its entries. */
interface Touched extends Omit<ReceiptItem, keyof EntryRun | "reach"> {
  readonly first: Position;
  readonly last: Position;
  readonly entries: number;
}

/** Undefined where nothing is reduced. */
export function receiptOf(plan: Plan, input: PlanInput, policy: Policy | undefined): Receipt | undefined {
  const { reading, request, state } = input;
  const { log } = reading;
  const before = shownBefore(plan, state.showing, policy?.past.always === true);
  const gone = goneItems(plan, before, reading);
  const changed = changedItems(plan, before);
  const moved = movedItems(plan, before).filter(({ first }) => !changed.some((item) => item.first === first));
  const touched = [...gone, ...moved, ...changed].sort(byPosition);
  const context = contextChange(plan, before);
  if (touched.length === 0 && context === undefined && (plan.notesWhole || !before.notesWhole)) return undefined;
  const memory = { tokensBefore: before.notes + before.opener, tokensAfter: plan.notes + plan.opener };
  const changes = [...touched, memory, ...(context ? [context] : [])];
  const tokensBefore = changes.reduce((sum, change) => sum + savingOf(change), plan.tokens);
  const cut = plan.cut > before.cut || changed.some(isLine);
  const reach = contextReach(request.tools);
  const items = folded(touched);
  const lost = items.filter((item) => reachOf(item, reach) === "application");
  const output = policy?.past.written?.(input) ?? 0;
  const summariser = output > 0 ? { input: gone.reduce((sum, item) => sum + item.tokensBefore, 0), output } : undefined;
  const [notes] = plan.items.flatMap((item) => (item.kind === "notes" ? messageText(item.message) : []));
  return {
    id: "",
    strategy: plan.strategy,
    reason: cut ? plan.reason! : reasonOf(gone, touched),
    tokensBefore,
    tokensAfter: plan.tokens,
    estimated: touched.some(({ estimated }) => estimated),
    leftOut: gone.length === 0 ? undefined : runOf(gone.reduce(joined), log),
    items: items.map((item) => itemOf(item, log, reach)),
    unreachable: neighbours(lost, () => true).map((run) => runOf(run, log)),
    memory,
    context,
    replacedBy: gone.length + moved.length > 0 ? notes : undefined,
    recover: recoverOf(reach),
    cut,
    ...(plan.demanded && { demanded: true }),
    economics: cut ? economicsOf(plan, input, { tokensBefore, summariser }) : undefined,
  };
}

/** Before the first view all of the log would have been shown. */
function shownBefore(plan: Plan, showing: Showing | undefined, always: boolean): Showing {
  const { start, opener } = plan;
  if (showing !== undefined) return { ...showing, cut: Math.max(start, showing.cut) };
  const nothing = { lead: [], dropped: [], changes: [], covers: [], context: undefined, tokens: 0 };
  return { ...nothing, start, cut: start, opener, notes: always ? plan.notes : 0, notesWhole: true };
}

function shownBy({ cut, lead, dropped }: Showing): (at: Position) => boolean {
  const kept = new Set(lead.flatMap(({ entries }) => entries));
  const left = new Set(dropped);
  return (at) => kept.has(at) || (at >= cut && !left.has(at));
}

/** Entries that leave a view together: an exchange, or what was never looked at, under one cover. */
interface Piece {
  readonly entries: readonly Position[];
  /** As they were shown or would have been; undefined where they were never counted. */
  readonly tokens: number | undefined;
  readonly reason?: string | undefined;
}

/** What a view does not show and the view before did: from in front of its tail, between the two cuts, and behind them. */
function goneItems(plan: Plan, before: Showing, reading: Reading): Touched[] {
  const { log } = reading;
  const [isShown, wasShown] = [shownBy(plan), shownBy(before)];
  const goneFrom = ({ entries, tokens, reason = plan.reason ?? "it left the window" }: Piece): Touched[] => {
    const gone = entries.filter((at) => wasShown(at) && !isShown(at));
    if (gone.length === 0) return [];
    const [first, last] = [gone[0]!, gone.at(-1)!];
    const cover = plan.covers.find(({ from, to }) => first >= from && first < to);
    const tokensBefore = tokens ?? sampledTokens(entries, reading);
    const estimated = tokens === undefined && tokensBefore > 0;
    const size = { first, last, entries: gone.length, tokensBefore, tokensAfter: 0, estimated };
    return [{ ...size, reason, ...(cover ? { fate: "digested", digest: cover.id } : { fate: "left-out" }) }];
  };
  const led = before.lead.map(({ entries, tokens, lead = "request" }): Piece => {
    const passed = entries.filter((at) => at < Math.min(plan.cut, before.cut));
    return { entries: passed, tokens, reason: LEADS[lead].gone };
  });
  // Results behind the cut whose calls are left out; those of calls that go now are counted with these.
  const late = plan.dropped.map((at): Piece => {
    const owner = log.lateResults.findLast((each) => each.at === at)?.first ?? -1;
    const tokens = owner >= before.cut && owner < plan.cut ? 0 : log.entries[at]!.tokens;
    return { entries: [at], tokens, reason: owner < 0 ? undefined : "its call is left out" };
  });
  const passed = [...led, ...passedPieces(plan, before, reading)].flatMap(goneFrom);
  return [...passed, ...neighbours(late.flatMap(goneFrom))].sort(byPosition);
}

/** So many messages of those that were never counted are measured: counting is dear. */
const MEASURED = 500;

/** About how many tokens these entries have. */
function sampledTokens(entries: readonly Position[], { log, counter }: Reading): number {
  const step = Math.max(1, Math.floor(entries.length / MEASURED));
  const texts = entries.filter((_, place) => place % step === 0).map((at) => messageText(log.messageAt(at)));
  return Math.round((measureTokens(texts.join("\n"), (text) => counter.text(text)) * entries.length) / texts.length);
}

/** The part between two cuts by exchange, and by what stands for it where no view has looked at the exchanges. */
function passedPieces(plan: Plan, before: Showing, { log, counted }: Reading): Piece[] {
  const lines = new Map(before.changes.filter(isLine).map((change) => [change.at, savingOf(change)]));
  const lead = new Set(plan.lead.map(({ at }) => at));
  const exchanges = log.exchanges.slice(log.exchangeFrom(before.cut), log.exchangeFrom(plan.cut));
  const known = new Map(exchanges.map((exchange) => [exchange.first, exchange]));
  const unknownTo = exchanges[0]?.first ?? plan.cut;
  const covers = plan.covers.map(({ from }) => from).filter((from) => from > before.cut && from < unknownTo);
  const edges = [...new Set([before.cut, ...covers, ...known.keys()])];
  return edges.map((edge, place): Piece => {
    const end = Math.min(plan.cut, edges[place + 1] ?? plan.cut);
    const entries = Array.from({ length: Math.max(0, end - edge) }, (_, at) => edge + at);
    const exchange = known.get(edge);
    if (exchange === undefined) return { entries, tokens: undefined };
    const whole = isVisible(exchange) && !lead.has(edge) ? counted(edge) : 0;
    const saved = membersOf(exchange).reduce((sum, at) => sum + (lines.get(at) ?? 0), 0);
    return { entries, tokens: whole === undefined ? undefined : whole - saved };
  });
}

/** Why an exchange stands in front of the tail, and why it does no more. */
const LEADS = {
  pinned: { moved: "it is pinned", gone: "it is no longer pinned" },
  request: { moved: "the rest of its turn follows", gone: "its turn left the window" },
  thinking: { moved: "its turn begins with its reasoning", gone: "its turn left the window" },
  instruction: { moved: "it is an instruction", gone: "newer instructions took its room" },
  important: { moved: "its score is high", gone: "its turn left the window" },
} as const;

/** Exchanges that the cut has passed, and that are shown in front of the tail from there on. */
function movedItems(plan: Plan, before: Showing): Touched[] {
  const passed = plan.lead.filter(({ at }) => at >= before.cut && at < plan.cut);
  return passed.map(({ at, entries, tokens, lead = "request" }) => ({
    first: at,
    last: entries.at(-1)!,
    entries: entries.length,
    fate: lead === "important" ? "kept" : "moved",
    reason: LEADS[lead].moved,
    tokensBefore: tokens,
    tokensAfter: tokens,
    estimated: false,
  }));
}

/** What is shown otherwise than before. A line in place of a result may take the place of a line. */
function changedItems(plan: Plan, before: Showing): Touched[] {
  const fresh = plan.changes.filter((change) => !before.changes.some((each) => sameValue(each, change)));
  return fresh.map(({ at, ...change }) => {
    const line = isLine(change) ? before.changes.find((each) => each.at === at) : undefined;
    return { first: at, last: at, entries: 1, ...change, tokensBefore: line?.tokensAfter ?? change.tokensBefore };
  });
}

const isLine = ({ fate }: { readonly fate: Fate }): boolean => fate === "superseded" || fate === "cleared";

function contextChange({ context }: Showing, before: Showing): Receipt["context"] {
  if (context === undefined || context.shown >= context.whole) return undefined;
  if (before.context?.whole === context.whole && before.context.shown === context.shown) return undefined;
  return { tokensBefore: context.whole, tokensAfter: context.shown };
}

/** Why a view is reduced that is not cut. */
function reasonOf([gone]: readonly Touched[], [first]: readonly Touched[]): string {
  if (first === undefined) return "the last turn left no room for more";
  if (gone !== undefined) return gone.reason;
  return first.fate === "shortened" ? "a message exceeded its part of the window" : first.reason;
}

/** Whether the cut pays: what it leaves out and shortens against the cache that is written anew. */
function economicsOf(
  plan: Plan,
  { price, request, state }: PlanInput,
  given: Pick<CutTerms, "tokensBefore" | "summariser">,
): Economics {
  const prefix = totalOf(plan.blocks.filter(({ name }) => name === "system" || name === "tools"));
  const steps = stepsUntil(plan.trigger - plan.tokens, plan.growth);
  const cold = request.cache === "cold" || state.showing === undefined;
  return cutEconomics({ price, ...given, tokensAfter: plan.tokens, prefix, steps, cold });
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
  const bySize = runs.sort((a, b) => savingOf(b) - savingOf(a));
  const rest = Map.groupBy(bySize.slice(SINGLE_ITEMS), ({ fate }) => fate);
  const together = [...rest.values()].map((group) => group.sort(byPosition).reduce(joined));
  return [...bySize.slice(0, SINGLE_ITEMS), ...together].sort(byPosition);
}

const byPosition = (a: Touched, b: Touched): number => a.first - b.first;

const savingOf = ({ tokensBefore, tokensAfter }: Pick<Touched, "tokensBefore" | "tokensAfter">): number =>
  tokensBefore - tokensAfter;

const isTold = (a: Touched, b: Touched): boolean => a.fate === b.fate && a.reason === b.reason && a.digest === b.digest;

/** Items that follow one another and are alike, as one. */
function neighbours(items: readonly Touched[], isAlike = isTold): Touched[] {
  const runs: Touched[] = [];
  for (const item of items) {
    const before = runs.at(-1);
    if (before !== undefined && before.last + 1 === item.first && isAlike(before, item))
      runs[runs.length - 1] = joined(before, item);
    else runs.push(item);
  }
  return runs;
}

const joined = (a: Touched, b: Touched): Touched => ({
  first: Math.min(a.first, b.first),
  last: Math.max(a.last, b.last),
  entries: a.entries + b.entries,
  fate: a.fate,
  reason: a.reason === b.reason ? a.reason : "for several reasons",
  tokensBefore: a.tokensBefore + b.tokensBefore,
  tokensAfter: a.tokensAfter + b.tokensAfter,
  estimated: a.estimated || b.estimated,
  ...(a.digest === b.digest && a.digest !== undefined && { digest: a.digest }),
});

/** Notes and lines name what they stand for, so that it can be opened. */
const NAMED: ReadonlySet<Fate> = new Set<Fate>(["digested", "superseded", "cleared"]);

function reachOf({ fate }: Touched, { expand, search }: ContextReach): Reach {
  if (fate === "moved" || fate === "kept") return "view";
  return search || (expand && NAMED.has(fate)) ? "model" : "application";
}

function itemOf(touched: Touched, log: Log, reach: ContextReach): ReceiptItem {
  const { first, last, ...told } = touched;
  return { ...runOf(touched, log), ...told, reach: reachOf(touched, reach) };
}

const runOf = ({ first, last, entries }: Touched, log: Log): EntryRun => ({
  from: log.entries[first]!.id,
  to: log.entries[last]!.id,
  entries,
});

function recoverOf({ expand, search }: ContextReach): string {
  const names = [...(expand ? ["context_expand"] : []), ...(search ? ["context_search"] : [])];
  const kept = "The log keeps every entry whole: session.entries() returns them";
  return names.length === 0 ? `${kept}.` : `${kept}, and the model reads them by ${names.join(" and ")}.`;
}
