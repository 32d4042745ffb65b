/** The last rung: the context and what stands in for the past give way, then the last turn itself is shortened. */
import { VarveError } from "../errors.js";
import type { Message } from "../message/types.js";
import type { Budget } from "./budget.js";
import {
  composed,
  type Draft,
  type LeadShown,
  leadTokens,
  openerTokens,
  pastAt,
  type Stage,
  shortened,
} from "./draft.js";
import type { Past } from "./plan.js";
import type { Shown } from "./reading.js";
import type { Shrinker } from "./shrink.js";

/** The latest user message is never cut below this. */
const REQUEST_FLOOR = 24;
/** Nor to fewer tokens of its words, beside parts that cannot be cut: the rest of it would say nothing of what is wanted. */
const LEAST_WORDS = 12;

export interface Locked {
  readonly system: number;
  readonly tools: number;
}

/** The last turn: its final exchange, and its request where that stands in front of it and is not pinned. */
interface LastTurn {
  readonly request: Shown | undefined;
  readonly final: Shown;
}

/** What stands beside the last turn. */
interface Beside {
  readonly past: Past | undefined;
  readonly context: boolean;
  /** Exchanges in front of the tail, but for the request. */
  readonly others: readonly LeadShown[];
}

/** A draft that fits; throws where even the shortest form is too large. */
export function squeezed(stage: Stage, draft: Draft, locked: Locked): Draft {
  const { input, space, latest } = stage;
  const final = draft.tail.at(-1)!;
  const found = draft.lead.find(({ shown, lead }) => shown.at === latest && lead !== "pinned");
  const turn: LastTurn = { request: found?.shown, final };
  const context = input.budget.usable - locked.system - locked.tools - space;
  const leadOf = ({ others }: Beside) => draft.lead.filter((each) => each === found || others.includes(each));
  const openerOf = (beside: Beside) => openerTokens(stage, { ...beside, lead: leadOf(beside), tail: [final] });
  const roomOf = (beside: Beside) => {
    const taken = leadTokens(beside.others) + openerOf(beside) + (beside.past?.tokens ?? 0);
    return space + (beside.context ? 0 : context) - taken;
  };
  const choices = besides(
    stage,
    draft,
    draft.lead.filter((each) => each !== found),
  );
  const chosen = choices.find((beside) => fits(turn, roomOf(beside), stage)) ?? choices.at(-1)!;
  const short = fitted(turn, roomOf(chosen), stage);
  if (short === undefined) {
    const floor = { ...locked, pins: leadTokens(chosen.others), lastTurn: leastOf(turn, stage) + openerOf(chosen) };
    throw floorExceeded(chosen.past === undefined ? floor : { ...floor, state: chosen.past.tokens }, input.budget);
  }
  const lead = leadOf(chosen).map((each): LeadShown => (each === found ? { ...each, shown: short.request! } : each));
  const whole = chosen.past === draft.past;
  return composed(stage, { ...draft, lead, tail: [short.final], past: chosen.past, context: chosen.context, whole });
}

/** From most to least: the context goes first, then what stands in for the past, step by step, then all but the pins. */
function besides(stage: Stage, { past, cut, lead }: Draft, others: readonly LeadShown[]): Beside[] {
  const pinned = others.filter((each) => each.lead === "pinned");
  const kept = stage.policy.past.always ? past : undefined;
  const shorter =
    past === undefined || kept !== undefined
      ? []
      : [2, 4, 8].map((part) => pastAt(stage, { cut, lead, room: Math.floor(past.tokens / part) }));
  const less = shorter.filter((each) => each !== undefined && each.tokens < past!.tokens);
  return [
    { past, context: true, others },
    ...[past, ...less, kept].map((each) => ({ past: each, context: false, others })),
    { past: kept, context: false, others: pinned },
  ];
}

/** True where the request fits untouched beside the shortest form of the final exchange. */
function fits({ request, final }: LastTurn, room: number, { input: { reading } }: Stage): boolean {
  if (request === undefined) return final.tokens <= room;
  return request.tokens + reading.shrinker(final).least <= room;
}

/**
 * The request stays word for word as long as any form of the final exchange fits beside it; only then it is shortened
 * too. Undefined where nothing helps.
 */
function fitted({ request, final }: LastTurn, room: number, stage: Stage): LastTurn | undefined {
  const { reading } = stage.input;
  const last = reading.shrinker(final);
  if (request === undefined) {
    const messages = isRequest(final) && room < floorOf(last) ? undefined : last.fit(room);
    return messages && { request, final: form(final, messages, stage) };
  }
  const asked = reading.shrinker(request);
  const left = room - last.least;
  const words = left < floorOf(asked) ? undefined : asked.fit(left);
  if (words === undefined) return undefined;
  const short = form(request, words, stage);
  const messages = last.fit(room - short.tokens);
  return messages && { request: short, final: form(final, messages, stage) };
}

/** Later views may have more room: they do not go by this form. */
function form(shown: Shown, messages: readonly Message[], stage: Stage): Shown {
  return messages === shown.messages ? shown : { ...shortened(shown, messages, stage), form: shown.form };
}

const isRequest = ({ messages }: Shown): boolean => messages[0]?.role === "user";

/** Tokens that a request takes at least. */
const floorOf = (request: Shrinker): number =>
  Math.min(request.tokens, Math.max(REQUEST_FLOOR, request.least + LEAST_WORDS));

/** Tokens that the shortest form of the turn takes, for the error that says why it cannot fit. */
function leastOf({ request, final }: LastTurn, { input: { reading } }: Stage): number {
  const last = reading.shrinker(final);
  if (request !== undefined) return floorOf(reading.shrinker(request)) + last.least;
  return isRequest(final) ? floorOf(last) : last.least;
}

/** What a view cannot do without, in tokens. */
export interface Floor {
  readonly system: number;
  readonly tools: number;
  readonly pins: number;
  readonly lastTurn: number;
  /** What a strategy shows of the past in every view, where it does. */
  readonly state?: number;
}

const REMEDY: Required<Record<keyof Floor, string>> = {
  system: "shorten the system prompt",
  tools: "send fewer tools",
  pins: "unpin something",
  lastTurn: "shorten the last message",
  state: "bound what the state may hold",
};

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
