import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openVarve } from "../src/session/open-varve.js";
import { postgresQueue } from "../src/store/drivers/postgres-queue.js";
import { describePostgres, type PostgresServer, startPostgres } from "./support/postgres.js";
import { surviveImportKills } from "./support/session-importers.js";
import { appendTogether, checkSession, startWriter, surviveKills } from "./support/session-writers.js";
import { startScript, succeed } from "./support/typescript-process.js";

/** A short run by default; VARVE_KILLS=50 for the long one. */
const KILLS = Number(process.env.VARVE_KILLS ?? 4);
const TIMEOUT = 120_000 + 10_000 * KILLS;

describePostgres("several processes on one PostgreSQL server", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  test.concurrent(
    "lose and double nothing that was acknowledged when they are killed at any moment",
    async () => {
      const address = await server.database("killed");
      await surviveKills({ address, kills: KILLS, appends: 8, milliseconds: 15 });
    },
    TIMEOUT,
  );

  test.concurrent(
    "leave the session before or the new one, whole, when they are killed while they import",
    async () => {
      await surviveImportKills({
        address: await server.database("imported"),
        kills: Math.ceil(KILLS / 2),
        milliseconds: 60,
      });
    },
    TIMEOUT,
  );

  test.concurrent(
    "append to one session in one order, and to others, sixteen at a time",
    async () => {
      await appendTogether({ address: await server.database("sixteen"), processes: 8, count: 4 });
    },
    TIMEOUT,
  );

  test.concurrent(
    "finish the job of a worker that was killed in the middle, with its effect there once",
    async ({ expect }) => {
      const address = await server.database("jobs");
      const queue = await postgresQueue({ url: address });
      await queue.enqueue("append", { text: "long", dawdle: 60_000 });
      const killed = startScript("queue-worker.ts", [address]);
      await killed.said("long 1");
      const heir = startScript("queue-worker.ts", [address]);
      await heir.said("ready");
      killed.kill();
      await queue.enqueue("append", { text: "short", dawdle: 0 });
      await Promise.all([heir.said("short 1"), heir.said("long 2")]);
      heir.kill();
      await queue.close();
      expect((await contentsOf(address)).toSorted()).toEqual(["long", "short"]);
    },
    TIMEOUT,
  );

  test(
    "race for one session and go on when the server restarts in the middle",
    async () => {
      const address = await server.database("restarted");
      const writers = ["a", "b"].map((writer) => startWriter({ address, session: "s", writer, count: 60 }));
      for (const progress of [10, 25]) {
        await Promise.all(writers.map((writer) => writer.wrote(progress)));
        await server.restart(() => wait(300));
      }
      await succeed(writers);
      expect(writers.map(({ lines }) => lines.length)).toEqual([60, 60]);
      expect(Object.fromEntries(await checkSession(address, "s"))).toEqual({ a: 60, b: 60 });
    },
    TIMEOUT,
  );

  test(
    "go on with jobs when the server restarts while they are at one",
    async () => {
      const address = await server.database("restarted-jobs");
      const queue = await postgresQueue({ url: address });
      const worker = startScript("queue-worker.ts", [address]);
      await worker.said("ready");
      await queue.enqueue("append", { text: "during", dawdle: 500 });
      await worker.said("during 1");
      await server.restart(() => wait(1_000));
      await queue.enqueue("append", { text: "after", dawdle: 0 });
      await worker.said("after 1");
      worker.kill();
      await queue.close();
      expect((await contentsOf(address)).toSorted()).toEqual(["after", "during"]);
    },
    TIMEOUT,
  );
});

async function contentsOf(address: string): Promise<unknown[]> {
  const varve = await openVarve({ store: address });
  const session = await varve.session("s", { window: 4_000 });
  const contents = session.entries().map(({ message }) => message.content);
  await varve.close();
  return contents;
}
