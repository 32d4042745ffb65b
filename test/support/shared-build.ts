import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Names the folder that all files of one run of the tests build the package in. */
export const SHARED_BUILD = "VARVE_TEST_BUILD";

/** Before the first file of a run; what it returns is called after the last one. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "varve-built-"));
  process.env[SHARED_BUILD] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
