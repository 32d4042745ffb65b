import { FreeTexts, type TextForm } from "./sendable-text.js";

/** The message number of an id that was made here. */
const MADE = -1;

/**
 * The ids of calls for a format that takes each only once in a request. An id that is taken gets a number behind it,
 * and the result of its call with it. Ids are given in the order of the messages, so that a longer conversation writes
 * its beginning as before.
 */
export class CallIds {
  readonly #form: TextForm;
  /** Every id that was written, with the message that has it where it came like this. */
  readonly #taken = new Map<string, number>();
  readonly #free: FreeTexts;
  /** For each id that is written otherwise, the calls of the latest message that has it and that are not answered. */
  readonly #open = new Map<string, { message: number; written: string[] }>();
  #message = 0;

  constructor(form: TextForm) {
    this.#form = form;
    this.#free = new FreeTexts(form.longest);
  }

  /** A message that may hold calls begins. */
  start(): void {
    this.#message++;
  }

  /** The id to write for a call. */
  call(id: string): string {
    const base = this.#form.mend(id);
    if (base === id && !this.#taken.has(id)) {
      this.#taken.set(id, this.#message);
      return id;
    }
    const written = this.#free.from(base, this.#taken);
    this.#taken.set(written, MADE);
    this.#await(id, written);
    return written;
  }

  /** The id to write for the result of a call: that of the latest message with this id, one after the other. */
  result(id: string): string {
    const written = this.#open.size === 0 ? undefined : this.#open.get(id)?.written;
    if (written !== undefined) return (written.length > 1 ? written.shift() : written[0]) ?? id;
    const base = this.#form.mend(id);
    return base !== id && (this.#taken.get(id) ?? MADE) !== MADE ? id : base;
  }

  #await(id: string, written: string): void {
    const open = this.#open.get(id);
    if (open?.message === this.#message) open.written.push(written);
    else {
      const both = this.#taken.get(id) === this.#message;
      this.#open.set(id, { message: this.#message, written: both ? [id, written] : [written] });
    }
  }
}
