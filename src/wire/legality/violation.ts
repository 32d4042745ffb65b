/** One rule of a provider that a list of messages breaks. */
export interface Violation {
  readonly rule: string;
  /** Index of the message that breaks it. */
  readonly at: number;
}

/** A rule that an encoded request breaks. */
export interface Fault {
  readonly rule: string;
  /** What breaks it: an object of the request. Those behind it hold it, or stand in it. */
  readonly at: readonly unknown[];
}
