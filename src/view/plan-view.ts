/**
 * Plans a view: below the trigger it is the view before and what is new, so that its prefix stays in the provider's
 * cache; above it the ladder is climbed. Nothing is kept here: the same input gives the same plan.
 */
import type { Log } from "../message/log.js";
import type { Position } from "../message/positions.js";
import { OPENER } from "../message/repair.js";
import type { Block } from "./block.js";
import { checkPlanInput } from "./check-request.js";
import { growthOf, targetIn } from "./depth.js";
import { composed, type Draft, drafted, leadAt, leftOutAt, lockedAt, pastAt, settledLead, tailFrom } from "./draft.js";
import { cutEconomics, stepsUntil } from "./economics.js";
import { climb, floorExceeded, squeezed } from "./ladder.js";
import type { ExchangeItem, Form, Lead, Plan, PlanItem, ViewState } from "./plan.js";
import type { PlanInput, Policy } from "./policy.js";
import type { Shown } from "./reading.js";
import { planSent } from "./sent.js";
import { type Stage, stageOf, totalOf } from "./stage.js";

/** Why a cut was made. */
const CUT_REASONS = {
  window: "the history exceeded its part of the window",
  spend: "the price of a step exceeded maxSpend",
  threshold: "the history exceeded a threshold of its strategy",
  asked: "it was asked for",
  cold: "the cache was cold, and a smaller view pays",
};

export function planView(input: PlanInput, policy: Policy): Plan {
  checkPlanInput(input);
  // What was thought under another prefix goes, and nothing else changes.
  const again = (state: ViewState) => planned({ ...input, state, force: false, held: true }, policy);
  return planSent(planned(input, policy), input, again);
}

function planned(input: PlanInput, policy: Policy): Plan {
  const stage = stageOf(input, policy);
  const isEmpty = input.reading.log.visibleBefore(input.reading.log.entries.length) === undefined;
  return planOf(stage, isEmpty ? empty(stage) : chosen(stage));
}

/** A draft, and why it cuts, without a reason where it does not; and whether no view fits without a cut. */
type Chosen = readonly [draft: Draft, reason?: string, demanded?: boolean];

/** The draft that a view is made by, and why it reduces. */
function chosen(stage: Stage): Chosen {
  const { input, policy, space, trigger, isSpend } = stage;
  const { force, held, request } = input;
  const stays = staying(stage);
  const due = stays && dueCut(stage, stays);
  if (due !== undefined && due.tokens <= trigger) return [due, policy.dueReason ?? CUT_REASONS.threshold];
  const isOver = stays === undefined || stays.tokens > trigger;
  if (stays !== undefined && !force && (held || (!isOver && request.cache !== "cold"))) return [stays];
  const target = targetIn(input, stage);
  // A view that is below the target already is cut by the same share as one that is above the trigger.
  const most = force && stays !== undefined ? Math.floor((target * stays.tokens) / space) : target;
  const reduced = (lock: number) => smaller(stage, climb(stage, { most, lock }), stays);
  const sparing = reduced(trigger);
  // Asked for, and nothing else can go: a provider may have refused what fits by our count.
  const draft = force && sparing === stays ? reduced(0) : sparing;
  if (draft === stays || (!force && !isOver && !paysWhenCold(stage, stays!, draft))) return [stays!];
  const fits = draft.tokens <= space ? draft : squeezed(stage, draft);
  if (force && stays !== undefined) return [fits, CUT_REASONS.asked];
  if (!isOver) return [fits, CUT_REASONS.cold];
  if (isSpend && stays !== undefined) return [fits, CUT_REASONS.spend];
  return [fits, policy.reason ?? CUT_REASONS.window, stays === undefined];
}

/** The view before and what is new; undefined where that does not fit. */
function staying(stage: Stage): Draft | undefined {
  const { cut } = stage.input.state;
  const tail = tailFrom(stage, cut, stage.space);
  if (tail === undefined || tail.length === 0) return undefined;
  const draft = drafted(stage, { cut, lead: settledLead(stage, cut), tail, most: stage.space });
  return draft.tokens <= stage.space ? draft : undefined;
}

/** A cut that is not needed has to remove at least this share of the view. */
const LEAST_SHARE = 0.1;

