/**
 * The ladder: what gives way, in this order, until a view is small enough. Each rung makes a whole draft of its own from
 * the same log; the first that reaches the goal is taken, and the last where none does. Where that does not fit, the last
 * turn is squeezed.
 */

import { VarveError } from "../errors.js";
import type { Position } from "../message/positions.js";
import type { Budget } from "./budget.js";
import {
  composed,
  type Draft,
  drafted,
  frameTokens,
  leadAt,
  lockedAt,
  pastAt,
  settledLead,
  shortened,
  shownOf,
} from "./draft.js";
import { type Marked, marker } from "./marks.js";
import type { Shown } from "./reading.js";
import type { Shrinker } from "./shrink.js";
import { messageCount, type Stage, totalOf } from "./stage.js";

export interface Goal {
  /** Tokens that the history and what stands in for the past are to take. */
  readonly most: number;
  /** Tokens up to which the messages at the end are spared, though the goal is missed. */
  readonly lock: number;
}

type Known = ReturnType<typeof knownTail>;
type Rung = (stage: Stage, goal: Goal, known: Known) => Draft | undefined;

/** Stale results become a line: a file read again, a command run again. */
const supersede: Rung = (stage, { most }, { marked, whole }) => {
  const { cut } = stage.input.state;
  const tail = marked.map(({ shown }) => shown).reverse();
  if (!whole || messageCount(tail.flatMap(({ messages }) => messages)) > stage.mostMessages) return undefined;
  return drafted(stage, { cut, lead: settledLead(stage, cut), tail, most });
};

/** Old results of the last turn become a line, where that keeps the turn together. */
const clear: Rung = (stage, goal, { marked }) => {
  const { policy, latest, input } = stage;
  const cut = Math.max(latest ?? 0, input.state.cut);
  if (!policy.clears) return undefined;
  const turn = marked.filter(({ shown }) => shown.at >= cut);
  const lead = leadAt(stage, cut);
  const room = goal.most - totalOf(lead) - boundOf(stage, goal);
  const size = totalOf(turn.map(({ shown }) => shown));
  if (messageCount(turn.flatMap(({ shown }) => shown.messages)) > stage.mostMessages) return undefined;
  if (
    size <= room ||
    size > room * MOST_CLEARED ||
    (turn.length === marked.length && (marked.at(-1)?.shown.at ?? 0) > cut)
  )
    return undefined;
  const lockedFrom = lockedAt(stage);
  const tail: Shown[] = [];
  let tokens = size;
  for (const { shown, cleared } of turn.toReversed()) {
    const isCleared = cleared !== undefined && shown.at < lockedFrom && tokens > room;
    if (isCleared) tokens -= shown.tokens - cleared.tokens;
    tail.push(isCleared ? cleared : shown);
  }
  return tokens > room ? undefined : drafted(stage, { cut, lead, tail, most: goal.most });
};

/** A turn that takes so many times its room is not worth clearing: little more than calls would be left of it. */
const MOST_CLEARED = 4;

/** The oldest exchanges give way to notes; what the notes leave of the room that was kept for them goes to the tail. */
const cut: Rung = (stage, goal, { marked }) => {
  const bound = boundOf(stage, goal);
  const kept = keptBy(stage, goal, { marked, bound });
  const first = cutTo(stage, goal, { tail: kept, bound });
  const taken = first.tokens - totalOf(first.tail) - totalOf(leadAt(stage, first.cut));
  const more = taken < bound ? keptBy(stage, goal, { marked, bound: taken }) : kept;
  if (more.length === kept.length) return first;
  const second = cutTo(stage, goal, { tail: more, bound: taken });
  return second.tokens <= Math.max(goal.most, first.tokens) ? second : first;
};

/** The newest exchanges that a cut keeps where it leaves so many tokens to the notes; the newest of all in any case. */
function keptBy(
  stage: Stage,
  goal: Goal,
  { marked, bound }: Pick<Known, "marked"> & { readonly bound: number },
): Shown[] {
  const { input, policy } = stage;
  const lockedFrom = lockedAt(stage);
  const mostMessages = stage.mostMessages * (goal.most / Math.max(1, stage.space));
  const isFirst = (at: Position) => at <= input.reading.log.start && policy.past.always !== true;
  let [sum, count, chosen, locked] = [0, 0, 0, -1];
  for (const [place, { shown }] of marked.entries()) {
    sum += shown.tokens;
    count += messageCount(shown.messages);
    if (sum > Math.max(goal.most, goal.lock) || count > mostMessages) break;
    const size = sum + totalOf(leadAt(stage, shown.at)) + (isFirst(shown.at) ? 0 : bound);
    if (size <= goal.most) chosen = place;
    if (shown.at >= lockedFrom && size <= goal.lock) locked = place;
  }
  return marked
    .slice(0, Math.max(chosen, locked) + 1)
    .map(({ shown }) => shown)
    .reverse();
}

