import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { entryOf, letGo } from "./entry.js";
import { packMessage } from "./packed-message.js";
import type { Message } from "./types.js";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const BATCH = { first: 0, after: -1, time: 7 };

/** An entry whose message a store can read again, and how often it did. */
function storedEntry() {
  const read: number[] = [];
  const entry = entryOf(packMessage({ role: "user", content: "hello" }, 0), 0, BATCH);
  const messageOf = (sequence: number): Message => {
    read.push(sequence);
    return { role: "user", content: "hello" };
  };
  letGo(entry, { messageOf });
  return { entry, read };
}

/** What is weakly held stays until the end of the job that held it. */
const nextJob = () => new Promise((resolve) => setImmediate(resolve));

test("the message of a stored entry is read again once nobody holds it", async () => {
  const { entry, read } = storedEntry();
  await nextJob();
  collect();
  expect(entry.message).toEqual({ role: "user", content: "hello" });
  expect(read).toEqual([0]);
});

test("it is the very same for as long as somebody holds it", async () => {
  const { entry, read } = storedEntry();
  const { message } = entry;
  await nextJob();
  collect();
  expect(entry.message).toBe(message);
  expect(read).toEqual([]);
});

test("what else is known of the entry needs no reading", async () => {
  const { entry, read } = storedEntry();
  await nextJob();
  collect();
  expect(entry).toMatchObject({ id: "e0", role: "user", blank: false, origin: "user", parent: null, time: 7 });
  expect(read).toEqual([]);
});

test("the first store that has a message is the one it is read from", () => {
  const { entry } = storedEntry();
  letGo(entry, { messageOf: () => ({ role: "user", content: "another" }) });
  expect(entry.message.content).toBe("hello");
});
