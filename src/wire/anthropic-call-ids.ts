/**
 * The ids of calls as Anthropic takes them: letters, digits, `_` and `-` only, and no id twice in a request. An id that is
 * taken gets a number behind it, and the result of its call with it. Ids are given in the order of the messages, so
 * that a longer conversation writes its beginning as before.
 */
export class AnthropicCallIds {
  readonly #taken = new Set<string>();
  /** The latest number put behind an id. */
  readonly #numbers = new Map<string, number>();
  /** For each id, the calls of the latest message that has it, as they were written and not yet answered. */
  readonly #open = new Map<string, { message: number; written: string[] }>();
  #message = 0;

  /** A message that may hold calls begins. */
  start(): void {
    this.#message++;
  }

  /** The id to write for a call. */
  call(id: string): string {
    const written = this.#free(id);
    this.#taken.add(written);
    const open = this.#open.get(id);
    if (open?.message === this.#message) open.written.push(written);
    else this.#open.set(id, { message: this.#message, written: [written] });
    return written;
  }

  /** The id to write for the result of a call: that of the latest message with this id, one after the other. */
  result(id: string): string {
    const written = this.#open.get(id)?.written ?? [];
    return (written.length > 1 ? written.shift() : written[0]) ?? sendableId(id);
  }

  #free(id: string): string {
    const base = sendableId(id);
    if (!this.#taken.has(base)) return base;
    let number = (this.#numbers.get(base) ?? 1) + 1;
    while (this.#taken.has(`${base}_${number}`)) number++;
    this.#numbers.set(base, number);
    return `${base}_${number}`;
  }
}

const sendableId = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, "_") || "_";
