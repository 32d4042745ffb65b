/** Pins: exchanges that every view shows, within a budget, until they end. */

import { isVisible } from "../message/exchanges.js";
import type { Log } from "../message/log.js";
import type { Receipt, ReceiptItem } from "../view/receipt.js";
import type { View } from "../view/view.js";
import type { Pin, PinEnd, PinOptions, PinOutcome } from "./pin.js";
import { checkPinOptions, nothingToShow, overBudget, tooLarge } from "./pin-refusals.js";

/** A pin as it is stored. */
export interface StoredPin {
  readonly entry: string;
  readonly by: Pin["by"];
  readonly until: PinEnd;
  /** Position at which its exchange opens. */
  readonly position: number;
}

/** A pin that has ended of itself, and why: the next view's receipt tells it. */
interface EndedPin {
  readonly entry: string;
  readonly reason: string;
}

export interface PinsInput {
  readonly log: Log;
  /** Tokens of the exchange that opens at a position, as views show it. */
  readonly tokensAt: (position: number) => number;
  /** Tokens that all pins may take together. */
  readonly budget: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The pins of one session, oldest first. */
export class Pins {
  readonly #input: PinsInput;
  #pins: readonly StoredPin[] = [];
  #ended: readonly EndedPin[] = [];

  constructor(input: PinsInput) {
    this.#input = input;
  }

  /** All that later views depend on, as a value. */
  get state(): { readonly pins: readonly StoredPin[]; readonly ended: readonly EndedPin[] } {
    return { pins: this.#pins, ended: this.#ended };
  }

  restore({ pins, ended }: Pins["state"]): void {
    this.#pins = pins;
    this.#ended = ended;
  }

  get entries(): readonly string[] {
    return this.#pins.map(({ entry }) => entry);
  }

  /** Positions at which the pinned exchanges open. */
  get positions(): readonly number[] {
    return this.#pins.map(({ position }) => position);
  }

  list(): readonly Pin[] {
    return this.#pins.map((pin) => this.#sized(pin));
  }

  /** Pins the exchange of an entry. A pin of the same entry is replaced. */
  set(at: number, options: PinOptions): PinOutcome {
    const pin = this.#made(at, checkPinOptions(options));
    this.sweep();
    const others = this.#pins.filter(({ entry }) => entry !== pin.entry);
    const kept = this.#withRoomFor(pin, others);
    const gaveWay = others.filter((other) => !kept.includes(other));
    this.#pins = [...kept, pin];
    const reason = `its pin gave way to the agent's pin of ${pin.entry}`;
    this.#ended = [...this.#ended, ...gaveWay.map(({ entry }) => ({ entry, reason }))];
    return { pin: this.#sized(pin), gaveWay: gaveWay.map((each) => this.#sized(each)) };
  }

  /** False where the entry was not pinned. */
  delete(entry: string): boolean {
    const { length } = this.#pins;
    this.#pins = this.#pins.filter((pin) => pin.entry !== entry);
    return this.#pins.length < length;
  }

  /** Lets the pins go whose time has come. */
  sweep(): void {
    const gone = this.#pins.flatMap((pin) => this.#endOf(pin) ?? []);
    if (gone.length === 0) return;
    const entries = new Set(gone.map(({ entry }) => entry));
    this.#pins = this.#pins.filter(({ entry }) => !entries.has(entry));
    this.#ended = [...this.#ended, ...gone];
  }

  /** The view with what became of pins in its receipt. */
  reported(view: View, strategy: string): View {
    if (this.#ended.length === 0) return view;
    const items = this.#ended.map(unpinnedItem);
    const receipt = view.receipt ?? emptyReceipt(view, strategy);
    return { ...view, receipt: { ...receipt, items: [...receipt.items, ...items] } };
  }

  /** Once a view has told of the pins that ended. */
  clearReport(): void {
    this.#ended = [];
  }

  #made(at: number, { by = "user", maxTokens, turns, until: time }: PinOptions): StoredPin {
    const { log } = this.#input;
    const entry = log.entries[at]!.id;
    const position = exchangeOf(log, at);
    const tokens = this.#input.tokensAt(position);
    if (maxTokens !== undefined && tokens > maxTokens) throw tooLarge(entry, tokens, maxTokens);
    const turn = turns === undefined ? undefined : log.requests.length + turns;
    return { entry, by, position, until: { ...(turn !== undefined && { turn }), ...(time !== undefined && { time }) } };
  }

  /** The other pins that may stay beside one; the agent's oldest give way to a newer one of its own. */
  #withRoomFor(pin: StoredPin, others: readonly StoredPin[]): readonly StoredPin[] {
    const budget = this.#input.budget();
    let kept = others;
    while (this.#total([...kept, pin]) > budget) {
      const oldest = pin.by === "agent" ? kept.find(({ by }) => by === "agent") : undefined;
      if (oldest === undefined)
        throw overBudget(
          this.#sized(pin),
          others.map((each) => this.#sized(each)),
          budget,
        );
      kept = kept.filter((each) => each !== oldest);
    }
    return kept;
  }

  /** Entries of one exchange count once. */
  #total(pins: readonly StoredPin[]): number {
    const positions = new Set(pins.map(({ position }) => position));
    let tokens = 0;
    for (const position of positions) tokens += this.#input.tokensAt(position);
    return tokens;
  }

  #sized({ entry, by, until, position }: StoredPin): Pin {
    return { entry, by, tokens: this.#input.tokensAt(position), until };
  }

  #endOf({ entry, until: { turn, time } }: StoredPin): EndedPin | undefined {
    const { log, now } = this.#input;
    if (turn !== undefined && log.requests.length > turn) return { entry, reason: `its pin ended with turn ${turn}` };
    if (time === undefined || now() < time) return undefined;
    return { entry, reason: `its pin ended at ${new Date(time).toISOString()}` };
  }
}

/** Position at which the exchange of an entry opens. */
function exchangeOf(log: Log, at: number): number {
  const holding = log.holding(at);
  if (holding !== undefined && isVisible(holding)) return holding.first;
  throw nothingToShow(log.entries[at]!);
}

const unpinnedItem = ({ entry, reason }: EndedPin): ReceiptItem => ({
  from: entry,
  to: entry,
  entries: 1,
  fate: "unpinned",
  reason,
  tokensBefore: 0,
  tokensAfter: 0,
  estimated: false,
  reach: "view",
});

/** The account of a view that reduced nothing. */
function emptyReceipt({ tokens, blocks }: View, strategy: string): Receipt {
  const memory = blocks.find(({ name }) => name === "memory")?.tokens ?? 0;
  return {
    id: "",
    strategy,
    reason: "a pin has ended",
    tokensBefore: tokens,
    tokensAfter: tokens,
    estimated: false,
    leftOut: undefined,
    items: [],
    unreachable: [],
    memory: { tokensBefore: memory, tokensAfter: memory },
    replacedBy: undefined,
    recover: "session.pin() pins it again.",
  };
}
