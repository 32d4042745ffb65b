/** The last rung: the context and what stands in for the past give way, then the last turn itself is shortened. */
import { VarveError } from "../errors.js";
import type { Budget } from "./budget.js";
import { composed, type Draft, type LeadShown, leadTokens, openerTokens, pastAt, shortened } from "./draft.js";
import type { Past } from "./plan.js";
import type { Shown } from "./reading.js";
import type { Stage } from "./stage.js";

/** The latest user message is never cut below this. */
const REQUEST_FLOOR = 24;
/** Nor to fewer tokens of its words, beside parts that cannot be cut: the rest of it would say nothing of what is wanted. */
const LEAST_WORDS = 12;

export interface Locked {
  readonly system: number;
  readonly tools: number;
}

/** The last turn: its request, unless that is pinned or there is none, and its final exchange, unless that is the request. */
interface LastTurn {
  readonly request: Shown | undefined;
  readonly rest: Shown | undefined;
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
  const isRequest = found === undefined && final.messages[0]?.role === "user";
  const turn = { request: isRequest ? final : found?.shown, rest: isRequest ? undefined : final };
  const context = input.budget.usable - locked.system - locked.tools - space;
  const leadOf = ({ others }: Beside) => draft.lead.filter((each) => each === found || others.includes(each));
  const openerOf = (beside: Beside) => openerTokens(stage, { ...beside, lead: leadOf(beside), tail: [final] });
  const roomOf = (beside: Beside) => {
    const taken = leadTokens(beside.others) + openerOf(beside) + (beside.past?.tokens ?? 0);
    return space + (beside.context ? 0 : context) - taken;
  };
  const others = draft.lead.filter((each) => each !== found);
  const choices = besides(stage, draft, others);
  const wanted = wholeRequestTokens(turn, stage);
  const chosen = choices.find((beside) => wanted <= roomOf(beside)) ?? choices.at(-1)!;
  const short = fitted(turn, roomOf(chosen), stage);
  if (short === undefined) {
    const pins = leadTokens(chosen.others.filter(({ lead }) => lead === "pinned"));
    const opening = leadTokens(chosen.others) - pins;
    const lastTurn = restTokens(turn, stage) + floorOf(turn, stage) + openerOf(chosen) + opening;
    const floor = { ...locked, pins, lastTurn };
    throw floorExceeded(chosen.past === undefined ? floor : { ...floor, state: chosen.past.tokens }, input.budget);
  }
  const lead = leadOf(chosen).map((each): LeadShown => (each === found ? { ...each, shown: short.request! } : each));
  const tail = [short.rest ?? short.request!];
  const whole = chosen.past === draft.past;
  return composed(stage, { ...draft, lead, tail, past: chosen.past, context: chosen.context, whole });
}

/**
 * From most to least: the context goes first, then what stands in for the past, step by step, then all but the pins and
 * the thinking without which the provider refuses the turn.
 */
function besides(stage: Stage, { past, cut, lead }: Draft, others: readonly LeadShown[]): Beside[] {
  const needed = others.filter(({ lead }) => lead === "pinned" || lead === "thinking");
  const kept = stage.policy.past.always ? past : undefined;
  const shorter =
    past === undefined || kept !== undefined
      ? []
      : [2, 4, 8].map((part) => pastAt(stage, { cut, lead, room: Math.floor(past.tokens / part) }));
  const less = shorter.filter((each) => each !== undefined && each.tokens < past!.tokens);
  return [
    { past, context: true, others },
    ...[past, ...less, kept].map((each) => ({ past: each, context: false, others })),
    { past: kept, context: false, others: needed },
  ];
}

/** The request stays word for word as long as any form of the rest fits beside it; only then it is shortened too. */
function fitted(turn: LastTurn, room: number, stage: Stage): LastTurn | undefined {
  const left = room - restTokens(turn, stage);
  if (left < floorOf(turn, stage)) return undefined;
  const request = turn.request && within(turn.request, left, stage);
  const rest = turn.rest && within(turn.rest, room - (request?.tokens ?? 0), stage);
  return (turn.request && !request) || (turn.rest && !rest) ? undefined : { request, rest };
}

/** Later views may have more room: they do not go by this form. */
function within(shown: Shown, room: number, stage: Stage): Shown | undefined {
  const messages = stage.input.reading.shrinker(shown).fit(room);
  if (messages === undefined || messages === shown.messages) return messages && shown;
  return { ...shortened(shown, messages, stage), form: shown.form };
}

/** Tokens of the shortest form of the rest. */
const restTokens = ({ rest }: LastTurn, { input: { reading } }: Stage): number =>
  rest === undefined ? 0 : reading.shrinker(rest).least;

/** Tokens of a turn whose request is whole. */
const wholeRequestTokens = (turn: LastTurn, stage: Stage): number =>
  turn.request === undefined ? turn.rest!.tokens : turn.request.tokens + restTokens(turn, stage);

/** Tokens that the request takes at least. */
function floorOf({ request }: LastTurn, { input: { reading } }: Stage): number {
  if (request === undefined) return 0;
  const { least, tokens } = reading.shrinker(request);
  return Math.min(tokens, Math.max(REQUEST_FLOOR, least + LEAST_WORDS));
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
