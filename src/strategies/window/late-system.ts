/**
 * System messages from inside the conversation. They stand behind those at its start, since most providers take system
 * messages there only. A text is shown once; said again after others it moves behind them, for what was said last holds.
 * Where room is short, the texts that were said last stay. All of this depends on the log and the room alone, and is kept from view to view: one more
 * message costs no more than itself.
 */
import { isBlank } from "../../message/content.js";
import type { Entry } from "../../message/entry.js";
import type { Log } from "../../message/log.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Counted } from "./counted.js";

/** What became of them, as positions. A message that repeats a text which is shown is in neither list. */
export interface LateSystem {
  readonly shown: readonly number[];
  /** Those without room from a position on. Blank ones are not among them. */
  droppedFrom(position: number): number[];
  /** Whether a message repeated a text that was shown already, and thus took no room. */
  isRepeat(position: number): boolean;
}

interface Text extends Counted {
  /** Positions of the messages that said it, from the one on that brought it into the view. */
  readonly positions: number[];
  /** The one of them at whose place it is shown. */
  readonly place: number;
}

export class LateSystemMessages implements LateSystem {
  readonly room: number;
  readonly log: Log;
  readonly #counter: TokenCounter;
  /** The texts shown, those first that were last said longest ago. */
  readonly #texts = new Map<unknown, Text>();
  readonly #dropped = new Set<number>();
  readonly #repeats = new Set<number>();
  /** The text that was said last. */
  #latest: unknown;
  #shown: readonly number[] = [];
  #taken = 0;
  #tokens = 0;

  constructor(log: Log, counter: TokenCounter, room: number) {
    this.log = log;
    this.room = room;
    this.#counter = counter;
  }

  /** Takes in what the log has got since, and gives the messages to show in their order. */
  update(): Counted[] {
    const { lateSystem } = this.log;
    for (; this.#taken < lateSystem.length; this.#taken++) this.#take(lateSystem[this.#taken]!);
    const shown = [...this.#texts.values()];
    this.#shown = shown.map(({ place }) => place);
    return shown;
  }

  get shown(): readonly number[] {
    return this.#shown;
  }

  droppedFrom(position: number): number[] {
    const { lateSystem } = this.log;
    const found: number[] = [];
    for (let at = lateSystem.length - 1; at >= 0 && lateSystem[at]! >= position; at--) {
      if (this.#dropped.has(lateSystem[at]!)) found.push(lateSystem[at]!);
    }
    return found.reverse();
  }

  isRepeat(position: number): boolean {
    return this.#repeats.has(position);
  }

  #take(position: number): void {
    const entry = this.log.entries[position]!;
    const { content } = entry.message;
    if (isBlank(entry.message)) return;
    const known = this.#texts.get(content);
    if (known !== undefined && this.#latest === content) {
      known.positions.push(position);
      this.#repeats.add(position);
    } else this.#show(entry, position, known);
  }

  /** Shows a text at this place, behind all others. */
  #show(entry: Entry, position: number, before: Text | undefined): void {
    const { message } = entry;
    entry.tokens ??= this.#counter.message(message);
    const { tokens } = entry;
    if (tokens > this.room) {
      this.#dropped.add(position);
      return;
    }
    if (before !== undefined) this.#repeats.add(before.place);
    const positions = before?.positions ?? [];
    positions.push(position);
    this.#texts.delete(message.content);
    this.#texts.set(message.content, { message, tokens, positions, place: position });
    this.#latest = message.content;
    this.#tokens += tokens - (before?.tokens ?? 0);
    this.#makeRoom();
  }

  #makeRoom(): void {
    for (const [content, { tokens, positions }] of this.#texts) {
      if (this.#tokens <= this.room) return;
      this.#texts.delete(content);
      this.#tokens -= tokens;
      for (const position of positions) this.#dropped.add(position);
    }
  }
}
