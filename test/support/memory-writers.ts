import { strict as assert } from "node:assert";
import { setTimeout as wait } from "node:timers/promises";
import { type Memories, type MemoryChange, type NewMemory, scopeKey } from "../../src/store/memories/memories.js";
import { openStore } from "../../src/store/open-store.js";
import type { Store } from "../../src/store/store.js";
import { byWords, listAll, memoryOf } from "../../src/testing/memories-subject.js";
import { mustRead } from "../../src/testing/store-subject.js";
import { startScript, succeed } from "./typescript-process.js";

const SCOPE = { project: "shared" };
/** The scope of all writers. */
export const SHARED = scopeKey(SCOPE);
export const GONE = "[removed]";

export const saidOf = (session: string, number: number): string => `said ${session}-${number}`;

/** The rows of one message. */
export const pairOf = (session: string, number: number): NewMemory[] =>
  ["a", "b"].map((half) =>
    memoryOf(`${session}-${number}-${half}`, saidOf(session, number), { scope: SHARED, thread: session, keys: [half] }),
  );

/** Writes behind whatever others have written, as often as it takes. */
export async function writeBehind(memories: Memories, change: Omit<MemoryChange, "version">): Promise<void> {
  for (;;) {
    const { version } = await memories.find(SCOPE, []);
    const { status } = await memories.write({ ...change, version });
    if (status === "written") return;
    assert.equal(status, "stale");
  }
}

interface Acknowledged {
  readonly put: ReadonlySet<number>;
  readonly gone: ReadonlySet<number>;
}

const acknowledgedIn = (lines: readonly string[]): Acknowledged => {
  const numbers = (word: string) =>
    new Set(lines.filter((line) => line.startsWith(word)).map((line) => Number(line.split(" ")[1])));
  return { put: numbers("put"), gone: numbers("gone") };
};

/** Fails where rows and session do not say the same, or something that was acknowledged did not happen. */
async function checkSession(store: Store, session: string, lines: readonly string[]): Promise<number> {
  const { put, gone } = acknowledgedIn(lines);
  const { entries } = await mustRead(store, session);
  const ids = new Set(await listAll(store.memories!, SCOPE));
  for (const [number, { message }] of entries.entries()) {
    const halves = pairOf(session, number).filter(({ id }) => ids.has(id)).length;
    const isGone = message.content === GONE;
    const name = `message ${number} of ${session}`;
    const isWhole = halves === (isGone ? 0 : 2);
    assert.ok(isWhole || (halves === 0 && !put.has(number)), `${halves} rows of ${name}`);
    if (gone.has(number)) assert.ok(isGone, name);
    const found = await byWords(store.memories!, `${session}-${number}`, SCOPE);
    assert.equal(found.length, halves, name);
  }
  assert.deepEqual(await store.memories!.orphans(), { passages: 0, vectors: 0, keys: 0 });
  return entries.length;
}

export interface MemoryKillTask {
  readonly address: string;
  readonly kills: number;
  /** A writer is killed after at most so many lines, and at most so many milliseconds more. */
  readonly lines: number;
  readonly milliseconds: number;
  /** Resolves when nothing of a writer that was killed is under way any more, where a server may go on with it. */
  settled?(): Promise<void>;
}

/** Kills a writer again and again at any moment. */
export async function surviveMemoryKills(task: MemoryKillTask): Promise<void> {
  const { address, kills, lines, milliseconds } = task;
  const said: string[] = [];
  let next = 0;
  for (let kill = 0; kill < kills; kill++) {
    const writer = startScript("memory-writer.ts", [address, "s", String(next), "1000"]);
    await writer.wrote(1 + Math.floor(Math.random() * lines));
    await wait(Math.random() * milliseconds);
    writer.kill();
    assert.equal(await writer.ended, null);
    said.push(...writer.lines);
    await task.settled?.();
    const store = await openStore(address);
    next = await checkSession(store, "s", said);
    await store.close();
  }
  assert.ok(next >= kills, `${next} messages in ${kills} runs`);
}

/** Several processes write to one scope at once; fails where one of them fails, or a row is not there. */
export async function rememberTogether(address: string, processes: number, count: number): Promise<void> {
  const sessions = Array.from({ length: processes }, (_, at) => `session${at}`);
  const writers = sessions.map((session) => startScript("memory-writer.ts", [address, session, "0", String(count)]));
  await succeed(writers);
  const store = await openStore(address);
  for (const [at, session] of sessions.entries())
    assert.equal(await checkSession(store, session, writers[at]!.lines), count);
  const rows = await listAll(store.memories!, SCOPE);
  assert.equal(rows.length, processes * 2 * (count - Math.floor(count / 3)));
  await store.close();
}
