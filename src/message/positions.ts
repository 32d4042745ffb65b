declare const unit: unique symbol;

/** Index of an entry in the log of one branch. A plain number may become one; a place among exchanges may not. */
export type Position = number & { readonly [unit]?: "position" };

/** Index of an exchange, counted from the horizon of a log: it holds only until that moves. */
export type ExchangePlace = number & { readonly [unit]?: "exchange" };

/** Names an entry in its session, on all its branches. */
export type EntryId = string & { readonly [unit]?: "entry" };