/** Whether it pays to make a view smaller that fits, at a time when all of it is written to the cache anew. */
function paysWhenCold({ input, fixed, policy, space }: Stage, stays: Draft, draft: Draft): boolean {
  const { budget, price, reading, state } = input;
  const rest = budget.usable - space;
  const [tokensBefore, tokensAfter] = [stays.tokens + rest, draft.tokens + rest];
  const removed = tokensBefore - tokensAfter;
  if (draft.cut <= state.cut || removed < tokensBefore * LEAST_SHARE) return false;
  const prefix = fixed.system + fixed.tools;
  const steps = stepsUntil(budget.trigger - tokensAfter, growthOf(reading));
  const output = policy.past.written?.(input) ?? 0;
  const summariser = output > 0 ? { input: removed, output } : undefined;
  return cutEconomics({ price, tokensBefore, tokensAfter, prefix, steps, cold: true, summariser }).pays;
}

/** A cut to where the policy is due, as far as what stands in for it is there, and spares what it should. */
function dueCut(stage: Stage, { tail }: Draft): Draft | undefined {
  const { input, policy, trigger } = stage;
  const wanted = input.held && !input.force ? undefined : dueIn(stage, tail);
  const prepared = policy.prepared?.(input.state.own) ?? Number.POSITIVE_INFINITY;
  const cut = Math.min(wanted ?? 0, prepared);
  if (cut <= input.state.cut) return undefined;
  return drafted(stage, { cut, lead: leadAt(stage, cut), tail: tail.filter(({ at }) => at >= cut), most: trigger });
}

function dueIn(stage: Stage, tail: readonly Shown[]): Position | undefined {
  const { input, policy } = stage;
  if (policy.due === undefined || tail.length === 0) return undefined;
  const { log } = input.reading;
  const measured = tail.map(({ at, entries, tokens }) => ({
    at,
    turn: log.requestAt(at) ?? -1,
    entries: entries.length,
    tokens,
  }));
  const wanted = policy.due(measured);
  const locked = lockedAt(stage);
  if (wanted === undefined || wanted <= locked) return wanted;
  // What is locked keeps the cut from going as deep as it should: it waits until half of the tail can go.
  const entries = (from: Position) => measured.reduce((sum, each) => (each.at >= from ? sum + each.entries : sum), 0);
  return entries(locked) * 2 <= entries(0) ? locked : undefined;
}

/** The cut that what stands in for the past is to be made for: where one is due, or the latest. */
export function cutToPrepare(input: PlanInput, policy: Policy): Position {
  const stage = stageOf(input, policy);
  const tail = tailFrom(stage, input.state.cut, Number.POSITIVE_INFINITY) ?? [];
  return (input.held ? undefined : dueIn(stage, tail)) ?? input.state.cut;
}

/**
 * A cut is made only where it makes the view smaller, or where the view does not fit without it. What stands in for the
 * past gets half of the tokens that the cut frees; where it has nothing to say in that, there is no cut.
 */
function smaller(stage: Stage, draft: Draft, stays: Draft | undefined): Draft {
  if (stays === undefined) return draft;
  const { cut, lead, past } = draft;
  const isTold = past !== undefined || leftOutAt(stage, cut, lead) <= 0;
  if (isTold && draft.tokens < stays.tokens) return draft;
  const history = draft.tokens - (past?.tokens ?? 0);
  const tight = pastAt(stage, { cut, lead, room: Math.floor((stays.tokens - history) / 2) });
  const shorter = composed(stage, { ...draft, past: tight });
  return tight !== undefined && shorter.tokens < stays.tokens ? shorter : stays;
}

/** A log with nothing to show: its view has an opener, since no provider takes a request of system messages only. */
function empty(stage: Stage): Chosen {
  const { input, space } = stage;
  const { start: cut } = input.reading.log;
  const past = pastAt(stage, { cut, lead: [], room: space });
  const parts = { cut, lead: [], tail: [], past, whole: true, context: true };
  const draft = composed(stage, parts);
  if (draft.tokens <= space) return [draft];
  const bare = composed(stage, { ...parts, context: false });
  if (bare.tokens <= space + (stage.context?.item?.tokens ?? 0)) return [bare];
  throw floorExceeded({ ...stage.fixed, pins: 0, lastTurn: bare.tokens }, input.budget);
}

