import { invalidOption } from "../errors.js";

export interface BudgetOptions {
  /** Tokens the model can read and write in one request. */
  readonly window: number;
  /** Tokens kept free for the answer. */
  readonly reserve?: number;
  /** The most input that the model takes, where it is less than the window. */
  readonly maxInput?: number;
  /** Share of the usable tokens above which a view is reduced. */
  readonly trigger?: number;
  /** Share of the usable tokens that a reduction aims for; 0.7 of the trigger unless given. */
  readonly target?: number;
  /** How far the true count may lie above the counted one: the counter's `errorBound`. */
  readonly errorBound?: number;
  /** Tokens of a request that belong to none of its messages. */
  readonly frame?: number;
}

/** The numbers that decide whether a view fits. All in counted tokens. */
export interface Budget {
  readonly window: number;
  readonly reserve: number;
  /** What a view may take: the window less the reserve, less what the counter may have missed and the frame. */
  readonly usable: number;
  readonly trigger: number;
  readonly target: number;
  /** The least that a reduction may aim for where prices ask for it; the target itself where that was given. */
  readonly floor?: number;
  /** The most that a view may take at the price that a step may have, where that is less than is usable. */
  readonly affordable?: number;
}

const TARGET_SHARE = 0.7;
const FLOOR_SHARE = 0.5;

/** Checks the options and works the shares out in tokens. */
export function resolveBudget(options: BudgetOptions): Budget {
  const { window, reserve = 0, trigger = 1, errorBound = 0, frame = 0 } = options;
  const { target = TARGET_SHARE * trigger, maxInput = window } = options;
  check({ window }, window >= 1, "a number of tokens from 1");
  check({ reserve }, reserve >= 0 && reserve < window, "a number of tokens from 0 and less than the window");
  check({ maxInput }, maxInput >= 1, "a number of tokens from 1");
  check({ trigger }, trigger > 0 && trigger <= 1, "a share above 0 and up to 1");
  check({ target }, target > 0 && target <= trigger, `a share above 0 and not above the trigger, ${trigger}`);
  check({ errorBound }, errorBound >= 0, "a share from 0");
  check({ frame }, frame >= 0, "a number of tokens from 0");
  const input = Math.min(window - reserve, maxInput);
  const usable = Math.max(0, Math.floor(input / (1 + errorBound)) - frame);
  const floor = options.target ?? FLOOR_SHARE * trigger;
  const tokens = (share: number) => Math.floor(usable * share);
  return { window, reserve, usable, trigger: tokens(trigger), target: tokens(target), floor: tokens(floor) };
}

function check(option: Record<string, number>, valid: boolean, allowed: string): void {
  const [name, value] = Object.entries(option)[0]!;
  if (!valid || !Number.isFinite(value)) throw invalidOption({ option: name, value, allowed });
}

/** A tool result never takes more than this by default, however large the window. */
export const LARGEST_RESULT = 25_000;
const RESULT_SHARE = 0.25;

/** Tokens that one tool result may take. */
export const resultCap = ({ usable }: Pick<Budget, "usable">, share = RESULT_SHARE): number =>
  Math.min(LARGEST_RESULT, Math.max(16, Math.floor(usable * share)));
