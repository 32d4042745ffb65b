import type { Log } from "../../message/log.js";

/** What stands between the note and the tail. */
export interface Lead {
  /** Exchanges from before the cut, ascending: the pinned ones and the requests that the others need. */
  readonly exchanges: readonly number[];
  /** True where the log holds no user message that could open the view. */
  readonly needsOpener: boolean;
}

export interface LeadInput {
  readonly log: Log;
  readonly pinned: readonly number[];
  /** Whether a view shows anything of an exchange. */
  readonly isVisible: (exchange: number) => boolean;
}

/**
 * The lead of a tail that starts at `cut`. A turn cut in its middle keeps its request: without it the model would not
 * know what the rest is about, and most providers want the user to speak first.
 */
export function leadOf(input: LeadInput, cut: number): Lead {
  const { log, pinned, isVisible } = input;
  const first = firstVisible(input, cut);
  const request = first === undefined ? undefined : log.requestOf(first);
  const kept = pinned.filter((at) => at < cut && isVisible(at));
  if (kept.length > 0) return pinnedLead(input, { cut, kept, request });
  const exchanges = request !== undefined && request < cut ? [request] : [];
  return { exchanges, needsOpener: first !== undefined && request === undefined };
}

/** Pinned exchanges stand before the tail's request, unless they are younger; the first of all needs a request too. */
function pinnedLead({ log }: LeadInput, found: { cut: number; kept: number[]; request: number | undefined }): Lead {
  const { cut, kept, request } = found;
  const opening = log.requestOf(Math.min(kept[0]!, request ?? kept[0]!));
  const requests = [request, opening].filter((at) => at !== undefined && at < cut) as number[];
  const exchanges = [...new Set([...kept, ...requests])].sort((a, b) => a - b);
  return { exchanges, needsOpener: opening === undefined };
}

function firstVisible({ log, isVisible }: LeadInput, from: number): number | undefined {
  for (let at = from; at < log.exchanges.length; at++) if (isVisible(at)) return at;
  return undefined;
}
