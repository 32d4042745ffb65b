import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SourceFiles } from "./architecture.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDERS = ["src", "test", "bench", "scripts"];

/** Every source file of this repository. */
export function readSources(): SourceFiles {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
  return new Map(
    paths
      .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
      .map((path) => [path.replaceAll("\\", "/"), readFileSync(join(ROOT, path), "utf8")]),
  );
}
