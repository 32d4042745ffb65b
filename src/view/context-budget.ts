import { z } from "zod";
import { invalidOption, VarveError } from "../errors.js";
import { messageProblem } from "../message/check-message.js";
import { logOf } from "../message/log.js";
import type { Message } from "../message/types.js";
import { checkCounter, type TokenCounter } from "../tokens/counter.js";
import { type Budget, type BudgetOptions, resolveBudget, resultCap } from "./budget.js";
import { countMessages } from "./count-messages.js";
import { freshState } from "./plan.js";
import { planView } from "./plan-view.js";
import { readingOf } from "./reading.js";
import { render } from "./render.js";
import { windowFields } from "./settings.js";
import { called, checkedOptions, tokens } from "./strategies/check-options.js";
import { slidingWindow } from "./strategies/sliding-window.js";

const { model: _, ...limits } = windowFields;
const fields = z.strictObject({
  ...limits,
  maxInput: limits.window,
  errorBound: limits.window,
  frame: limits.window,
  used: tokens.optional(),
  /** Frees tokens when asked to, and says how many. Without it what was added as messages is cut. */
  free: called<(tokensNeeded: number) => number | Promise<number>>(
    "a function that frees tokens and says how many",
  ).optional(),
});
type Given = Readonly<z.input<typeof fields>>;
export type ContextBudgetOptions = BudgetOptions & { readonly counter: TokenCounter } & Given;

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
  #messages: Message[] = [];
  #used: number;

  constructor(options: ContextBudgetOptions) {
    const { counter, free, used = 0, ...limits } = checkedOptions("ContextBudget", fields, options);
    this.#counter = checkCounter(counter);
    this.limits = resolveBudget({ errorBound: this.#counter.errorBound, ...(limits as BudgetOptions) });
    this.#free = free;
    this.#used = used;
  }

  /** The messages that were added, as they are after space was made: to be sent in place of the caller's own. */
  get messages(): readonly Message[] {
    return this.#messages;
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
    if (typeof spent !== "number") this.#messages.push(spent);
  }

  /**
   * Frees tokens until as many as needed are there, and says how many were freed; throws where that cannot be. Where the
   * options give no way to free them, the messages that were added are cut as a sliding window cuts them.
   */
  async makeSpace(tokensNeeded: number): Promise<number> {
    const missing = this.#used + checkTokens("tokensNeeded", tokensNeeded) - this.limits.usable;
    if (missing <= 0) return 0;
    if (tokensNeeded > this.limits.usable) throw this.#noSpace(tokensNeeded, 0);
    const freed = this.#free === undefined ? this.#cut(missing) : checkTokens("free", await this.#free(missing));
    this.#used = Math.max(0, this.#used - freed);
    if (this.#used + tokensNeeded <= this.limits.usable) return freed;
    throw this.#noSpace(tokensNeeded, freed);
  }

  #cut(missing: number): number {
    const held = countMessages(this.#messages, this.#counter);
    const usable = held - missing;
    if (usable <= 0) return 0;
    const budget = { ...this.limits, usable, trigger: usable, target: usable };
    const log = logOf(this.#messages);
    const reading = readingOf(log, this.#counter, resultCap(budget));
    const input = { reading, budget, state: freshState(log.start), request: {}, pinned: [] };
    const plan = planView(input, slidingWindow().policy!);
    this.#messages = render(plan, log);
    return held - plan.tokens;
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

function checkTokens(option: string, value: number): number {
  if (tokens.safeParse(value).success) return value;
  throw invalidOption({ option, value, allowed: "a number of tokens from 0" });
}
