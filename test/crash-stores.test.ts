import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { checkSession, startWriter } from "./support/session-writers.js";

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
      const address = addressOf("killed");
      let next = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const writer = startWriter({ address, session: "s", writer: "w", from: next, count: 1_000 });
        await writer.wrote(1 + Math.floor(Math.random() * 12));
        await wait(Math.random() * 12);
        writer.kill();
        expect(await writer.ended).toBeNull();
        const there = (await checkSession(address, "s")).get("w") ?? 0;
        expect(there - next - writer.lines.length).toBeOneOf([0, 1]);
        next = there;
      }
      expect(next).toBeGreaterThanOrEqual(KILLS);
    },
    TIMEOUT,
  );

  test(
    "append to one session in one order, and as many to others",
    async () => {
      const address = addressOf("sixteen");
      const shared = Array.from({ length: processes }, (_, at) => ({ session: "shared", writer: `w${at}` }));
      const own = Array.from({ length: processes }, (_, at) => ({ session: `own-${at}`, writer: "w" }));
      const writers = [...shared, ...own].map((task) => startWriter({ address, ...task, count: 6 }));
      expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual(Array(2 * processes).fill(0));
      const counts = await checkSession(address, "shared");
      expect([...counts.values()]).toEqual(Array(processes).fill(6));
      for (const { session } of own) expect((await checkSession(address, session)).get("w")).toBe(6);
    },
    TIMEOUT,
  );
});
