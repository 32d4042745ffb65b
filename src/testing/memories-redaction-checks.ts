import { strict as assert } from "node:assert";
import type { Message } from "../message/types.js";
import { messageToJSON } from "../message/value-json.js";
import { type Redaction, scopeKey } from "../store/memories/memories.js";
import { identityOf, type Store } from "../store/store.js";
import { byWords, listAll, type MemoriesActs, memoryOf, mustWrite, OWN, OWN_KEY, putAll } from "./memories-subject.js";
import { entriesOf, mustCommit, mustRead, sameMessages, TIME, user } from "./store-subject.js";

const SAID: readonly Message[] = [user("my code is 1234"), { role: "assistant", content: "Noted: 1234" }, user("more")];

const commitSaid = (store: Store, sessionId: string): Promise<number> =>
  mustCommit(store, sessionId, {
    entries: entriesOf(SAID),
    documents: new Map<string, unknown>([
      ["digest", "the code is 1234"],
      ["checkpoint", { text: "1234" }],
      ["other", "kept"],
    ]),
    key: "k",
  });

function redactionOf(session: string, version: number): Redaction {
  const messages = new Map([
    [0, messageToJSON(user("my code is [removed]"))],
    [1, messageToJSON({ role: "assistant", content: "" })],
  ]);
  const documents = new Map<string, unknown>([
    ["digest", "the code is [removed]"],
    ["checkpoint", undefined],
  ]);
  return { session, messages, change: { version, time: TIME + 5, documents } };
}

async function isUntouched(store: Store, sessionId: string, version: number): Promise<void> {
  const { info, entries, documents } = await mustRead(store, sessionId);
  sameMessages(entries, SAID);
  assert.deepEqual([info.version, documents.size], [version, 3]);
}

export const redactionChecks: MemoriesActs = {
  "takes text out of a session together with the rows": async ({ store, memories }) => {
    const version = await commitSaid(store, "s");
    const other = await commitSaid(store, "t");
    await putAll(memories, memoryOf("a", "code 1234"), memoryOf("b", "kept"));
    await mustWrite(memories, { remove: ["a"], redact: [redactionOf("s", version)] });
    assert.deepEqual(await listAll(memories), ["b"]);
    const { info, entries, documents } = await mustRead(store, "s");
    sameMessages(entries, [user("my code is [removed]"), { role: "assistant", content: "" }, SAID[2]!]);
    assert.deepEqual(
      entries.map(({ parent, time, role, blank }) => [parent, time, role, blank]),
      [
        [null, TIME, "user", false],
        ["e0", TIME, "assistant", true],
        ["e1", TIME, "user", false],
      ],
    );
    assert.deepEqual([...documents].sort(), [
      ["digest", '"the code is [removed]"'],
      ["other", '"kept"'],
    ]);
    assert.deepEqual([info.head, info.entries, info.created, info.updated], [2, 3, TIME, TIME + 5]);
    assert.notEqual(info.version, version);
    assert.equal(identityOf(info.version), identityOf(version));
    await isUntouched(store, "t", other);
  },

  "goes on with a session that text was taken out of, and tells who missed it": async ({ store, memories }) => {
    const version = await commitSaid(store, "s");
    await mustWrite(memories, { redact: [redactionOf("s", version)] });
    const late = await store.commit("s", { version, time: TIME, entries: entriesOf([user("late")], 3) });
    assert.deepEqual(late, { status: "stale", version: await store.version("s") });
    await mustCommit(store, "s", { entries: entriesOf([user("next")], 3) });
    const repeated = await store.commit("s", { version, time: TIME, key: "k", entries: [] });
    assert.equal(repeated.status, "repeated");
    const { entries } = await mustRead(store, "s");
    sameMessages(entries.slice(2), [SAID[2]!, user("next")]);
    assert.equal(entries[0]!.message.content, "my code is [removed]");
  },

  "changes nothing where a session has changed since, or is gone": async ({ store, memories }) => {
    const version = await commitSaid(store, "s");
    const other = await commitSaid(store, "t");
    const before = await putAll(memories, memoryOf("a", "code 1234"));
    const change = { scope: OWN_KEY, version: before, remove: ["a"], put: [memoryOf("b", "pear")] };
    const late = { ...change, redact: [redactionOf("t", other), redactionOf("s", version - 1)] };
    assert.deepEqual(await memories.write(late), { status: "stale-session", session: "s" });
    const gone = { ...change, redact: [redactionOf("s", version), redactionOf("gone", version)] };
    assert.deepEqual(await memories.write(gone), { status: "stale-session", session: "gone" });
    await isUntouched(store, "s", version);
    await isUntouched(store, "t", other);
    assert.deepEqual(await byWords(memories, "code pear"), ["a"]);
    assert.equal((await memories.find(OWN, [])).version, before);
    assert.equal(await store.version("gone"), 0);
  },

  "leaves the session alone where the scope has changed since": async ({ store, memories }) => {
    const version = await commitSaid(store, "s");
    const before = await putAll(memories, memoryOf("a", "code 1234"));
    const now = await putAll(memories, memoryOf("b", "pear"));
    const change = { scope: OWN_KEY, version: before, remove: ["a"], redact: [redactionOf("s", version)] };
    assert.deepEqual(await memories.write(change), { status: "stale", version: now });
    await isUntouched(store, "s", version);
    assert.deepEqual(await listAll(memories), ["a", "b"]);
  },

  "takes text out of several sessions at once, for a scope without rows": async ({ store, memories }) => {
    const versions = [await commitSaid(store, "s"), await commitSaid(store, "t")];
    const redact = ["s", "t"].map((session, at) => redactionOf(session, versions[at]!));
    await mustWrite(memories, { scope: scopeKey({ tenant: "nobody" }), version: 0, redact });
    for (const session of ["s", "t"])
      assert.ok(!JSON.stringify((await mustRead(store, session)).entries).includes("1234"));
  },
};
