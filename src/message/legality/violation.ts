/** One rule of a provider that a list of messages breaks. */
export interface Violation {
  readonly rule: string;
  /** Index of the message that breaks it. */
  readonly at: number;
}
