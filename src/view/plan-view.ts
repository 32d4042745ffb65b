/**
 * Plans a view: below the trigger it is the view before and what is new, so that its prefix stays in the provider's
 * cache; above it the ladder is climbed. Nothing is kept here: the same input gives the same plan.
 */
import type { Log } from "../message/log.js";
import type { Position } from "../message/positions.js";
import { OPENER } from "../message/repair.js";
import type { Block } from "./block.js";
import { checkPlanInput } from "./check-request.js";
import { growthOf, paysWhenCold, targetIn } from "./depth.js";
import { composed, type Draft, drafted, leadAt, leftOutAt, lockedAt, pastAt, settledLead, tailFrom } from "./draft.js";
import { climb, type Goal } from "./ladder.js";
import type { ExchangeItem, Form, Lead, Plan, PlanItem, ViewState } from "./plan.js";
import type { PlanInput, Policy } from "./policy.js";
import type { Reading, Shown } from "./reading.js";
import { planSent } from "./sent.js";
import { floorExceeded, squeezed } from "./squeeze.js";
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

interface Chosen {
  readonly draft: Draft;
  /** Why it cuts; undefined where it does not. */
  readonly reason: string | undefined;
  /** Whether it does so because there is no view that fits without a cut. */
  readonly demanded?: boolean;
}

/** The draft that a view is made by, and why it reduces. */
function chosen(stage: Stage): Chosen {
  const { policy, space, trigger } = stage;
  const stays = staying(stage);
  const due = stays && dueCut(stage, stays);
  if (due !== undefined && due.tokens <= trigger)
    return { draft: due, reason: policy.dueReason ?? CUT_REASONS.threshold };
  const wish = wishOf(stage, stays);
  if (wish === undefined) return { draft: stays!, reason: undefined };
  const reduced = (goal: Goal) => smaller(stage, climb(stage, goal), stays);
  const sparing = reduced(wish.goal);
  // Asked for, and nothing else can go: a provider may have refused what fits by our count.
  const draft = stage.input.force && sparing === stays ? reduced({ ...wish.goal, lock: 0 }) : sparing;
  if (draft === stays) return { draft, reason: undefined };
  if (wish.isWorth !== undefined && !wish.isWorth(draft)) return { draft: stays!, reason: undefined };
  const fits = draft.tokens <= space ? draft : squeezed(stage, draft);
  const reason = wish.reason ?? policy.reason ?? CUT_REASONS.window;
  return { draft: fits, reason, demanded: stays === undefined };
}

/** The view before and what is new; undefined where that does not fit. */
function staying(stage: Stage): Draft | undefined {
  const { cut } = stage.input.state;
  const tail = tailFrom(stage, cut, stage.space);
  if (tail === undefined || tail.length === 0) return undefined;
  const draft = drafted(stage, { cut, lead: settledLead(stage, cut), tail, most: stage.space });
  return draft.tokens <= stage.space ? draft : undefined;
}

interface Wish {
  readonly goal: Goal;
  readonly reason: string | undefined;
  readonly isWorth?: (draft: Draft) => boolean;
}

/** Why the view is to be reduced, and how far; undefined where it stays. */
function wishOf(stage: Stage, stays: Draft | undefined): Wish | undefined {
  const { input, fixed, trigger, space, isSpend } = stage;
  const { force, held, request } = input;
  const isCold = request.cache === "cold";
  if (stays !== undefined && !force && (held || (stays.tokens <= trigger && !isCold))) return undefined;
  const target = targetIn(stage, input);
  const goal = { most: target, lock: trigger };
  if (stays === undefined) return { goal, reason: undefined };
  // A view that is below the target already is cut by the same share as one that is above the trigger.
  if (force) return { goal: { ...goal, most: Math.floor((target * stays.tokens) / space) }, reason: CUT_REASONS.asked };
  if (stays.tokens > trigger) return { goal, reason: isSpend ? CUT_REASONS.spend : undefined };
  const rest = input.budget.usable - space;
  const isWorth = (draft: Draft) =>
    draft.cut > input.state.cut &&
    paysWhenCold({
      budget: input.budget,
      price: input.price,
      growth: growthOf(input),
      prefix: fixed.system + fixed.tools,
      tokensBefore: stays.tokens + rest,
      tokensAfter: draft.tokens + rest,
      written: stage.policy.past.written?.(input) ?? 0,
    });
  return { goal, reason: CUT_REASONS.cold, isWorth };
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
  const parts = {
    cut,
    lead: [],
    tail: [],
    past: pastAt(stage, { cut, lead: [], room: space }),
    whole: true,
    context: true,
  };
  const draft = composed(stage, parts);
  if (draft.tokens <= space) return { draft, reason: undefined };
  const bare = composed(stage, { ...parts, context: false });
  if (bare.tokens <= space + (stage.context?.item?.tokens ?? 0)) return { draft: bare, reason: undefined };
  throw floorExceeded({ ...stage.fixed, pins: 0, lastTurn: bare.tokens }, input.budget);
}

