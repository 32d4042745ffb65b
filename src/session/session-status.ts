import type { Engine } from "./engine.js";
import type { SessionRequest } from "./memory/pending-requests.js";
import type { SessionStatus } from "./session-options.js";

/** How a session stands. */
export function statusOf(id: string, engine: Engine, requests: readonly SessionRequest[]): SessionStatus {
  const { latest, budget, counter, strategy, log, pins, receipts } = engine;
  const tokens = latest?.tokens ?? 0;
  return {
    id,
    strategy: strategy.name,
    counter: counter.name,
    errorBound: counter.errorBound,
    budget,
    entries: log.entries.length,
    turns: log.requests.length,
    leftOut: latest?.leftOut ?? 0,
    tokens,
    blocks: latest?.blocks ?? [],
    recalled: latest?.blocks.flatMap(({ recalled }) => recalled?.ids ?? []) ?? [],
    requests,
    percentUsed: tokens / budget.usable,
    pins: pins.entries,
    receipts: receipts.length,
  };
}
