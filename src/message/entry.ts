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

export interface EntryPlace {
  readonly sequence: number;
  /** Sequence of the entry before it; -1 for the first. */
  readonly after: number;
  readonly time: number;
}

/** An entry at its place in a log. Its id is worked out when asked for: most are never asked. */
export function entryOf(message: Message, place: EntryPlace): Entry {
  return new PlacedEntry(message, place);
}

class PlacedEntry implements Entry {
  readonly sequence: number;
  readonly time: number;
  readonly message: Message;
  tokens: number | undefined = undefined;
  private readonly after: number;

  constructor(message: Message, { sequence, after, time }: EntryPlace) {
    this.message = message;
    this.sequence = sequence;
    this.time = time;
    this.after = after;
  }

  get id(): string {
    return idOf(this.sequence);
  }

  get parent(): string | null {
    return this.after < 0 ? null : idOf(this.after);
  }

  get origin(): Origin {
    return originOf(this.message);
  }

  toJSON(): Entry {
    const { id, sequence, parent, time, origin, message, tokens } = this;
    return { id, sequence, parent, time, origin, message, tokens };
  }
}

const idOf = (sequence: number): string => `e${sequence}`;

/** The origin a message has by its role. */
function originOf(message: Message): Origin {
  if (message.role === "user") return "user";
  if (message.role === "assistant") return "agent";
  return message.role === "tool" ? "tool" : "application";
}
