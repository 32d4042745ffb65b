/** The package's own files. They lie in the folder `assets`, one up, from the source and from the build alike. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { VarveError } from "./errors.js";

export const assetPath = (name: string): string => fileURLToPath(new URL(`../assets/${name}`, import.meta.url));

export function readAsset(name: string): Uint8Array {
  const path = assetPath(name);
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new VarveError({
      code: "not-found",
      message: `${path}, a file of varve's own, cannot be read.`,
      hint: "Install the package again; a bundler must leave varve outside of its bundle.",
      cause,
      details: { path },
    });
  }
}
