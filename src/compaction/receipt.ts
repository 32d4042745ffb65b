/** What became of one entry in a reduction. */
export interface ReceiptItem {
  readonly entry: string;
  readonly fate: "left-out" | "shortened";
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** The account of one reduction: what was replaced by what, tokens before and after, why, and how to get it back. */
export interface Receipt {
  readonly id: string;
  readonly strategy: string;
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** True where `tokensBefore` holds entries that were never counted and are estimated from their length. */
  readonly estimated: boolean;
  /** Entries newly left out, as a range of the log: first and last id, and how many. */
  readonly leftOut: { readonly from: string; readonly to: string; readonly entries: number } | undefined;
  /** Entries shown shorter than they are. */
  readonly items: readonly ReceiptItem[];
  /** The text that stands in for what was left out. */
  readonly replacedBy: string | undefined;
  /** How to get it back. */
  readonly recover: string;
}
