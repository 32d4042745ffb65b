import { membersOf } from "../../message/exchanges.js";
import type { Scene } from "./scene.js";

/** An exchange of the tail, as thresholds measure it. */
export interface TailExchange {
  /** Position at which it opens. */
  readonly position: number;
  /** The same number for all exchanges of one turn. */
  readonly turn: number;
  readonly entries: number;
  readonly tokens: number;
}

/** The exchanges that a view with this cut shows in its tail, oldest first. */
export function tailOf(scene: Scene, cut: number): TailExchange[] {
  const { log, last } = scene;
  const tail: TailExchange[] = [];
  for (let at = log.visibleFrom(log.exchangeFrom(cut)); at !== undefined && at <= last; at = log.visibleFrom(at + 1)) {
    const exchange = log.exchanges[at]!;
    const { first: position, turn } = exchange;
    tail.push({ position, turn, entries: membersOf(exchange).length, tokens: scene.tokens(at) });
  }
  return tail;
}