/** The context stands before the latest request, or before all where there is none. */
function itemsOf({ input: { reading }, system, context: form, latest }: Stage, draft: Draft): PlanItem[] {
  const shown: readonly (Shown & { readonly lead?: Lead })[] = [...draft.lead, ...draft.tail];
  const exchanges = shown.map(({ at, entries, tokens, lead, revision, messages, changes }): ExchangeItem => {
    const entry = reading.log.entries[at]!.id;
    const form = changes.length === 0 ? undefined : { entry, revision, messages, changes };
    return { kind: "exchange", at, entries, tokens, ...(lead && { lead }), ...(form && { form }) };
  });
  const items: PlanItem[] = [...system];
  if (draft.past !== undefined) items.push({ kind: "notes", message: draft.past.message, tokens: draft.past.tokens });
  if (draft.opener > 0) items.push({ kind: "opener", message: OPENER, tokens: draft.opener });
  const context = draft.context ? (form?.item ?? []) : [];
  const place = exchanges.findLastIndex(({ at }) => at === latest);
  return items.concat(exchanges.slice(0, Math.max(0, place)), context, exchanges.slice(Math.max(0, place)));
}

/** The plan of a draft: its items in order, what it shows in numbers, and what the next view goes on from. */
function planOf(stage: Stage, [draft, reason, demanded]: Chosen): Plan {
  const { input, policy, context } = stage;
  const { reading, state } = input;
  const { log } = reading;
  const blocks = blocksOf(stage, draft);
  const tokens = totalOf(blocks);
  const shownCut = Math.max(log.start, draft.cut);
  const dropped = lateResultsLeftOut(log, shownCut, new Set(draft.lead.map(({ at }) => at)));
  const showing = {
    start: log.start,
    cut: shownCut,
    lead: draft.lead.map(({ at, entries, tokens, lead }) => ({ at, entries, tokens, lead })),
    dropped,
    changes: [...draft.lead, ...draft.tail].flatMap((shown) => shown.changes),
    covers: draft.past?.covers ?? [],
    context: context && { whole: context.whole, shown: draft.context ? (context.item?.tokens ?? 0) : 0 },
    tokens,
    notes: draft.past?.tokens ?? 0,
    notesWhole: draft.whole,
    opener: draft.opener,
  };
  return {
    ...showing,
    strategy: policy.name,
    items: itemsOf(stage, draft),
    blocks,
    reason,
    ...(demanded && { demanded }),
    growth: reason === undefined ? undefined : growthOf(reading),
    trigger: stage.trigger + input.budget.usable - stage.space,
    entries: log.entries.length,
    leftOut: leftOutAt(stage, shownCut, draft.lead) + dropped.length,
    next: { ...state, ...nextOf(stage, draft), seen: log.entries.length, showing },
  };
}

/** What the next view goes on from: the cut with its lead, and the forms of the exchanges shown. */
function nextOf(stage: Stage, draft: Draft): Partial<ViewState> {
  const { input, policy } = stage;
  const { state } = input;
  const { cut, past, whole } = draft;
  const forms: Record<Position, Form> = {};
  for (const { at, form } of [...draft.tail, ...draft.lead]) if (form !== undefined) forms[at] = form;
  const settled = draft.lead.filter(({ lead }) => lead !== "pinned");
  const lead = settled.map(({ lead, at, form }) => ({ at, lead, ...(form && { form }) }));
  const leftOut = leftOutAt(stage, cut, draft.lead);
  const isSilent = whole && past === undefined && leftOut > 0;
  const silent = isSilent ? { cut, leftOut, stamp: policy.past.stamp?.(state.own) ?? "" } : undefined;
  return { cut, lead, forms, past: whole ? past : state.past, pinned: input.pinned, silent };
}

function blocksOf({ fixed, context }: Stage, draft: Draft): Block[] {
  return [
    { name: "system", tokens: fixed.system },
    { name: "tools", tokens: fixed.tools },
    { name: "context", tokens: draft.context ? (context?.item?.tokens ?? 0) : 0 },
    { name: "memory", tokens: draft.past?.tokens ?? 0 },
    { name: "history", tokens: draft.tokens - (draft.past?.tokens ?? 0) },
  ];
}

/** A message may hold results of several exchanges: it is shown with any of them. */
function lateResultsLeftOut(log: Log, cut: Position, lead: ReadonlySet<Position>): Position[] {
  const isShown = (first: Position) => first >= cut || lead.has(first);
  const left = new Set<Position>();
  const shown = new Set<Position>();
  for (let place = log.lateResults.length - 1; place >= 0 && log.lateResults[place]!.at >= cut; place--) {
    const { at, first } = log.lateResults[place]!;
    const around = log.holding(at);
    const isIn = around !== undefined && at < around.end && isShown(around.first);
    (isShown(first) || isIn ? shown : left).add(at);
  }
  return [...left].filter((at) => !shown.has(at)).sort((a, b) => a - b);
}
