import type { ConsentRequest } from "./tools/tool.js";

/** Whoever shows a turn while it goes on. */
export interface TurnListener {
  /** Whether there is somebody who may type commands such as /continue. */
  readonly hasCommands: boolean;
  /** A piece of the answer. */
  text(piece: string): void;
  /** The model thinks; what, is its own business. */
  thinking(): void;
  /** What came since the last message is void: it is going to be said anew. */
  again(): void;
  /** The message is complete and durable. */
  said(): void;
  /** Words about what happens. */
  note(words: string): void;
  /** A tool is called, with its name and what it is about. */
  call(name: string, about: string): void;
  /** Asks the user; "no" where there is none to ask. */
  ask(request: ConsentRequest): Promise<ConsentAnswer>;
}

export type ConsentAnswer = "once" | "always" | "no";
