import type { Message } from "./types.js";

/** Who put a message into the log: a person, the agent, a tool, or the application itself. */
export type Origin = "user" | "agent" | "tool" | "application";

/** A message as stored. Entries are never changed; only the cached count is filled in when it is first needed. */
export interface Entry {
  readonly id: string;
  /** Position in the session's log, from 0, also across branches. */
  readonly sequence: number;
  /** The entry before it on its branch. */
  readonly parent: string | null;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly origin: Origin;
  readonly message: Message;
  /** Tokens of the message by the session's counter. */
  tokens: number | undefined;
}

/** The origin a message has by its role. */
export function originOf(message: Message): Origin {
  if (message.role === "user") return "user";
  if (message.role === "assistant") return "agent";
  return message.role === "tool" ? "tool" : "application";
}
