import type { MarkedForms } from "../../compaction/marked.js";
import type { Form } from "../../compaction/shown.js";
import type { Log } from "../../message/log.js";
import type { Archive } from "../strategy.js";
import type { Account } from "./account.js";
import type { Archived } from "./archive.js";
import type { Past } from "./past.js";
import type { WholeRequests } from "./scene.js";

/**
 * What one viewer of a log leaves to the next. The account of the latest view and what archives have got always pass
 * on. The forms in which things were shown, and what stood in for the past, pass on only to a viewer of the same
 * strategy that goes on at a given cut, after a new calibration for one: with them its views keep their prefix.
 */
export interface Carried {
  readonly strategy: string;
  account: Account | undefined;
  readonly archived: WeakMap<Archive, Archived>;
  /** How exchanges with results, and requests in front of the tail, were shown, by the position at which they open. */
  readonly forms: { readonly exchanges: Map<number, Form>; readonly requests: Map<number, Form> };
  whole: WholeRequests;
  reduced: MarkedForms;
  past: Past | undefined;
  /** What stood in for the past in earlier viewers, latest first: their digests can still be expanded. */
  readonly earlier: readonly Past[];
}

const carriedBy = new WeakMap<Log, Carried>();

/** What earlier viewers of a log left to one that starts, at a cut or anew. */
export function carriedOf(log: Log, strategy: string, cut: number | undefined): Carried {
  const before = carriedBy.get(log);
  if (before?.strategy === strategy && cut !== undefined) return before;
  const carried: Carried = {
    strategy,
    account: before?.account,
    archived: before?.archived ?? new WeakMap(),
    forms: { exchanges: new Map(), requests: new Map() },
    whole: { cut: -1, requests: new Set() },
    reduced: new Map(),
    past: undefined,
    earlier: earlierThan(before),
  };
  carriedBy.set(log, carried);
  return carried;
}

/** Only those that number digests are worth keeping. */
function earlierThan(before: Carried | undefined): readonly Past[] {
  const { past, earlier = [] } = before ?? {};
  return past?.standIn.numbered === undefined ? earlier : [past, ...earlier];
}
