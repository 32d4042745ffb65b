import { strict as assert } from "node:assert";
import type { Store } from "../store/store.js";
import { appendBehind, entriesOf, mustRead, TIME, user } from "./store-subject.js";

const WRITERS = 8;
const EACH = 12;

export const concurrencyChecks: Record<string, (store: Store, again: () => Promise<Store>) => Promise<void>> = {
  "gives one order to writers on one session, and loses and doubles nothing": async (store, again) => {
    const stores = await openMany(store, again);
    await Promise.all(stores.map((each, writer) => appendAll(each, "s", `${writer}`)));
    const { entries, info } = await mustRead(store, "s");
    const said = entries.map(({ message }) => message.content);
    assert.equal(said.length, WRITERS * EACH);
    assert.equal(new Set(said).size, WRITERS * EACH);
    entries.forEach(({ parent }, at) => {
      assert.equal(parent, at === 0 ? null : `e${at - 1}`);
    });
    for (let writer = 0; writer < WRITERS; writer++) {
      const own = said.filter((content) => String(content).startsWith(`${writer}:`));
      assert.deepEqual(own, wordsOf(`${writer}`));
    }
    assert.deepEqual([info.entries, info.head], [said.length, said.length - 1]);
  },

  "lets writers on different sessions alone": async (store, again) => {
    const stores = await openMany(store, again);
    await Promise.all(stores.map((each, writer) => appendAll(each, `session-${writer}`, "own")));
    for (let writer = 0; writer < WRITERS; writer++) {
      const { entries } = await mustRead(stores[(writer + 1) % WRITERS]!, `session-${writer}`);
      assert.deepEqual(
        entries.map(({ message }) => message.content),
        wordsOf("own"),
      );
    }
  },

  "lets one of several win who make the same session or use the same key at once": async (store, again) => {
    const stores = await openMany(store, again);
    const made = await Promise.all(
      stores.map((each, writer) =>
        each.commit("s", { version: 0, time: TIME, entries: entriesOf([user(`${writer}`)]) }),
      ),
    );
    assert.deepEqual(made.map(({ status }) => status).sort(), ["committed", ...Array(WRITERS - 1).fill("stale")]);
    const { version } = (await mustRead(store, "s")).info;
    const change = { version, time: TIME, entries: entriesOf([user("once")], 1), key: "k" };
    const sent = await Promise.all(stores.map((each) => each.commit("s", change)));
    assert.deepEqual(sent.map(({ status }) => status).sort(), ["committed", ...Array(WRITERS - 1).fill("repeated")]);
    assert.equal((await mustRead(store, "s")).entries.length, 2);
  },

  "never shows a reader half a commit": async (store, again) => {
    const reader = await again();
    let writing = true;
    const written = writeCounts(store).finally(() => {
      writing = false;
    });
    const read = async () => {
      while (writing) await readCount(reader);
    };
    await Promise.all([written, read()]);
  },
};

async function writeCounts(store: Store): Promise<void> {
  for (let count = 1; count <= 40; count++) {
    const version = await store.version("s");
    const entries = entriesOf([user(`${count}`)], count - 1);
    await store.commit("s", { version, time: TIME, entries, documents: new Map([["count", count]]) });
    await pause();
  }
}

async function readCount(store: Store): Promise<void> {
  const stored = await store.read("s", { documents: ["count"] });
  assert.equal(stored?.entries.length ?? 0, Number(stored?.documents.get("count") ?? 0));
  assert.equal(stored?.entries.length ?? 0, stored?.info.entries ?? 0);
  await pause();
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const openMany = async (store: Store, again: () => Promise<Store>): Promise<Store[]> => {
  const stores = [store];
  while (stores.length < WRITERS) stores.push(await again());
  return stores;
};

async function appendAll(store: Store, sessionId: string, writer: string): Promise<void> {
  for (const content of wordsOf(writer)) await appendBehind(store, sessionId, content);
}

const wordsOf = (writer: string): string[] => Array.from({ length: EACH }, (_, at) => `${writer}:${at}`);
