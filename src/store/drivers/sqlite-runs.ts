/**
 * What stands in front of the texts of a run of entries, in three typed arrays: their kinds, times and parents. All
 * numbers are little-endian.
 */

import type { MessageSource } from "../../message/stored-message.js";
import type { Message } from "../../message/types.js";
import type { EntrySource } from "../stored-entry.js";
import { rowSum } from "./row-sum.js";

/** Entries of a full run. */
export const RUN = 1024;

/** The place of a session's first entry is its number times this. */
export const PLACES = 2 ** 28;

const ROLES = ["system", "user", "assistant", "tool"] as const;
const BLANK = 8;

/** Above a kind, in its column, stands the sum of what is in front of the text. */
export const KINDS = 256;

export const roleIn = (kind: number): Message["role"] => ROLES[kind % BLANK]!;

export const isBlankKind = (kind: number): boolean => kind >= BLANK;

export const kindOf = (role: Message["role"], blank: boolean): number => ROLES.indexOf(role) + (blank ? BLANK : 0);

export interface RunRow {
  /** Sequence of the first entry. */
  readonly first: number;
  readonly kinds: Uint8Array;
  readonly times: Float64Array;
  /** Undefined where every entry follows the one before it. */
  readonly parents: Float64Array | undefined;
}

/** One row of `entries` without its text. */
export interface Front {
  readonly sequence: number;
  readonly parent: number;
  readonly time: number;
  readonly kind: number;
}

type StoredFront = Omit<Front, "sequence"> & { readonly place: number };

export const frontSum = ({ place, parent, time, kind }: StoredFront): number =>
  rowSum(`${place} ${parent} ${time} ${kind}`) >>> 0;

/** A front from its columns; undefined where it is not as it was written. That of 0.1.0 has no sum. */
export function frontOf(row: Readonly<Record<string, unknown>>, isUnsummed: boolean): StoredFront | undefined {
  const [place, parent, time, stored] = [row.place, row.parent, row.time, row.kind].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const front = { place, parent, time, kind: stored % KINDS };
  const isWhole = stored < KINDS ? isUnsummed : Math.floor(stored / KINDS) === frontSum(front);
  return isWhole && front.kind < 2 * BLANK && ROLES[front.kind % BLANK] !== undefined ? front : undefined;
}

export function runOf(fronts: readonly Front[]): RunRow {
  const linear = fronts.every(({ sequence, parent }) => parent === sequence - 1);
  return {
    first: fronts[0]?.sequence ?? 0,
    kinds: Uint8Array.from(fronts, ({ kind }) => kind),
    times: Float64Array.from(fronts, ({ time }) => time),
    parents: linear ? undefined : Float64Array.from(fronts, ({ parent }) => parent),
  };
}

export const bytesOf = (array: Float64Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Numbers from a column; copied, since they need not lie where eight-byte numbers may. */
export const numbersOf = (bytes: Uint8Array): Float64Array => new Float64Array(bytes.slice().buffer);

/** A run of entries whose texts are fetched when they are read. */
export class StoredRun implements EntrySource {
  readonly #row: RunRow;
  readonly #texts: MessageSource;

  constructor(row: RunRow, texts: MessageSource) {
    this.#row = row;
    this.#texts = texts;
  }

  parentOf(sequence: number): number {
    const { first, parents } = this.#row;
    return parents === undefined ? sequence - 1 : parents[sequence - first]!;
  }

  timeOf(sequence: number): number {
    return this.#row.times[sequence - this.#row.first]!;
  }

  roleOf(sequence: number): Message["role"] {
    return roleIn(this.#row.kinds[sequence - this.#row.first]!);
  }

  isBlank(sequence: number): boolean {
    return isBlankKind(this.#row.kinds[sequence - this.#row.first]!);
  }

  messageOf(sequence: number): Message {
    return this.#texts.messageOf(sequence);
  }
}
