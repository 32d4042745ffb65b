import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, expect, test } from "vitest";
import { openVarve } from "../src/session/open-varve.js";
import { eventually } from "./support/eventually.js";
import { describePostgres, type PostgresServer, startPostgres } from "./support/postgres.js";
import { LEARNER, learntBy, letterEmbedder } from "./support/remembering.js";
import { startScript } from "./support/typescript-process.js";

/** A short run by default; VARVE_KILLS=200 for the long one. */
const KILLS = Number(process.env.VARVE_KILLS ?? 2);
const TIMEOUT = 120_000 + 10_000 * KILLS;

const folder = mkdtempSync(join(tmpdir(), "varve-crash-learning-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Kills a process that learns at any moment; returns how many turns the session has then. */
async function killOne(address: string, from: number): Promise<void> {
  const learner = startScript("learning-process.ts", [address, String(from), "1000"]);
  await learner.wrote(1 + Math.floor(Math.random() * 6));
  await wait(Math.random() * 20);
  learner.kill();
  expect(await learner.ended).toBe(null);
}

const onceEach = (entries: number) => new Map(Array.from({ length: entries }, (_, at) => [`s:${at}`, 1]));

test.each([
  ["SQLite", `sqlite:${join(folder, "v.db")}`],
  ["file", `file:${join(folder, "files")}`],
])(
  "every turn is learnt exactly once on %s though its process is killed at any moment",
  async (_, store) => {
    let turns = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await killOne(store, turns);
      const varve = await openVarve({ store, embedder: letterEmbedder });
      const session = await varve.session("s", LEARNER);
      await session.flush();
      const { length } = session.entries();
      turns = length / 2;
      expect(length).toBeGreaterThan(0);
      expect(await learntBy(varve)).toEqual(onceEach(length));
      await varve.close();
    }
  },
  TIMEOUT,
);

describePostgres("learning through a queue", () => {
  let server: PostgresServer | undefined;
  afterEach(() => server?.stop());

  test("is gone on with by another process that has another session open", async () => {
    server = await startPostgres();
    const store = await server.database("learning");
    await killOne(store, 0);
    const varve = await openVarve({ store, embedder: letterEmbedder });
    const other = await varve.session("other", LEARNER);
    await other.flush();
    const entries = (await varve.describe("s"))!.info.entries;
    // A killed process may not have enqueued its last turn: whoever opens the session does.
    await (await varve.session("s")).close();
    await eventually(async () => expect(await learntBy(varve)).toEqual(onceEach(entries)));
    await varve.close();
  }, 90_000);
});