/** A cut in front of these exchanges, with what the policy keeps in full from before it where that has room. */
function cutTo(stage: Stage, goal: Goal, { tail, bound }: { tail: readonly Shown[]; bound: number }): Draft {
  const { input, policy, space } = stage;
  const { at: cut } = tail[0]!;
  const lead = leadAt(stage, cut);
  const most = Math.max(goal.most, Math.min(totalOf(lead) + totalOf(tail) + bound, space));
  const shown = new Set(lead.flatMap(({ entries }) => entries));
  const isShown = (at: Position) => at >= cut || shown.has(at);
  const important = policy.past.keep?.({ plan: input, cut, room: space, isShown }) ?? [];
  const whole = drafted(stage, { cut, lead: leadAt(stage, cut, important), tail, most });
  return whole.tokens <= space ? whole : drafted(stage, { cut, lead, tail, most });
}

const LADDER: readonly Rung[] = [supersede, clear, cut];

/** The draft of the first rung that reaches a goal. */
export function climb(stage: Stage, goal: Goal): Draft {
  const known = knownTail(stage, Math.max(goal.most, goal.lock));
  let last: Draft | undefined;
  for (const rung of LADDER) {
    const draft = rung(stage, goal, known);
    if (draft !== undefined && draft.tokens <= goal.most) return draft;
    last = draft ?? last;
  }
  if (last!.tokens <= stage.space || last!.tail.length === 1) return last!;
  return cut(stage, { ...goal, lock: 0 }, known)!;
}

/**
 * The newest part of the tail with lines in place of stale results, newest first, and whether that is all from the latest
 * cut on. Walks from the end of the log: what lies before the part that can be shown is never looked at.
 */
function knownTail(stage: Stage, most: number) {
  const { reading, state } = stage.input;
  const mark = marker(stage);
  const marked: Marked[] = [];
  let tokens = 0;
  const turn = stage.policy.clears ? Math.max(stage.latest ?? 0, state.cut) : Number.POSITIVE_INFINITY;
  const isWanted = (at: Position) =>
    marked.length === 0 || tokens <= most || (at >= turn && tokens <= most * MOST_CLEARED);
  for (const exchange of reading.log.newestFirst()) {
    if (exchange.first < state.cut) break;
    if (!isWanted(exchange.first)) return { marked, whole: false };
    const found = mark(exchange, shownOf(stage, exchange));
    marked.push(found);
    tokens += found.shown.tokens;
  }
  return { marked, whole: true };
}

/** Tokens to leave free for what stands in for the past. */
const boundOf = (stage: Stage, { most }: Goal): number =>
  Math.min(stage.policy.past.bound(stage.input, stage.space), most) + frameTokens(stage);

/** The latest user message is never cut below this. */
const REQUEST_FLOOR = 24;
/** Nor to fewer tokens of its words, beside parts that cannot be cut: the rest of it would say nothing of what is wanted. */
const LEAST_WORDS = 12;

/** The last turn: its request, unless that is pinned or there is none, and its final exchange, unless that is the request. */
function lastTurnOf({ input: { reading }, latest }: Stage, { lead, tail }: Draft) {
  const final = tail.at(-1)!;
  const led = lead.find((each) => each.at === latest && each.lead !== "pinned");
  const isRequest = led === undefined && final.messages[0]?.role === "user";
  const request = isRequest ? final : led;
  const rest = isRequest ? undefined : final;
  const floorOf = ({ least, tokens }: Shrinker) => Math.min(tokens, Math.max(REQUEST_FLOOR, least + LEAST_WORDS));
  return {
    request,
    rest,
    tokens: (request?.tokens ?? 0) + (rest?.tokens ?? 0),
    /** Tokens that the request takes at least, and those of the shortest form of the rest. */
    floor: request === undefined ? 0 : floorOf(reading.shrinker(request)),
    least: rest === undefined ? 0 : reading.shrinker(rest).least,
  };
}

/**
 * A draft that fits: the context and what stands in for the past give way, then the last turn itself is shortened. Throws
 * where even the shortest form is too large.
 */
