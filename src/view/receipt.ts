import type { EntryScore } from "../notes/importance.js";
import type { Economics } from "./economics.js";
import type { Change } from "./plan.js";
import type { Recalled } from "./recalled.js";

/**
 * What became of an entry:
 * - `left-out`: nothing of it is shown
 * - `digested`: a digest stands in for it
 * - `kept`: it is shown in full in front of the newest exchanges, for its score is high
 * - `moved`: it is shown in full in front of the newest exchanges
 * - `shortened`, `cleared`, `superseded`: a shorter form, a line, or a pointer to a newer result is shown in its place
 * - `unthought`: it is shown without its reasoning, which is bound to a prefix that is no longer sent
 * - `unpinned`: its pin has ended; where it is no longer shown, another item says so
 */
export type Fate = "left-out" | "digested" | "kept" | "moved" | Change["fate"] | "unpinned";

/** Who can still get at the whole text: it stands in the view, the model by its context tools, or only the application. */
export type Reach = "view" | "model" | "application";

/** Entries from one id to another. Between them may stand some that are not meant: `entries` says how many are. */
export interface EntryRun {
  readonly from: string;
  readonly to: string;
  readonly entries: number;
}

/** What became of an exchange, of one entry, or of a run of them with the same fate and reason. */
export interface ReceiptItem extends EntryRun {
  readonly fate: Fate;
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Whether `tokensBefore` is estimated from samples. */
  readonly estimated: boolean;
  readonly reach: Reach;
  /** The range of notes that stands in for it: its id opens it. */
  readonly digest?: string;
}

/** The account of one reduction: what was replaced by what, tokens before and after, why, and how to get it back. */
export interface Receipt {
  readonly id: string;
  readonly strategy: string;
  readonly reason: string;
  /**
   * What the view would have taken without this reduction: `tokensAfter`, and what the items, the memory and the
   * context took more before than they do after.
   */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** True where `tokensBefore` holds texts that were never counted whole and are estimated from samples. */
  readonly estimated: boolean;
  /** Entries newly left out: the first and the last id, and how many; between them may stand some that are shown. */
  readonly leftOut: EntryRun | undefined;
  /** What became of every entry that the reduction touched, in the order of the log. */
  readonly items: readonly ReceiptItem[];
  /** Those of the items whose whole text the model itself cannot get, as runs. */
  readonly unreachable: readonly EntryRun[];
  /** Tokens of what stands in for the past, with the opener. */
  readonly memory: { readonly tokensBefore: number; readonly tokensAfter: number };
  /** The request's context, where it was shortened or, with 0 tokens after, dropped. */
  readonly context?: { readonly tokensBefore: number; readonly tokensAfter: number } | undefined;
  /** The memories that the view shows; where it shows some. */
  readonly recalled?: Recalled;
  /** The text that stands in for what was left out. */
  readonly replacedBy: string | undefined;
  /** How to get it back. */
  readonly recover: string;
  /** True where the view shows less of the log than before because of a cut: that can be taken back. */
  readonly cut?: boolean;
  /** True for a cut that the next view would make again, as nothing larger fits: `undo` refuses to take it back. */
  readonly demanded?: boolean;
  /** How important each entry is: of `session.explain`, where the strategy goes by that. */
  readonly scores?: readonly EntryScore[];
  /** Whether the cut pays; where there was one. */
  readonly economics?: Economics | undefined;
}

/** Fates that only a cut brings about: without one the prefix of the view has not changed. */
const OF_A_CUT: ReadonlySet<Fate> = new Set<Fate>(["moved", "cleared", "superseded"]);

/** Whether a receipt accounts for a change that can be taken back. */
export const isCut = ({ cut, leftOut, items }: Receipt): boolean =>
  cut === true || leftOut !== undefined || items.some(({ fate }) => OF_A_CUT.has(fate));

/** Whether a receipt is that of a compaction: a cut that makes the view strictly smaller. */
export const isCompaction = (receipt: Receipt): boolean => isCut(receipt) && receipt.tokensAfter < receipt.tokensBefore;
