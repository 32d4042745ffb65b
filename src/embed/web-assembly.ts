/** The part of WebAssembly that is used here; the types of Node do not hold it. */
export interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface WebAssemblyPart {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (pages: { initial: number }) => WebAssemblyMemory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

declare const WebAssembly: WebAssemblyPart | undefined;

/** Bytes of a page of memory. */
export const PAGE = 65_536;

const modules = new Map<string, object>();

export interface RunningModule<Exports> {
  readonly memory: WebAssemblyMemory;
  readonly exports: Exports;
}

/**
 * Starts a module, given in base64, with a memory of its own; undefined where WebAssembly, its SIMD or the address space
 * for the memory is missing. What the module exports is for its caller to know.
 */
export function startModule<Exports extends object>(base64: string, pages: number): RunningModule<Exports> | undefined {
  if (typeof WebAssembly === "undefined") return undefined;
  try {
    const module =
      modules.get(base64) ?? new WebAssembly.Module(Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)));
    modules.set(base64, module);
    const memory = new WebAssembly.Memory({ initial: pages });
    const { exports } = new WebAssembly.Instance(module, { varve: { memory } });
    return { memory, exports: exports as Exports };
  } catch {
    return undefined;
  }
}
