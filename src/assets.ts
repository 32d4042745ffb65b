/** The package's own files. They lie in the folder `assets`, one up, from the source and from the build alike. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { VarveError } from "./errors.js";

export const assetPath = (name: string): string => fileURLToPath(new URL(`../assets/${name}`, import.meta.url));

/** Reads one of them at once, and makes something of it. */
export function readAsset<T>(name: string, read: (file: Uint8Array) => T): T {
  const path = assetPath(name);
  try {
    return read(readFileSync(path));
  } catch (cause) {
    throw new VarveError({
      code: "not-found",
      message: `${path}, which varve needs, cannot be read.`,
      hint: "Install the package again; a checkout needs the file itself, not a pointer to it, and a bundler must leave varve outside of its bundle.",
      cause,
      details: { path },
    });
  }
}
