import { strict as assert } from "node:assert";
import { type Change, identityOf, type Store } from "../store/store.js";
import { entriesOf, mustCommit, mustRead, sameMessages, TIME, user } from "./store-subject.js";

/** A session of two branches, with a key and documents; the text tells it from others. */
const whole = (text: string): readonly Omit<Change, "version">[] => [
  { time: TIME + 1, entries: entriesOf([user(`${text} 0`), user(`${text} 1`)]), key: `key of ${text}` },
  { time: TIME + 2, entries: entriesOf([user(`${text} 2`)], 2, 0), documents: new Map([[`note/${text}`, text]]) },
  { time: TIME + 3, documents: new Map([["count", 3]]), head: 1 },
];

async function mustReplace(store: Store, text: string, version?: number): Promise<number> {
  const outcome = await store.replace("s", { changes: whole(text), ...(version !== undefined && { version }) });
  assert.equal(outcome.status, "committed");
  return outcome.version;
}

/** The session is one that `whole` made of a text, and nothing else. */
async function mustBe(store: Store, text: string): Promise<void> {
  const stored = await store.read("s", { documents: [""], keys: true });
  assert.ok(stored);
  const { info, entries, documents, keys } = stored;
  sameMessages(entries, [user(`${text} 0`), user(`${text} 1`), user(`${text} 2`)]);
  assert.deepEqual(
    entries.map(({ parent }) => parent),
    [null, "e0", "e0"],
  );
  assert.deepEqual([...documents.keys()], ["count", `note/${text}`]);
  assert.deepEqual(keys, new Map([[`key of ${text}`, { first: 0, count: 2 }]]));
  assert.deepEqual([info.entries, info.head, info.created, info.updated], [3, 1, TIME + 1, TIME + 3]);
}

export const replaceChecks: Record<string, (store: Store, again: () => Promise<Store>) => Promise<void>> = {
  "makes a whole session in one step, and goes on with it": async (store) => {
    const version = await mustReplace(store, "new", 0);
    await mustBe(store, "new");
    assert.equal(await store.version("s"), version);
    assert.equal((await store.sessions()).sessions.length, 1);
    await mustCommit(store, "s", { version, entries: entriesOf([user("more")], 3, 1) });
    assert.deepEqual((await mustRead(store, "s")).info.head, 3);
    const repeated = await store.commit("s", { version, time: TIME, key: "key of new", entries: [] });
    assert.deepEqual(repeated, { status: "repeated", version: version + 1, first: 0, count: 2 });
  },

  "puts a session in the place of another, of which nothing stays, and leaves others alone": async (store) => {
    for (const id of ["s", "t"])
      await mustCommit(store, id, {
        entries: entriesOf(Array.from({ length: 1_500 }, (_, at) => user(`old ${at}`))),
        documents: new Map([["old", 1]]),
        key: "old",
      });
    const [, other] = [await mustReplace(store, "new"), await mustRead(store, "t")];
    await mustBe(store, "new");
    assert.deepEqual([other.entries.length, other.documents.size], [1_500, 1]);
    await mustReplace(store, "newer");
    await mustBe(store, "newer");
  },

  "replaces a session only at the version that is asked for": async (store) => {
    const version = await mustReplace(store, "first", 0);
    for (const wrong of [0, version - 1, version + 1]) {
      const outcome = await store.replace("s", { changes: whole("second"), version: wrong });
      assert.deepEqual(outcome, { status: "stale", version });
    }
    await mustBe(store, "first");
    await mustReplace(store, "second", version);
    await mustBe(store, "second");
    const missing = await store.replace("nobody", { changes: whole("second"), version: 7 });
    assert.deepEqual(missing, { status: "stale", version: 0 });
    assert.equal(await store.read("nobody"), undefined);
  },

  "tells who has a replaced session open that it is stale, by another identity": async (store, again) => {
    const holder = await again();
    const before = await mustCommit(store, "s", { entries: entriesOf([user("old")]) });
    assert.equal(await holder.version("s"), before);
    const made = await mustReplace(store, "new");
    assert.notEqual(identityOf(made), identityOf(before));
    const late = { version: before, time: TIME, entries: entriesOf([user("late")], 1) };
    assert.deepEqual(await holder.commit("s", late), { status: "stale", version: made });
    assert.equal(await holder.version("s"), made);
    await mustBe(holder, "new");
  },

  "shows a reader the session before or the new one, never half of either": async (store, again) => {
    const reader = await again();
    await mustReplace(store, "0");
    let writing = true;
    const replaceAll = async () => {
      for (let at = 1; at <= 25; at++) await mustReplace(store, `${at}`);
      writing = false;
    };
    const readAll = async () => {
      while (writing) {
        const { entries, documents, keys } = (await reader.read("s", { documents: ["note/"], keys: true }))!;
        const [name] = documents.keys();
        assert.deepEqual([...(keys ?? new Map()).keys()], [`key of ${name?.slice("note/".length)}`]);
        assert.equal(entries.length, 3);
      }
    };
    await Promise.all([replaceAll(), readAll()]);
    await mustBe(reader, "25");
  },

  "lets one of several win who make the same session whole at once": async (store, again) => {
    const stores = [store, await again(), await again(), await again()];
    const outcomes = await Promise.all(
      stores.map((each, at) => each.replace("s", { version: 0, changes: whole(`${at}`) })),
    );
    const winners = outcomes.flatMap(({ status }, at) => (status === "committed" ? [at] : []));
    assert.equal(winners.length, 1);
    await mustBe(store, `${winners[0]}`);
    await Promise.all(stores.map((each, at) => each.replace("s", { changes: whole(`again ${at}`) })));
    assert.equal((await mustRead(store, "s")).entries.length, 3);
  },
};

export const durableReplaceChecks: Record<string, (store: Store, again: () => Promise<Store>) => Promise<void>> = {
  "changes nothing when a replacement fails half-way": async (store, again) => {
    await mustReplace(store, "kept");
    const broken = {
      toJSON: () => {
        throw new Error("cannot be written");
      },
    };
    const changes = [...whole("new"), { time: TIME, documents: new Map([["broken", broken]]) }];
    await assert.rejects(store.replace("s", { changes }));
    await mustBe(store, "kept");
    await mustBe(await again(), "kept");
    await mustReplace(store, "after");
    await mustBe(await again(), "after");
  },
};
