import type { NextCut } from "../view/next-cut.js";
import type { Engine } from "./engine.js";
import type { SessionStatus } from "./session-options.js";

/** How a session stands. */
export function statusOf(
  id: string,
  engine: Engine,
  known: Pick<SessionStatus, "requests" | "summariser">,
): SessionStatus {
  const { budget, counter, strategy, log, pins, receipts } = engine;
  const { latest } = engine.accounts;
  return {
    id,
    strategy: strategy.name,
    counter: counter.name,
    errorBound: counter.errorBound,
    budget,
    entries: log.entries.length,
    turns: log.requests.length,
    leftOut: latest?.leftOut,
    tokens: latest?.tokens,
    blocks: latest?.blocks ?? [],
    nextCut: nextCutOf(engine),
    recalled: latest?.blocks.flatMap(({ recalled }) => recalled?.ids ?? []) ?? [],
    ...known,
    percentUsed: latest && latest.tokens / budget.usable,
    pins: pins.entries,
    receipts: receipts.length,
  };
}

/** What has come since the latest view is taken off. */
function nextCutOf({ accounts: { latest }, log }: Engine): NextCut | undefined {
  const { entries, tokens } = latest?.nextCut ?? {};
  if (latest === undefined || tokens === undefined) return undefined;
  if (entries === undefined) return { tokens };
  const since = log.entries.length - latest.entries;
  const left = Math.max(0, entries - since);
  return { tokens: entries === 0 ? tokens : Math.round((tokens * left) / entries), entries: left };
}
