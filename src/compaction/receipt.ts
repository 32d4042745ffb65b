/** What became of one entry in a reduction. */
export interface ReceiptItem {
  readonly entry: string;
  readonly fate: "shortened";
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** The account of one reduction: what was replaced by what, tokens before and after, why, and how to get it back. */
export interface Receipt {
  readonly id: string;
  readonly strategy: string;
  readonly reason: string;
  /** What the view would have taken without this reduction. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** True where `tokensBefore` holds texts that were never counted whole and are estimated from samples. */
  readonly estimated: boolean;
  /** Entries newly left out: the first and the last id, and how many; between them may stand some that are shown. */
  readonly leftOut: { readonly from: string; readonly to: string; readonly entries: number } | undefined;
  /** Entries shown shorter than they are. */
  readonly items: readonly ReceiptItem[];
  /** The request's context, where it was shortened or, with 0 tokens after, dropped. */
  readonly context?: { readonly tokensBefore: number; readonly tokensAfter: number } | undefined;
  /** The text that stands in for what was left out. */
  readonly replacedBy: string | undefined;
  /** How to get it back. */
  readonly recover: string;
}
