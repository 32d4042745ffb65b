import { invalidOption, VarveError } from "../errors.js";
import { messageProblem } from "../message/check-message.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import type { Message } from "../message/types.js";
import { checkCounter, type TokenCounter } from "../tokens/counter.js";

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

function checkTokens(option: string, tokens: number): number {
  check({ [option]: tokens }, tokens >= 0, "a number of tokens from 0");
  return tokens;
}

function checkFree(free: unknown): ContextBudgetOptions["free"] {
  if (free === undefined || typeof free === "function") return free as ContextBudgetOptions["free"];
  throw invalidOption({ option: "free", value: free, allowed: "a function that frees tokens and says how many" });
}

/** A tool result never takes more than this by default, however large the window. */
const LARGEST_RESULT = 25_000;
const RESULT_SHARE = 0.25;

/** Tokens that one tool result may take. */
export const resultCap = ({ usable }: Pick<Budget, "usable">, share = RESULT_SHARE): number =>
  Math.min(LARGEST_RESULT, Math.max(16, Math.floor(usable * share)));

export interface ContextBudgetOptions extends BudgetOptions {
  readonly counter: TokenCounter;
  readonly used?: number;
  /** Frees tokens when asked to, and says how many: a compaction, or whatever the caller has. */
  readonly free?: (tokensNeeded: number) => number | Promise<number>;
}

const OPTIONS: OptionNames<ContextBudgetOptions> = {
  window: true,
  reserve: true,
  maxInput: true,
  trigger: true,
  target: true,
  errorBound: true,
  frame: true,
  counter: true,
  used: true,
  free: true,
};

/**
 * A running account of a window, for callers that keep their own list of messages.
 *
 * @example
 * ```ts
 * const budget = new ContextBudget({ window: 8_000, counter: createTokenCounter() });
 * if (budget.hasSpace(message)) budget.add(message);
 * budget.percentUsed(); // 0.01
 * ```
 */
export class ContextBudget {
  readonly limits: Budget;
  readonly #counter: TokenCounter;
  readonly #free: ContextBudgetOptions["free"];
  #used: number;

  constructor(options: ContextBudgetOptions) {
    checkNames(options, OPTIONS, "ContextBudget");
    this.#counter = checkCounter(options.counter);
    this.limits = resolveBudget({ errorBound: this.#counter.errorBound, ...options });
    this.#free = checkFree(options.free);
    this.#used = checkTokens("used", options.used ?? 0);
  }

  get used(): number {
    return this.#used;
  }

  /** Whether a message, or a number of tokens, still fits. */
  hasSpace(wanted: Message | number): boolean {
    return this.#used + this.#tokens(wanted) <= this.limits.usable;
  }

  /** Enters a message, or a number of tokens, into the account. */
  add(spent: Message | number): void {
    this.#used += this.#tokens(spent);
  }

  /** Frees tokens until as many as needed are there, and says how many were freed; throws where that cannot be. */
  async makeSpace(tokensNeeded: number): Promise<number> {
    const missing = this.#used + checkTokens("tokensNeeded", tokensNeeded) - this.limits.usable;
    if (missing <= 0) return 0;
    if (tokensNeeded > this.limits.usable) throw this.#noSpace(tokensNeeded, 0);
    const freed = checkTokens("free", (await this.#free?.(missing)) ?? 0);
    this.#used = Math.max(0, this.#used - freed);
    if (this.#used + tokensNeeded <= this.limits.usable) return freed;
    throw this.#noSpace(tokensNeeded, freed);
  }

  #noSpace(needed: number, freed: number): VarveError {
    const { usable } = this.limits;
    const found =
      needed > usable ? `no more than ${usable} fit` : `${usable - this.#used} are free after freeing ${freed}`;
    return new VarveError({
      code: "floor-exceeds-window",
      message: `${needed} tokens are needed, and ${found}.`,
      hint: "Shorten the message, or choose a model with a larger window.",
      details: { needed, used: this.#used, usable, freed },
    });
  }

  /** Share of the usable tokens that is taken, from 0 to 1. */
  percentUsed(): number {
    return this.#used / this.limits.usable;
  }

  #tokens(wanted: Message | number): number {
    if (typeof wanted === "number") return checkTokens("tokens", wanted);
    if (messageProblem(wanted) === undefined) return this.#counter.message(wanted);
    throw invalidOption({ option: "message", value: wanted, allowed: "a message or a number of tokens from 0" });
  }
}
