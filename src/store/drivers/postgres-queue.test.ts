import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, test } from "vitest";
import { eventually } from "../../../test/support/eventually.js";
import { describePostgres, type PostgresServer, startPostgres } from "../../../test/support/postgres.js";
import type { Job, Queue } from "../queue.js";
import { postgresQueue } from "./postgres-queue.js";

describePostgres("a queue in PostgreSQL", () => {
  let server: PostgresServer;
  let databases = 0;
  const opened: Queue[] = [];

  const open = async (url: string) => {
    const queue = await postgresQueue({ url, sweepEvery: 200, poolSize: 1 });
    opened.push(queue);
    return queue;
  };
  const fresh = () => server.database(`queue-${++databases}`);

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await Promise.all(opened.map((queue) => queue.close()));
    await server?.stop();
  });

  test.concurrent("gives each job to one of several processes, as it was enqueued", async ({ expect }) => {
    const url = await fresh();
    const [one, two] = await Promise.all([open(url), open(url)]);
    const done: [string, unknown][] = [];
    await one.work("sum", async ({ payload }) => void done.push(["one", payload]));
    await two.work("sum", async ({ payload }) => void done.push(["two", payload]));
    const payloads = [
      null,
      7,
      "text \0 ü",
      [1, 2],
      { deep: { list: [] } },
      ...Array.from({ length: 20 }, (_, at) => at),
    ];
    for (const payload of payloads) await one.enqueue("sum", payload);
    await eventually(() => expect(done.length >= payloads.length).toBe(true));
    expect(done.map(([, payload]) => JSON.stringify(payload)).toSorted()).toEqual(
      payloads.map((payload) => JSON.stringify(payload)).toSorted(),
    );
  });

  test.concurrent("keeps jobs for a worker that comes later, and does only the latest of those with one key", async ({
    expect,
  }) => {
    const url = await fresh();
    const queue = await open(url);
    for (const text of ["first", "second", "third"]) await queue.enqueue("note", text, { key: "k" });
    await queue.enqueue("note", "other kind of key", { key: "l" });
    await queue.enqueue("unheard", "nobody works on this", { key: "k" });
    await queue.close();
    const done: unknown[] = [];
    await (await open(url)).work("note", async ({ payload }) => void done.push(payload));
    await eventually(() => expect(done.length >= 2).toBe(true));
    expect(done.toSorted()).toEqual(["other kind of key", "third"]);
  });

  test.concurrent("tries a job again that failed, under the same id", async ({ expect }) => {
    const url = await fresh();
    const queue = await open(url);
    const tries: Job[] = [];
    await queue.work("shaky", async (job) => {
      tries.push(job);
      if (job.attempt === 1) throw new Error("not yet");
    });
    await queue.enqueue("shaky", {});
    await eventually(() => expect(tries.length >= 1).toBe(true));
    await wait(200);
    const now = `SELECT varve_queue.reschedule_jobs(ARRAY[${tries[0]!.id}]::bigint[], run_at := now())`;
    await server.sql(now, url.split("/").at(-1));
    await eventually(() => expect(tries.length >= 2).toBe(true));
    expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(tries[1]!.id).toBe(tries[0]!.id);
  });

  test.concurrent("waits for the job under way when it is closed, and takes none after it", async ({ expect }) => {
    const url = await fresh();
    const queue = await open(url);
    const steps: unknown[] = [];
    const worker = await queue.work("slow", async ({ payload }) => {
      steps.push(`begin ${payload}`);
      await wait(300);
      steps.push(`end ${payload}`);
    });
    await queue.enqueue("slow", 1);
    await queue.enqueue("slow", 2);
    await eventually(() => expect(steps.length > 0).toBe(true));
    await queue.close();
    await worker.ended;
    expect(steps).toEqual(["begin 1", "end 1"]);
    const [left] = await server.sql("SELECT count(*)::int AS count FROM varve_queue.jobs", url.split("/").at(-1));
    expect(left).toEqual({ count: 1 });
  });

  test.concurrent("leaves a job alone whose worker is slow but alive", async ({ expect }) => {
    const url = await fresh();
    const [one, two] = await Promise.all([open(url), open(url)]);
    let begun = 0;
    const slow = async () => {
      begun++;
      await wait(2_000);
    };
    await one.work("slow", slow);
    await two.work("slow", slow);
    await one.enqueue("slow", {});
    await eventually(() => expect(begun > 0).toBe(true));
    await wait(1_500);
    const text = "SELECT attempts, locked_by IS NOT NULL AS held FROM varve_queue.jobs";
    expect(await server.sql(text, url.split("/").at(-1))).toEqual([{ attempts: 1, held: true }]);
    expect(begun).toBe(1);
  });

  test.concurrent("says what is wrong with the server", async ({ expect }) => {
    const url = "postgres://ann:secret@127.0.0.1:1/agents";
    await expect(postgresQueue({ url })).rejects.toMatchObject({ code: "store-unreachable" });
  });
});
