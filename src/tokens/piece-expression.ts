/** What the expressions of the encodings share: the mark or blank in front of a word, and what `'s` and its like add. */
export const LEAD: string = String.raw`[^\r\n\p{L}\p{N}]?`;
export const CONTRACTION: string = "'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])";

/** Finds the pieces of a text: at each place the first of these kinds that is there. */
export const piecesOf = (...kinds: readonly string[]): RegExp => new RegExp(kinds.join("|"), "gu");
