import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder that goes with the tests of its file. */
const folder = mkdtempSync(join(tmpdir(), "varve-stores-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let opened = 0;

/** The embedded stores: each call gives the address of a new one. */
export const addresses: Record<string, () => string> = {
  memory: () => "memory",
  sqlite: () => `sqlite:${join(folder, `${++opened}.db`)}`,
  file: () => `file:${join(folder, `${++opened}`)}`,
};
