import { VarveError } from "../../errors.js";
import { PlainKernel } from "./plain-kernel.js";
import type { QuantisedVector } from "./quantise.js";
import type { ScanKernel } from "./scan-kernel.js";
import { BLOCK_ROWS, bytesOf, codesAt, type ScanLayout, scaleAt } from "./scan-layout.js";
import { simdKernel } from "./simd-kernel.js";

/** What a row holds besides its place. */
export interface VectorRow extends QuantisedVector {
  readonly key: number;
  readonly group: number;
}

/**
 * Rows by slot, without gaps: slots 0 to size - 1 are filled, and the last row moves into the place of one that is
 * taken out. What lies behind the last row is zero, so nothing of a removed vector stays.
 */
export class VectorRows {
  readonly #layout: ScanLayout;
  #kernel: ScanKernel;
  #blocks = 0;
  size = 0;
  keys = new Float64Array(0);
  groups = new Uint32Array(0);
  /** No group is above this. */
  topGroup = 0;

  constructor(layout: ScanLayout) {
    this.#layout = layout;
    this.#kernel = openKernel(layout);
  }

  get kernel(): ScanKernel {
    return this.#kernel;
  }

  get bytes(): number {
    return this.#kernel.views.codes.byteLength + this.keys.byteLength + this.groups.byteLength;
  }

  /** Makes room for so many rows in all, and an eighth more, so that growing is seldom. */
  reserve(rows: number): void {
    const needed = Math.ceil(rows / BLOCK_ROWS);
    if (needed <= this.#blocks) return;
    const ample = Math.max(needed, this.#blocks + Math.ceil(this.#blocks / 8));
    if (!this.#grow(ample) && !this.#grow(needed)) throw noRoom(rows, bytesOf(this.#layout, needed));
  }

  /** Puts a row in a slot that is filled, or in the one behind the last. */
  write(slot: number, { key, group, codes, scale }: VectorRow): void {
    const { views } = this.#kernel;
    views.codes.set(codes, codesAt(this.#layout, slot));
    views.scales[scaleAt(this.#layout, slot)] = scale;
    this.keys[slot] = key;
    this.groups[slot] = group;
    this.topGroup = Math.max(this.topGroup, group);
    if (slot === this.size) this.size++;
  }

  /** Takes a row out; the last one has its slot thereafter. */
  remove(slot: number): void {
    const last = this.size - 1;
    if (slot !== last) this.write(slot, this.#read(last));
    const row = this.#read(last);
    row.codes.fill(0);
    this.write(last, { ...row, key: 0, group: 0, scale: 0 });
    this.size = last;
    this.#shrink();
  }

  /** A row whose codes are those in the memory. */
  #read(slot: number): VectorRow {
    const { views } = this.#kernel;
    const start = codesAt(this.#layout, slot);
    return {
      key: this.keys[slot]!,
      group: this.groups[slot]!,
      codes: views.codes.subarray(start, start + this.#layout.stride),
      scale: views.scales[scaleAt(this.#layout, slot)]!,
    };
  }

  #grow(blocks: number): boolean {
    const grown = tryGrow(this.#kernel, blocks);
    if (grown) this.#resize(blocks);
    return grown;
  }

  /** Moves to a smaller memory, if there is one as quick, when three quarters of the blocks are empty. */
  #shrink(): void {
    const needed = Math.ceil(this.size / BLOCK_ROWS);
    if (this.#blocks <= 4 * Math.max(needed, 1)) return;
    const kernel = openKernel(this.#layout);
    if (kernel.simd !== this.#kernel.simd || !tryGrow(kernel, needed)) return;
    kernel.views.codes.set(this.#kernel.views.codes.subarray(0, bytesOf(this.#layout, needed)));
    this.#kernel = kernel;
    this.#resize(needed);
  }

  #resize(blocks: number): void {
    const [keys, groups] = [new Float64Array(blocks * BLOCK_ROWS), new Uint32Array(blocks * BLOCK_ROWS)];
    keys.set(this.keys.subarray(0, this.size));
    groups.set(this.groups.subarray(0, this.size));
    [this.keys, this.groups, this.#blocks] = [keys, groups, blocks];
  }
}

const openKernel = (layout: ScanLayout): ScanKernel => simdKernel(layout) ?? new PlainKernel(layout);

/** False where there is no room. */
function tryGrow(kernel: ScanKernel, blocks: number): boolean {
  try {
    kernel.grow(blocks);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const noRoom = (rows: number, bytes: number): VarveError =>
  new VarveError({
    code: "store-full",
    message: `There is no memory for a table of ${rows} vectors, which takes ${bytes} bytes.`,
    hint: "Use vectors of fewer dimensions, split the table, or keep memories in PostgreSQL.",
    details: { rows, bytes },
  });
