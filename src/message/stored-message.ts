import type { WholeMessage } from "./packed-message.js";
import type { Message } from "./types.js";

/** Where messages can be read again, without waiting: a store that holds them. */
export interface MessageSource {
  messageOf(sequence: number): Message;
}

/** A message that its store can read again. It is kept for as long as somebody else holds it: it is the same one until then. */
export class StoredMessage implements WholeMessage {
  readonly role: Message["role"];
  readonly #blank: boolean;
  readonly #source: MessageSource;
  readonly #sequence: number;
  #held: WeakRef<Message>;

  constructor(known: WholeMessage, source: MessageSource, sequence: number) {
    this.role = known.role;
    this.#blank = known.isBlank();
    this.#source = source;
    this.#sequence = sequence;
    this.#held = new WeakRef(known.message);
  }

  get message(): Message {
    const held = this.#held.deref();
    if (held !== undefined) return held;
    const message = this.#source.messageOf(this.#sequence);
    this.#held = new WeakRef(message);
    return message;
  }

  isBlank(): boolean {
    return this.#blank;
  }

  whole(): this {
    return this;
  }
}
