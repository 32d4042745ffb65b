import { PAGE, startModule, type WebAssemblyMemory } from "../../embed/web-assembly.js";
import type { ScanKernel } from "./scan-kernel.js";
import { bytesOf, type ScanLayout, scanViews } from "./scan-layout.js";
import { SCAN_MODULE } from "./scan-module.js";

type Scan = (address: number, count: number, ...rest: [stride: number, threshold: number]) => number;

/** The scan in WebAssembly; undefined where that, its SIMD or the address space for its memory is missing. */
export function simdKernel(layout: ScanLayout): ScanKernel | undefined {
  const started = startModule<{ readonly scan: Scan }>(SCAN_MODULE, pagesOf(layout, 0));
  return started && new SimdKernel(layout, started.memory, started.exports.scan);
}

const pagesOf = (layout: ScanLayout, blocks: number): number => Math.ceil(bytesOf(layout, blocks) / PAGE);

class SimdKernel implements ScanKernel {
  readonly simd = true;
  readonly #layout: ScanLayout;
  readonly #memory: WebAssemblyMemory;
  readonly #scan: Scan;
  views;

  constructor(layout: ScanLayout, memory: WebAssemblyMemory, scan: Scan) {
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