/** The context stands before the latest request, or before all where there is none. */
function itemsOf({ input: { reading }, system, context: form, latest }: Stage, draft: Draft): PlanItem[] {
  const exchanges = [
    ...draft.lead.map(({ shown, lead }) => itemOf(reading, shown, lead)),
    ...draft.tail.map((shown) => itemOf(reading, shown)),
  ];
  const items: PlanItem[] = [...system];
  if (draft.past !== undefined) items.push({ kind: "notes", message: draft.past.message, tokens: draft.past.tokens });
  if (draft.opener > 0) items.push({ kind: "opener", message: OPENER, tokens: draft.opener });
  const context = draft.context ? form?.item : undefined;
  const place = Math.max(
    0,
    exchanges.findLastIndex(({ at }) => at === latest),
  );
  if (context === undefined) return [...items, ...exchanges];
  return [...items, ...exchanges.slice(0, place), context, ...exchanges.slice(place)];
}

/** An exchange as an item of a plan. */
function itemOf({ log }: Reading, shown: Shown, lead?: Lead): ExchangeItem {
  const { at, entries, tokens, revision, messages, changes } = shown;
  const form: Form | undefined =
    changes.length === 0 ? undefined : { entry: log.entries[at]!.id, revision, messages, changes };
  return { kind: "exchange", at, entries, tokens, ...(lead && { lead }), ...(form && { form }) };
}

/** The plan of a draft: its items in order, what it shows in numbers, and what the next view goes on from. */
function planOf(stage: Stage, { draft, reason, demanded }: Chosen): Plan {
  const { input, policy, context } = stage;
  const { reading, state } = input;
  const { log } = reading;
  const items = itemsOf(stage, draft);
  const exchanges = items.filter((item) => item.kind === "exchange");
  const blocks = blocksOf(stage, draft, totalOf(exchanges));
  const tokens = totalOf(blocks);
  const shownCut = Math.max(log.start, draft.cut);
  const lead = exchanges.filter((item) => item.lead !== undefined);
  const dropped = lateResultsLeftOut(log, shownCut, new Set(lead.map(({ at }) => at)));
  const kept = lead.reduce((sum, { entries }) => sum + entries.filter((at) => at < shownCut).length, 0);
  const showing = {
    start: log.start,
    cut: shownCut,
    lead: lead.map(({ at, entries, tokens, lead }) => ({ at, entries, tokens, lead: lead! })),
    dropped,
    changes: exchanges.filter(({ form }) => form !== undefined).flatMap(({ form }) => form!.changes),
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
    items,
    blocks,
    reason,
    ...(demanded && { demanded }),
    growth: reason === undefined ? undefined : growthOf(input),
    trigger: stage.trigger + input.budget.usable - stage.space,
    entries: log.entries.length,
    leftOut: shownCut - log.start - kept + dropped.length,
    next: { ...state, ...nextOf(stage, draft), seen: log.entries.length, showing },
  };
}

/** What the next view goes on from: the cut with its lead, and the forms of the exchanges shown. */
function nextOf(stage: Stage, draft: Draft): Partial<ViewState> {
  const { input, policy } = stage;
  const { state } = input;
  const { cut, past, whole } = draft;
  const forms: Record<Position, Form> = {};
  for (const { at, form } of [...draft.tail, ...draft.lead.map(({ shown }) => shown)])
    if (form !== undefined) forms[at] = form;
  const settled = draft.lead.filter(({ lead }) => lead !== "pinned");
  const lead = settled.map(({ lead, shown: { at, form } }) => ({ at, lead, ...(form && { form }) }));
  const leftOut = leftOutAt(stage, cut, draft.lead);
  const isSilent = whole && past === undefined && leftOut > 0;
  const silent = isSilent ? { cut, leftOut, stamp: policy.past.stamp?.(state.own) ?? "" } : undefined;
  return { cut, lead, forms, past: whole ? past : state.past, pinned: input.pinned, silent };
}

function blocksOf({ fixed, context }: Stage, draft: Draft, history: number): Block[] {
  return [
    { name: "system", tokens: fixed.system },
    { name: "tools", tokens: fixed.tools },
    { name: "context", tokens: draft.context ? (context?.item?.tokens ?? 0) : 0 },
    { name: "memory", tokens: draft.past?.tokens ?? 0 },
    { name: "history", tokens: history + draft.opener },
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
