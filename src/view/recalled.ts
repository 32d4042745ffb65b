/** The memories that a view shows, beside what was said in its session. */
export interface Recalled {
  /** Their ids, in the order in which they stand in the view. */
  readonly ids: readonly string[];
  readonly tokens: number;
}
