import type { Session } from "../../session/session.js";
import type { View } from "../../view/view.js";
import { overflowNumbers } from "./overflow-numbers.js";

/** A window this small would be a misreading rather than a model's. */
const SMALLEST = 256;
const RESERVE_SHARE = 0.25;

export interface Learnt {
  readonly window: number;
  /** Takes it back. */
  forget(): void;
}

/**
 * Gives the session the window that a provider's refusal tells of, in the session's own count: what the provider counts
 * more than the session is taken off. Undefined where it tells of none that is smaller.
 */
export function learnWindow(session: Session, { tokens, budget }: View, error: unknown): Learnt | undefined {
  const { limit, count = 0 } = overflowNumbers(error) ?? { limit: Number.POSITIVE_INFINITY };
  const window = Math.floor(limit * Math.min(1, count > 0 ? tokens / count : 1));
  if (window >= budget.window || window < SMALLEST) return undefined;
  session.configure({ window, reserve: Math.min(budget.reserve, Math.floor(window * RESERVE_SHARE)) });
  return { window, forget: () => session.configure({ window: budget.window, reserve: budget.reserve }) };
}
