import type { Log } from "../../message/log.js";
import type { Message } from "../../message/types.js";
import type { Archive } from "../strategy.js";
import type { Account } from "./account.js";

/** What an archive has got of a log: all exchanges up to a position but for those that still wait to leave the view. */
export interface Archived {
  readonly upTo: number;
  /** Positions at which the waiting exchanges open. */
  readonly waiting: readonly number[];
}

export const NOTHING_ARCHIVED: Archived = { upTo: 0, waiting: [] };

export interface HandOver {
  readonly log: Log;
  readonly archive: Archive;
  readonly before: Archived;
  readonly account: Account;
}

/** Hands an archive the exchanges that have left the view, and says what it has then. It gets each of them once. */
export async function handOver({ log, archive, before, account }: HandOver): Promise<Archived> {
  const from = Math.max(before.upTo, account.start);
  const to = Math.max(from, account.cut);
  if (to === from && before.waiting.every((at) => account.kept.has(at))) return before;
  const firsts = [...before.waiting, ...opened(log, from, to)];
  const waiting = firsts.filter((at) => account.kept.has(at));
  const messages = firsts.filter((at) => !account.kept.has(at)).flatMap((at) => legalAt(log, at));
  if (messages.length > 0) await archive(messages);
  return { upTo: to, waiting };
}

function opened(log: Log, from: number, to: number): number[] {
  log.reach(from);
  const positions: number[] = [];
  for (let at = log.exchangeFrom(from); at < log.exchangeFrom(to); at++) positions.push(log.exchanges[at]!.first);
  return positions;
}

function legalAt(log: Log, position: number): readonly Message[] {
  log.reach(position);
  return log.legal(log.exchangeFrom(position));
}
