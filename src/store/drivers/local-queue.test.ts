import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.js";
import type { Job } from "../queue.js";
import { localQueue } from "./local-queue.js";

describe("a queue within the process", () => {
  it("does jobs in their order, as they were enqueued, also those that came before their worker", async () => {
    const queue = localQueue();
    const payload = { list: [1] };
    await queue.enqueue("sum", payload);
    payload.list.push(2);
    await queue.enqueue("other", "nobody works on this");
    const done: unknown[] = [];
    await queue.work("sum", async (job) => void done.push(job.payload));
    await queue.enqueue("sum", undefined);
    await queue.enqueue("sum", "late");
    await eventually(() => expect(done).toEqual([{ list: [1] }, null, "late"]));
    await queue.close();
  });

  it("does only the latest of those that wait with one key, and does not touch the one under way", async () => {
    const queue = localQueue();
    const done: unknown[] = [];
    const gate = Promise.withResolvers<void>();
    await queue.work("note", async ({ payload }) => {
      done.push(payload);
      await gate.promise;
    });
    for (const text of ["first", "second", "third"]) await queue.enqueue("note", text, { key: "k" });
    gate.resolve();
    await eventually(() => expect(done).toEqual(["first", "third"]));
    await queue.close();
  });

  it("tries a job again that failed, under the same id, and gives it up after its attempts", async () => {
    const queue = localQueue({ pause: 1 });
    const tries: Job[] = [];
    await queue.work("shaky", async (job) => {
      tries.push(job);
      throw new Error("not yet");
    });
    await queue.enqueue("shaky", {}, { attempts: 3 });
    await eventually(() => expect(tries).toHaveLength(3));
    await wait(30);
    expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(tries.map(({ id }) => id)).size).toBe(1);
    await queue.close();
  });

  it("waits for a delay, and does as many at once as it may", async () => {
    const queue = localQueue();
    let most = 0;
    let under = 0;
    const done: unknown[] = [];
    const handler = async ({ payload }: Job) => {
      most = Math.max(most, ++under);
      await wait(5);
      under--;
      done.push(payload);
    };
    await queue.work("slow", handler, { concurrency: 2 });
    await queue.enqueue("slow", "delayed", { delay: 40 });
    for (let at = 0; at < 4; at++) await queue.enqueue("slow", at);
    await eventually(() => expect(done).toHaveLength(5));
    expect(most).toBe(2);
    expect(done.at(-1)).toBe("delayed");
    await queue.close();
  });

  it("waits for the job under way when it is closed, and takes none after it", async () => {
    const queue = localQueue();
    const steps: unknown[] = [];
    const worker = await queue.work("slow", async ({ payload }) => {
      await wait(20);
      steps.push(payload);
    });
    await queue.enqueue("slow", 1);
    await queue.enqueue("slow", 2);
    await queue.close();
    await worker.ended;
    expect(steps).toEqual([1]);
    await expect(queue.enqueue("slow", 3)).rejects.toMatchObject({ code: "closed" });
  });
});
