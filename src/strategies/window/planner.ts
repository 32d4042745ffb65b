import type { Budget } from "../../compaction/budget.js";
import { membersOf } from "../../message/exchanges.js";
import type { Log } from "../../message/log.js";
import { type CutInput, findCut } from "./cut.js";
import type { FixedBlocks } from "./fixed.js";
import { type Lead, Leads } from "./lead.js";
import type { Past } from "./past.js";
import type { Scene } from "./scene.js";

/** Where a view cuts. The exchanges hold until the log's horizon moves, the position for good. */
export interface Plan {
  readonly scene: Scene;
  readonly cut: number;
  readonly position: number;
  readonly lead: Lead;
  /** Positions before the cut that are shown. */
  readonly kept: ReadonlySet<number>;
  /** Tokens of the tail with its lead. */
  readonly tokens: number;
}

export interface PlanInput {
  readonly log: Log;
  readonly budget: Budget;
  readonly past: Past;
  /** Looks at the log as it is now. */
  readonly scene: () => Scene;
  readonly fixed: FixedBlocks;
  /** Position of the latest cut. */
  readonly previous: number;
  /** Tokens for the history and what stands in for the past. */
  readonly space: number;
  readonly lockLast: number;
  /** Cuts also where the tail fits. */
  readonly force: boolean;
}

/** Finds the cut, and looks further back in the log as long as all that is known of it fits. */
export function planView(input: PlanInput): Plan {
  const { log, previous } = input;
  for (;;) {
    const scene = input.scene();
    const leads = new Leads(scene);
    const given = cutInput(input, scene, leads);
    const found = findCut(given);
    if (found.whole && previous < log.horizon && log.extend()) continue;
    const { at } = input.force && found.whole ? findCut(shorterTail(input, given, leads)) : found;
    return planAt(at, { scene, leads, fixed: input.fixed });
  }
}

/** A tail that is below the target already is cut by the same share as one that is above the trigger. */
function shorterTail({ budget }: PlanInput, given: CutInput, leads: Leads): CutInput {
  const lead = (at: number) => leads.tokens(at);
  const from = Math.max(given.first, given.previous);
  let tokens = lead(from);
  for (let at = from; at <= given.last; at++) tokens += given.tokens(at);
  const target = Math.floor((tokens * budget.target) / budget.usable);
  return { ...given, lead, trigger: target, target };
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
    lead: (at) => leads.tokens(at) + (uncut(at) ? 0 : past.tokensAt(log.exchanges[at]!.first)),
    trigger: scale(input.force ? budget.target : budget.trigger),
    target: scale(budget.target),
  };
}

function planAt(cut: number, found: { scene: Scene; leads: Leads; fixed: FixedBlocks }): Plan {
  const { scene, leads, fixed } = found;
  const { log } = scene;
  const position = log.exchanges[cut]!.first;
  const lead = leads.at(cut);
  const members = lead.exchanges.flatMap((at) => membersOf(log.exchanges[at]!));
  const kept = new Set([...fixed.late.shown, ...members].filter((at) => at < position));
  let tokens = leads.tokens(cut);
  for (let at = cut; at <= scene.last; at++) tokens += scene.tokens(at);
  return { scene, cut, position, lead, kept, tokens };
}
