/**
 * The ladder: what gives way, in this order, until a view is small enough. Each rung makes a whole draft of its own from
 * the same log; the first that reaches the goal is taken, and the last where none does.
 */

import type { Position } from "../message/positions.js";
import { type Draft, drafted, frameTokens, leadAt, leadTokens, lockedAt, settledLead, shownOf } from "./draft.js";
import { type Marked, marker } from "./marks.js";
import { contextReach } from "./reach.js";
import type { Shown } from "./reading.js";
import { messageCount, type Stage, totalOf } from "./stage.js";

export interface Goal {
  /** Tokens that the history and what stands in for the past are to take. */
  readonly most: number;
  /** Tokens up to which the messages at the end are spared, though the goal is missed. */
  readonly lock: number;
}

/** The newest part of the tail with lines in place of stale results, newest first. */
interface Known {
  readonly marked: readonly Marked[];
  /** Whether that is all from the latest cut on. */
  readonly whole: boolean;
}

type Rung = (stage: Stage, goal: Goal, known: Known) => Draft | undefined;

/** Stale results become a line: a file read again, a command run again. */
const supersede: Rung = (stage, { most }, { marked, whole }) => {
  if (!whole || countIn(marked) > stage.mostMessages) return undefined;
  const { cut } = stage.input.state;
  const tail = marked.map(({ shown }) => shown).reverse();
  return drafted(stage, { cut, lead: settledLead(stage, cut), tail, most });
};

const countIn = (marked: readonly Marked[]): number => marked.reduce((sum, { shown }) => sum + messageCount(shown), 0);

/** Old results of the last turn become a line, where that keeps the turn together. */
const clear: Rung = (stage, goal, { marked }) => {
  const { policy, latest, input } = stage;
  const cut = Math.max(latest ?? 0, input.state.cut);
  if (!policy.clears) return undefined;
  const turn = marked.filter(({ shown }) => shown.at >= cut);
  const lead = leadAt(stage, cut);
  const room = goal.most - leadTokens(lead) - boundOf(stage, goal);
  const size = totalOf(turn.map(({ shown }) => shown));
  if (countIn(turn) > stage.mostMessages) return undefined;
  if (size <= room || size > room * MOST_CLEARED || (turn.length === marked.length && !isReached(marked, cut)))
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

const isReached = (marked: readonly Marked[], cut: Position): boolean => (marked.at(-1)?.shown.at ?? 0) <= cut;

/** The oldest exchanges give way to notes; what the notes leave of the room that was kept for them goes to the tail. */
const cut: Rung = (stage, goal, { marked }) => {
  const bound = boundOf(stage, goal);
  const kept = keptBy(stage, goal, { marked, bound });
  const first = cutTo(stage, goal, { tail: kept, bound });
  const taken = first.tokens - totalOf(first.tail) - leadTokens(leadAt(stage, first.cut));
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
    count += messageCount(shown);
    if (sum > Math.max(goal.most, goal.lock) || count > mostMessages) break;
    const size = sum + leadTokens(leadAt(stage, shown.at)) + (isFirst(shown.at) ? 0 : bound);
    if (size <= goal.most) chosen = place;
    if (shown.at >= lockedFrom && size <= goal.lock) locked = place;
  }
  return marked
    .slice(0, Math.max(chosen, locked) + 1)
    .map(({ shown }) => shown)
    .reverse();
}

/** A cut in front of these exchanges. */
function cutTo(stage: Stage, goal: Goal, { tail, bound }: { tail: readonly Shown[]; bound: number }): Draft {
  const { at } = tail[0]!;
  const whole = cutDraft(stage, goal, { at, tail, bound, important: importantAt(stage, at) });
  return whole.tokens <= stage.space ? whole : cutDraft(stage, goal, { at, tail, bound, important: [] });
}

interface CutAt {
  readonly at: Position;
  readonly tail: readonly Shown[];
  readonly important: readonly Position[];
  readonly bound: number;
}

function cutDraft(stage: Stage, goal: Goal, { at, tail, important, bound }: CutAt): Draft {
  const lead = leadAt(stage, at, important);
  const least = leadTokens(leadAt(stage, at)) + totalOf(tail) + bound;
  return drafted(stage, { cut: at, lead, tail, most: Math.max(goal.most, Math.min(least, stage.space)) });
}

/** What the policy keeps in full from before a cut. */
function importantAt(stage: Stage, cut: Position): readonly Position[] {
  const { input, policy, space } = stage;
  if (policy.past.keep === undefined) return [];
  const shown = new Set(leadAt(stage, cut).flatMap(({ shown: { entries } }) => entries));
  return policy.past.keep({ plan: input, cut, room: space, isShown: (at) => at >= cut || shown.has(at) });
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

/** Walks from the end of the log: what lies before the part that can be shown is never looked at. */
function knownTail(stage: Stage, most: number): Known {
  const { reading, state, request } = stage.input;
  const { expand } = contextReach(request.tools);
  const mark = marker({ reading, expandable: expand, isPinned: (at) => stage.pins.has(at) });
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
