import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { rememberTogether, surviveMemoryKills } from "./support/memory-writers.js";

/** A short run by default; VARVE_KILLS=200 for the long one. */
const KILLS = Number(process.env.VARVE_KILLS ?? 4);
const TIMEOUT = 120_000 + 10_000 * KILLS;

const folder = mkdtempSync(join(tmpdir(), "varve-crash-memories-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  { name: "file", addressOf: (place: string) => `file:${join(folder, place)}` },
  { name: "SQLite", addressOf: (place: string) => `sqlite:${join(folder, `${place}.db`)}` },
])("several processes that remember and forget in one $name store", ({ addressOf }) => {
  test(
    "keep rows and sessions together when they are killed at any moment",
    () => surviveMemoryKills({ address: addressOf("killed"), kills: KILLS, lines: 10, milliseconds: 12 }),
    TIMEOUT,
  );

  test("lose nothing of each other's in one scope", () => rememberTogether(addressOf("together"), 3, 9), TIMEOUT);
});
