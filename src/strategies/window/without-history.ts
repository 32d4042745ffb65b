import type { Budget } from "../../compaction/budget.js";
import type { Block } from "../../compaction/view.js";
import type { Log } from "../../message/log.js";
import { OPENER } from "../../message/repair.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Composition } from "./compose.js";
import type { ContextForm } from "./context-block.js";
import type { FixedBlocks } from "./fixed.js";
import { floorExceeded } from "./floor.js";

export interface WithoutHistoryInput {
  readonly log: Log;
  readonly counter: TokenCounter;
  readonly budget: Budget;
  readonly fixed: FixedBlocks;
  readonly context: ContextForm | undefined;
}

/**
 * A view of a log with nothing to show: an empty one, or one of system and blank messages alone. It gets an opener
 * unless the context speaks, since no provider takes a request of system messages only.
 */
export function withoutHistory({ log, counter, budget, fixed, context }: WithoutHistoryInput): Composition {
  const locked = fixed.system + fixed.tools;
  const shown =
    context?.shown !== undefined && locked + context.shown.tokens <= budget.usable ? context : context?.dropped;
  const opener = shown?.shown === undefined ? counter.message(OPENER) : 0;
  if (locked + opener > budget.usable)
    throw floorExceeded({ system: fixed.system, tools: fixed.tools, pins: 0, lastTurn: opener }, budget);
  const blocks: Block[] = [
    { name: "system", tokens: fixed.system },
    { name: "tools", tokens: fixed.tools },
    { name: "context", tokens: shown?.shown?.tokens ?? 0 },
    { name: "memory", tokens: 0 },
    { name: "history", tokens: opener },
  ];
  const messages = [...fixed.messages, ...(shown?.shown ? [shown.shown.message] : []), ...(opener > 0 ? [OPENER] : [])];
  return {
    messages,
    tokens: blocks.reduce((sum, { tokens }) => sum + tokens, 0),
    blocks,
    cut: log.start,
    lead: [],
    shortened: [],
    context: shown,
    memoryWhole: true,
    replacedBy: "",
    memory: 0,
    standIns: [],
    opener,
  };
}