export function squeezed(stage: Stage, given: Draft): Draft {
  const { space, fixed } = stage;
  const { budget } = stage.input;
  const { at: cut } = given.tail.at(-1)!;
  const alone = () => drafted(stage, { cut, lead: leadAt(stage, cut), tail: given.tail.slice(-1), most: space });
  const draft = given.tail.length > 1 ? alone() : given;
  const turn = lastTurnOf(stage, draft);
  const { request, rest, floor, least } = turn;
  const roomIn = ({ context, tokens }: Draft) =>
    (context ? space : budget.usable - fixed.system - fixed.tools) - (tokens - turn.tokens);
  const wanted = request === undefined ? turn.tokens : request.tokens + least;
  const drafts = lesser(stage, draft, request);
  const chosen = drafts.find((each) => wanted <= roomIn(each)) ?? drafts.at(-1)!;
  const short = fitted(turn, roomIn(chosen), stage);
  if (short === undefined) {
    const pins = totalOf(chosen.lead.filter(({ lead }) => lead === "pinned"));
    const opening = totalOf(chosen.lead.filter((each) => each.lead !== "pinned" && each !== request));
    const parts = { ...fixed, pins, lastTurn: opening + least + floor + chosen.opener };
    throw floorExceeded(chosen.past === undefined ? parts : { ...parts, state: chosen.past.tokens }, budget);
  }
  const lead = chosen.lead.map((each) => (each === request ? { ...each, ...short.request! } : each));
  const tail = [rest === undefined ? short.request! : short.rest!];
  return composed(stage, { ...chosen, lead, tail, whole: chosen.past === draft.past });
}

/**
 * From most to least: the context goes first, then what stands in for the past, step by step, then all but the pins and
 * the thinking without which the provider refuses the turn. Beside those the context is shown where it fits, as the next
 * view would.
 */
function lesser(stage: Stage, draft: Draft, request: Shown | undefined): Draft[] {
  const { past, cut, lead } = draft;
  const kept = stage.policy.past.always ? past : undefined;
  const parts = past === undefined || kept !== undefined ? [] : [2, 4, 8];
  const shorter = parts.map((part) => pastAt(stage, { cut, lead, room: Math.floor(past!.tokens / part) }));
  const less = shorter.filter((each) => each !== undefined && each.tokens < past!.tokens);
  const needed = lead.filter((each) => each.lead === "pinned" || each.lead === "thinking" || each === request);
  return [
    draft,
    ...[past, ...less, kept].map((each) => ({ ...draft, past: each, context: false })),
    ...[true, false].map((context) => ({ ...draft, past: kept, context, lead: needed })),
  ].map((each) => composed(stage, each));
}

/** The request stays word for word as long as any form of the rest fits beside it; only then it is shortened too. */
function fitted({ floor, least, ...turn }: ReturnType<typeof lastTurnOf>, room: number, stage: Stage) {
  if (room - least < floor) return undefined;
  const request = turn.request && within(turn.request, room - least, stage);
  const rest = turn.rest && within(turn.rest, room - (request?.tokens ?? 0), stage);
  return (turn.request && !request) || (turn.rest && !rest) ? undefined : { request, rest };
}

/** Later views may have more room: they do not go by this form. */
function within(shown: Shown, room: number, stage: Stage): Shown | undefined {
  const messages = stage.input.reading.shrinker(shown).fit(room);
  if (messages === undefined || messages === shown.messages) return messages && shown;
  return { ...shortened(shown, messages, stage), form: shown.form };
}

/** What a view cannot do without, and what to do where that is too large. */
const REMEDY = {
  system: "shorten the system prompt",
  tools: "send fewer tools",
  pins: "unpin something",
  lastTurn: "shorten the last message",
  /** What a strategy shows of the past in every view, where it does. */
  state: "bound what the state may hold",
};
/** The same in tokens. */
type Floor = Readonly<Record<Exclude<keyof typeof REMEDY, "state">, number>> & { readonly state?: number };

/** The refusal to build a view whose irreducible parts are larger than the window: no model is called for it. */
export function floorExceeded(floor: Floor, budget: Budget): VarveError {
  const parts = Object.entries(floor) as [keyof Floor, number][];
  const needed = parts.reduce((sum, [, tokens]) => sum + tokens, 0);
  const [largest] = parts.reduce((most, part) => (part[1] > most[1] ? part : most));
  const state = floor.state === undefined ? "" : `, state ${floor.state}`;
  const sizes = `system ${floor.system}, tools ${floor.tools}, pins ${floor.pins}, last turn ${floor.lastTurn}${state}`;
  return new VarveError({
    code: "floor-exceeds-window",
    message: `The view needs at least ${needed} tokens (${sizes}); the window has ${budget.usable} for it.`,
    hint: `Above all ${REMEDY[largest]}, or choose a model with a larger window.`,
    details: { ...floor, needed, usable: budget.usable, window: budget.window, reserve: budget.reserve, largest },
  });
}
