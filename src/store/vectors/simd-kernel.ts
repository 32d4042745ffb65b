import type { ScanKernel } from "./scan-kernel.js";
import { bytesOf, type ScanLayout, scanViews } from "./scan-layout.js";
import { SCAN_MODULE } from "./scan-module.js";

type Scan = (address: number, count: number, ...rest: [stride: number, threshold: number]) => number;

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of WebAssembly that is used here; the types of Node do not hold it. */
interface WebAssemblyPart {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (pages: { initial: number }) => Memory;
  readonly Instance: new (module: object, imports: { varve: { memory: Memory } }) => { exports: { scan: Scan } };
}

declare const WebAssembly: WebAssemblyPart | undefined;

const PAGE = 65_536;

let compiled: object | undefined;

/** The scan in WebAssembly; undefined where that, its SIMD or the address space for its memory is missing. */
export function simdKernel(layout: ScanLayout): ScanKernel | undefined {
  if (typeof WebAssembly === "undefined") return undefined;
  try {
    compiled ??= new WebAssembly.Module(Uint8Array.from(atob(SCAN_MODULE), (each) => each.charCodeAt(0)));
    const memory = new WebAssembly.Memory({ initial: pagesOf(layout, 0) });
    const { scan } = new WebAssembly.Instance(compiled, { varve: { memory } }).exports;
    return new SimdKernel(layout, memory, scan);
  } catch {
    return undefined;
  }
}

const pagesOf = (layout: ScanLayout, blocks: number): number => Math.ceil(bytesOf(layout, blocks) / PAGE);

class SimdKernel implements ScanKernel {
  readonly simd = true;
  readonly #layout: ScanLayout;
  readonly #memory: Memory;
  readonly #scan: Scan;
  views;

  constructor(layout: ScanLayout, memory: Memory, scan: Scan) {
    this.#layout = layout;
    this.#memory = memory;
    this.#scan = scan;
    this.views = scanViews(memory.buffer, layout);
  }

  grow(blocks: number): void {
    this.#memory.grow(pagesOf(this.#layout, blocks) - this.#memory.buffer.byteLength / PAGE);
    this.views = scanViews(this.#memory.buffer, this.#layout);
  }

  scan(block: number, count: number, threshold: number): number {
    return this.#scan(bytesOf(this.#layout, block), count, this.#layout.stride, threshold);
  }
}
