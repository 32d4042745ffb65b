import type { Budget } from "../../compaction/budget.js";
import { countMessages } from "../../compaction/count-messages.js";
import type { ShownExchange } from "../../compaction/shown.js";
import { Shrinker } from "../../compaction/shrink.js";
import { OPENER } from "../../message/repair.js";
import type { Message } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Choice } from "./compose.js";
import { type Counted, totalTokens } from "./counted.js";
import { floorExceeded } from "./floor.js";
import { type FittedTurn, fitLastTurn, fitsWithRequest, type LastTurn, leastTokens } from "./last-turn.js";
import type { Scene } from "./scene.js";

export interface SqueezeInput {
  readonly scene: Scene;
  readonly choice: Choice;
  /** Tokens that the locked blocks leave. */
  readonly space: number;
  /** Shorter forms of what stands in for the past, shortest last. */
  readonly shorter: readonly (readonly Counted[])[];
  readonly budget: Budget;
}

type Extras = Pick<Choice, "memory" | "memoryWhole" | "context">;

/**
 * Makes a view fit whose last turn alone is too large: the context and what stands in for the past give way first, then
 * the turn itself is shortened. The forms are kept, so that the same turn in the same room is worked out once.
 */
export class Squeeze {
  readonly #counter: TokenCounter;
  readonly #shrinkers = new WeakMap<readonly Message[], Shrinker>();
  #fitted: { turn: LastTurn; room: number; form: FittedTurn } | undefined;

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** The choice with a shorter last turn; throws where even the shortest form is too large. */
  fit(input: SqueezeInput): Choice {
    const { scene, choice, space, budget } = input;
    const { fixed, cut } = choice;
    const request = choice.lead.exchanges.find((at) => at === scene.latest && !scene.isPinned(at));
    const others = choice.lead.exchanges.filter((at) => at !== request);
    const pins = others.reduce((sum, at) => sum + scene.inFront(at, cut).tokens, 0);
    const opener = choice.lead.needsOpener ? this.#counter.message(OPENER) : 0;
    const turn: LastTurn = {
      request: request === undefined ? undefined : this.#shrinker(scene.whole(request)),
      final: this.#shrinker(scene.whole(scene.last)),
    };
    const roomOf = ({ memory, context }: Extras) =>
      space - pins - opener - totalTokens(memory) - (context?.shown?.tokens ?? 0);
    const options = extrasOf(input);
    const extras = options.find((each) => fitsWithRequest(turn, roomOf(each))) ?? options.at(-1)!;
    const fitted = this.#fit(scene, turn, roomOf(extras));
    if (fitted !== undefined) return { ...choice, ...extras, turn: fitted };
    const floor = { system: fixed.system, tools: fixed.tools, pins, lastTurn: leastTokens(turn) + opener };
    throw floorExceeded(floor, budget);
  }

  #shrinker({ messages, tokens }: ShownExchange): Shrinker {
    const kept = this.#shrinkers.get(messages) ?? new Shrinker(messages, this.#counter, tokens);
    this.#shrinkers.set(messages, kept);
    return kept;
  }

  #fit(scene: Scene, turn: LastTurn, room: number): FittedTurn | undefined {
    const kept = this.#fitted;
    if (kept?.room === room && kept.turn.final === turn.final && kept.turn.request === turn.request) return kept.form;
    const fitted = fitLastTurn(turn, room, this.#counter);
    if (fitted === undefined) return undefined;
    const form: FittedTurn = {
      final: this.#form(scene, scene.last, fitted.final),
      request: fitted.request && this.#form(scene, scene.latest!, fitted.request),
    };
    this.#fitted = { turn, room, form };
    return form;
  }

  /** A shortened exchange is reported as one, with all that its results had before they were capped. */
  #form(scene: Scene, exchange: number, messages: readonly Message[]): ShownExchange {
    const whole = scene.whole(exchange);
    if (messages === whole.messages) return whole;
    const tokens = countMessages(messages, this.#counter);
    const capped = whole.shortened.reduce((sum, { tokensBefore, tokensAfter }) => sum + tokensBefore - tokensAfter, 0);
    const estimated = whole.shortened.some((each) => each.estimated);
    const at = whole.shortened[0]?.at ?? scene.log.exchanges[exchange]!.first;
    return {
      messages,
      tokens,
      shortened: [{ at, tokensBefore: whole.tokens + capped, tokensAfter: tokens, estimated }],
    };
  }
}

/** From most to least: the context goes first, then what stands in for the past, step by step. */
function extrasOf({ choice: { context, memory }, shorter }: SqueezeInput): Extras[] {
  const dropped = context?.dropped;
  const less = [...shorter, []].map((each) => ({ context: dropped, memory: each, memoryWhole: memory.length === 0 }));
  return [{ context, memory, memoryWhole: true }, { context: dropped, memory, memoryWhole: true }, ...less];
}
