export interface PinOptions {
  /** Who pins; the user unless given. Pins of the agent's give way to newer ones of its own. */
  readonly by?: "user" | "agent";
  /** Refuses the pin where the exchange takes more tokens. */
  readonly maxTokens?: number;
  /** For how many turns beyond the present one it holds; for good unless given. */
  readonly turns?: number;
  /** When it ends, in milliseconds since the epoch; never unless given. */
  readonly until?: number;
}

/** What is pinned, by whom, how large its exchange is, and when the pin ends. */
export interface Pin {
  readonly entry: string;
  readonly by: "user" | "agent";
  /** Tokens of the whole exchange, as views show it. */
  readonly tokens: number;
  /** The last turn, or the time, up to which it holds. */
  readonly until: PinEnd;
}

export interface PinEnd {
  readonly turn?: number;
  readonly time?: number;
}

/** The pin that was set, and those of the agent's that had to give way to it. */
export interface PinOutcome {
  readonly pin: Pin;
  readonly gaveWay: readonly Pin[];
}
