import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { surviveImportKills } from "./support/session-importers.js";
import { appendTogether, surviveKills } from "./support/session-writers.js";

/** A short run by default; VARVE_KILLS=200 for the long one. */
const KILLS = Number(process.env.VARVE_KILLS ?? 4);
const TIMEOUT = 120_000 + 10_000 * KILLS;

const folder = mkdtempSync(join(tmpdir(), "varve-crash-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  { name: "file", processes: 2, addressOf: (place: string) => `file:${join(folder, place)}` },
  { name: "SQLite", processes: 8, addressOf: (place: string) => `sqlite:${join(folder, `${place}.db`)}` },
])("several processes on one $name store", ({ processes, addressOf }) => {
  test(
    "lose and double nothing that was acknowledged when they are killed at any moment",
    async () => {
      await surviveKills({ address: addressOf("killed"), kills: KILLS, appends: 12, milliseconds: 12 });
    },
    TIMEOUT,
  );

  test(
    "leave the session before or the new one, whole, when they are killed while they import",
    async () => {
      await surviveImportKills({ address: addressOf("imported"), kills: Math.ceil(KILLS / 2), milliseconds: 60 });
    },
    TIMEOUT,
  );

  test(
    "append to one session in one order, and as many to others",
    async () => {
      await appendTogether({ address: addressOf("sixteen"), processes, count: 6 });
    },
    TIMEOUT,
  );
});
