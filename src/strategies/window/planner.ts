import type { Budget } from "../../compaction/budget.js";
import type { MarkedForms } from "../../compaction/marked.js";
import { membersOf } from "../../message/exchanges.js";
import type { Log } from "../../message/log.js";
import { CHAT_MESSAGES } from "../../wire/openai-chat-mend.js";
import { type CutInput, findCut } from "./cut.js";
import type { FixedBlocks } from "./fixed.js";
import { type Lead, Leads } from "./lead.js";
import type { Past } from "./past.js";
import { Reductions } from "./reductions.js";
import type { Scene } from "./scene.js";

/** Where a view cuts. The exchanges hold until the log's horizon moves, the position for good. */
export interface Plan {
  readonly scene: Scene;
  readonly cut: number;
  readonly position: number;
  readonly lead: Lead;
  /** Positions before the cut that are shown. */
  readonly kept: ReadonlySet<number>;
  /** Tokens of the tail with its lead, added up when asked for. */
  readonly tokens: () => number;
  /** What the tail shows in place of outputs. */
  readonly reduced: MarkedForms;
  /** Whether the tail from the latest cut on stays as it was. */
  readonly whole: boolean;
}

export interface PlanInput {
  readonly log: Log;
  readonly budget: Budget;
  readonly past: Past;
  /** Looks at the log as it is now. */
  readonly scene: () => Scene;
  readonly fixed: FixedBlocks;
  /** Position of the latest cut, and what the tail behind it shows in place of outputs. */
  readonly previous: number;
  readonly reduced: MarkedForms;
  /** Tokens for the history and what stands in for the past. */
  readonly space: number;
  readonly lockLast: number;
  /** Whether old results of the last turn give way where that keeps the turn together. */
  readonly clears: boolean;
  /** Cuts also where the tail fits. */
  readonly force: boolean;
  /** Whether the model has the tool that reads entries. */
  readonly expandable: boolean;
}

/**
 * Finds the cut, and looks further back in the log as long as all that is known of it fits. Where a cut is needed, stale
 * results give way first: often the tail then keeps more, or all that it had.
 */
export function planView(input: PlanInput): Plan {
  const { log, previous } = input;
  for (;;) {
    const scene = input.scene();
    const leads = new Leads(scene);
    const given = cutInput(input, scene, leads);
    const found = findCut(given);
    if (found.whole && previous < log.horizon && log.extend()) continue;
    const { fixed, reduced } = input;
    if (found.whole && !input.force) return planAt(found.at, { scene, leads, fixed, reduced, whole: true });
    const reductions = new Reductions(scene, reduced, input.expandable);
    const wanted = found.whole ? shorterTail(input, given, leads) : given;
    const cut = findCut({ ...wanted, stay: wanted.target, tokens: (at) => reductions.tokens(at) });
    if (cut.whole && previous < log.horizon && log.extend()) continue;
    const turn = Math.max(wanted.first, wanted.previous, scene.latest ?? 0);
    const keepsTurn =
      input.clears &&
      cut.at > turn &&
      fitsFrom(turn, scene) &&
      reductions.clear(turn, wanted.target - wanted.lead(turn));
    const at = keepsTurn ? turn : cut.at;
    const forms = reductions.from(at);
    return planAt(at, { scene: scene.withReduced(forms), leads, fixed, reduced: forms, whole: false });
  }
}

/** The plan that leaves the cut where it is; undefined where the view would not fit so. */
export function stayingPlan(input: PlanInput): Plan | undefined {
  const { log, previous, fixed, reduced, budget } = input;
  for (;;) {
    const scene = input.scene();
    const leads = new Leads(scene);
    const found = findCut(cutInput({ ...input, budget: { ...budget, trigger: budget.usable } }, scene, leads));
    if (!found.whole) return undefined;
    if (previous < log.horizon && log.extend()) continue;
    return planAt(found.at, { scene, leads, fixed, reduced, whole: true });
  }
}

/** Three quarters of what Chat Completions take, less what is pinned: notes and the system prompt are messages too. */
function mostInTail(scene: Scene): number {
  return scene.pinned.reduce((most, at) => most - scene.messages(at), 0.75 * CHAT_MESSAGES);
}

function fitsFrom(from: number, scene: Scene): boolean {
  let room = mostInTail(scene);
  for (let at = from; at <= scene.last && room >= 0; at++) room -= scene.messages(at);
  return room >= 0;
}

/** Share of a tail that is worth leaving out. */
const LEAST_GAIN = 0.03;

/**
 * A tail that is below the target already is cut by the same share as one that is above the trigger. What should be
 * shown stays, as far as it is below the target by itself and enough else can go.
 */
function shorterTail({ budget }: PlanInput, given: CutInput, leads: Leads): CutInput {
  const lead = (at: number) => leads.tokens(at);
  const from = Math.max(given.first, given.previous);
  let tokens = lead(from);
  let unlocked = 0;
  for (let at = from; at <= given.last; at++) {
    tokens += given.tokens(at);
    if (at < given.lockedFrom) unlocked += given.tokens(at);
  }
  const target = Math.floor((tokens * budget.target) / budget.usable);
  const lock = unlocked > tokens * LEAST_GAIN ? given.trigger : target;
  return { ...given, lead, trigger: target, target, lock };
}

function cutInput({ log, budget, past, ...input }: PlanInput, scene: Scene, leads: Leads): CutInput {
  const scale = (tokens: number) => Math.floor((input.space * tokens) / budget.usable);
  const start = log.exchangeFrom(log.start);
  const uncut = (at: number) => at <= start && log.horizon <= log.start;
  return {
    first: start,
    last: scene.last,
    lockedFrom: log.exchangeFrom(log.entries.length - input.lockLast),
    previous: Math.min(scene.last, log.exchangeFrom(input.previous)),
    tokens: (at) => scene.tokens(at),
    messages: (at) => scene.messages(at),
    mostMessages: mostInTail(scene),
    lead: (at) => leads.tokens(at) + (uncut(at) ? 0 : past.tokensAt(log.exchanges[at]!.first)),
    trigger: scale(input.force ? budget.target : budget.trigger),
    target: scale(budget.target),
  };
}

interface Found {
  readonly scene: Scene;
  readonly leads: Leads;
  readonly fixed: FixedBlocks;
  readonly reduced: MarkedForms;
  readonly whole: boolean;
}

function planAt(cut: number, { scene, leads, fixed, reduced, whole }: Found): Plan {
  const { log } = scene;
  const position = log.exchanges[cut]!.first;
  const lead = leads.at(cut);
  const members = lead.exchanges.flatMap((at) => membersOf(log.exchanges[at]!));
  const kept = new Set([...fixed.late.shown, ...members].filter((at) => at < position));
  const tokens = () => {
    let sum = leads.tokens(cut);
    for (let at = cut; at <= scene.last; at++) sum += scene.tokens(at);
    return sum;
  };
  return { scene, cut, position, lead, kept, tokens, reduced, whole };
}
