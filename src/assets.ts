/** The package's own files. They lie in the folder `assets`, one up, from the source and from the build alike. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { VarveError } from "./errors.js";

/** A bundle in CommonJS knows no address of its own modules, and one in ESM knows its own instead. */
export function assetPath(name: string): string {
  try {
    return fileURLToPath(new URL(`../assets/${name}`, import.meta.url));
  } catch (cause) {
    throw unreadable(`assets/${name}`, cause);
  }
}

export function readAsset(name: string): Uint8Array {
  const path = assetPath(name);
  try {
    return readFileSync(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

const unreadable = (path: string, cause: unknown): VarveError =>
  new VarveError({
    code: "not-found",
    message: `${path}, a file of varve's own, cannot be read.`,
    hint: "Install the package again; a bundler must leave varve outside of its bundle, such as esbuild with --external:varve.",
    cause,
    details: { path },
  });
