/** What is known from a text. The text itself is kept; facts are further keys to it and never replace it. */
export type FactKind = "fact" | "preference" | "decision" | "event";

export interface Fact {
  /** The sentence that says it, as it was said. */
  readonly text: string;
  readonly kind: FactKind;
  /**
   * An attribute that has one value at a time, normalised: `user/employer`, `deploy port`. Of what may have several values
   * at once, each liking has its own (`user/liking for tea`), and other things have none.
   */
  readonly slot?: string;
  readonly value?: string;
  /** A value that has ended: "no longer at Acme", "switched from npm". */
  readonly closes?: string;
  /** The sentence says that something changed. */
  readonly update?: true;
  /** The date of an event, as it was said. */
  readonly date?: string;
}
