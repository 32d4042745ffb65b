/** The last rung: the context and what stands in for the past give way, then the last turn itself is shortened. */
import { VarveError } from "../errors.js";
import type { Budget } from "./budget.js";
import { composed, type Draft, drafted, leadAt, leadTokens, pastAt, shortened } from "./draft.js";
import type { Shown } from "./reading.js";
import type { Shrinker } from "./shrink.js";
import type { Stage } from "./stage.js";

/** The latest user message is never cut below this. */
const REQUEST_FLOOR = 24;
/** Nor to fewer tokens of its words, beside parts that cannot be cut: the rest of it would say nothing of what is wanted. */
const LEAST_WORDS = 12;

/** The last turn: its request, unless that is pinned or there is none, and its final exchange, unless that is the request. */
interface LastTurn {
  readonly request: Shown | undefined;
  readonly rest: Shown | undefined;
  readonly tokens: number;
  /** Tokens that the request takes at least, and those of the shortest form of the rest. */
  readonly floor: number;
  readonly least: number;
}

function lastTurnOf({ input: { reading }, latest }: Stage, { lead, tail }: Draft): LastTurn {
  const final = tail.at(-1)!;
  const led = lead.find((each) => each.shown.at === latest && each.lead !== "pinned")?.shown;
  const isRequest = led === undefined && final.messages[0]?.role === "user";
  const request = isRequest ? final : led;
  const rest = isRequest ? undefined : final;
  const floorOf = ({ least, tokens }: Shrinker) => Math.min(tokens, Math.max(REQUEST_FLOOR, least + LEAST_WORDS));
  return {
    request,
    rest,
    tokens: (request?.tokens ?? 0) + (rest?.tokens ?? 0),
    floor: request === undefined ? 0 : floorOf(reading.shrinker(request)),
    least: rest === undefined ? 0 : reading.shrinker(rest).least,
  };
}

/** A draft that fits; throws where even the shortest form is too large. */
export function squeezed(stage: Stage, given: Draft): Draft {
  const { space, fixed } = stage;
  const { budget } = stage.input;
  const draft = given.tail.length > 1 ? lastAlone(stage, given) : given;
  const turn = lastTurnOf(stage, draft);
  const { request, rest, floor, least } = turn;
  const roomIn = ({ context, tokens }: Draft) =>
    (context ? space : budget.usable - fixed.system - fixed.tools) - (tokens - turn.tokens);
  const wanted = request === undefined ? turn.tokens : request.tokens + least;
  const drafts = lesser(stage, draft, request);
  const chosen = drafts.find((each) => wanted <= roomIn(each)) ?? drafts.at(-1)!;
  const short = fitted(turn, roomIn(chosen), stage);
  if (short === undefined) {
    const pins = leadTokens(chosen.lead.filter(({ lead }) => lead === "pinned"));
    const opening = leadTokens(chosen.lead.filter(({ lead, shown }) => lead !== "pinned" && shown !== request));
    const parts = { ...fixed, pins, lastTurn: opening + least + floor + chosen.opener };
    throw floorExceeded(chosen.past === undefined ? parts : { ...parts, state: chosen.past.tokens }, budget);
  }
  const lead = chosen.lead.map((each) => (each.shown === request ? { ...each, shown: short.request! } : each));
  const tail = [rest === undefined ? short.request! : short.rest!];
  return composed(stage, { ...chosen, lead, tail, whole: chosen.past === draft.past });
}

/** A cut in front of the last exchange. */
function lastAlone(stage: Stage, { tail }: Draft): Draft {
  const { at } = tail.at(-1)!;
  return drafted(stage, { cut: at, lead: leadAt(stage, at), tail: tail.slice(-1), most: stage.space });
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
  const needed = lead.filter(({ lead, shown }) => lead === "pinned" || lead === "thinking" || shown === request);
  return [
    draft,
    ...[past, ...less, kept].map((each) => ({ ...draft, past: each, context: false })),
    ...[true, false].map((context) => ({ ...draft, past: kept, context, lead: needed })),
  ].map((each) => composed(stage, each));
}

/** The request stays word for word as long as any form of the rest fits beside it; only then it is shortened too. */
function fitted({ floor, least, ...turn }: LastTurn, room: number, stage: Stage) {
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
