import type { Exchange } from "../../message/exchanges.js";
import type { Log } from "../../message/log.js";
import { type Repair, repairsOf } from "../../message/repair.js";
import type { Composition } from "./compose.js";
import type { FixedBlocks } from "./fixed.js";

export interface RepairsInput {
  readonly log: Log;
  readonly fixed: FixedBlocks;
  readonly composition: Composition;
}

/** What had to be mended in what a view shows: its lead, and all from the cut on. */
export function repairsIn({ log, fixed, composition }: RepairsInput): Repair[] {
  const repairs: Repair[] = fixed.late.shown.map((at) => ({ kind: "late-system", at }));
  const mend = (exchange: Exchange) => {
    for (const repair of repairsOf(exchange, log)) repairs.push(repair);
  };
  for (const { exchange } of composition.lead) mend(exchange);
  for (let at = log.exchangeFrom(composition.cut); at < log.exchanges.length; at++) mend(log.exchanges[at]!);
  if (composition.opener > 0) repairs.push({ kind: "missing-opener", at: firstShown(composition) });
  return repairs.sort((a, b) => a.at - b.at);
}

const firstShown = ({ lead, cut }: Composition): number => lead[0]?.exchange.first ?? cut;
