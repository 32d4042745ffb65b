import { describe, expect, it } from "vitest";
import { calls, result, says, user } from "../../../test/support/build.js";
import { entryOf } from "../../message/entry.js";
import { packMessage } from "../../message/packed-message.js";
import type { Message } from "../../message/types.js";
import { messageFromJSON } from "../../message/value-json.js";
import { memoryStore } from "../../store/drivers/memory.js";
import { redactedMessage } from "./redacted-message.js";
import { redactionsOf } from "./redactions.js";

async function stored(messages: readonly Message[], documents: Readonly<Record<string, unknown>>) {
  const store = memoryStore();
  const batch = { first: 0, after: -1, time: 1 };
  const entries = messages.map((message, at) => entryOf(packMessage(message, at), at, batch));
  await store.commit("s", {
    version: 0,
    time: 1,
    entries,
    documents: new Map(Object.entries({ ...OWNED, ...documents })),
  });
  return store;
}

const scope = { user: "ann" };
const OWNED = { "state/options": { memory: { scope } } };

const TOLD = [user("I work at Kingfisher in Lyon."), says("Noted, thank you."), user("Next question, please.")];

describe("what takes an entry's text out of a session", () => {
  it("drops digests that may tell of it in other words, and keeps those that cannot", async () => {
    const receipt = (to: string) => ({ replacedBy: "Employed by the bird company.", leftOut: { to }, items: [] });
    const store = await stored(TOLD, { "receipt/1": receipt("e1"), "receipt/2": receipt("e2"), "viewer/1": { d: 1 } });
    const {
      redactions: [redaction],
    } = await redactionsOf([{ session: "s", sequence: 2 }], { store, scope, time: 2, texts: [], said: [] });
    const { documents } = redaction!.change;
    expect(documents?.has("receipt/1")).toBe(false);
    expect(documents?.get("receipt/2")).toMatchObject({ replacedBy: "[forgotten]", leftOut: { to: "e2" } });
    expect(documents?.has("viewer/1")).toBe(true);
    expect(documents?.get("viewer/1")).toBeUndefined();
  });

  it("starts views anew, those that checkpoints go back to included", async () => {
    const store = await stored(TOLD, {
      "state/viewer": { row: 4, next: 5 },
      "state/undo": [{ receipt: "r1", row: 3 }],
      "state/checkpoints": { next: 2, list: [{ id: "c1", row: 3 }] },
    });
    const {
      redactions: [redaction],
    } = await redactionsOf([{ session: "s", sequence: 0 }], { store, scope, time: 2, texts: [], said: [] });
    expect(Object.fromEntries(redaction!.change.documents!)).toMatchObject({
      "state/viewer": { row: -1, next: 5 },
      "state/undo": [],
      "state/checkpoints": { next: 2, list: [{ id: "c1", row: -1 }] },
    });
  });

  it("takes facts away that tell the same, or part of it, and leaves options alone", async () => {
    const facts = ["I work at Kingfisher", "i work at  kingfisher in lyon", "Lyon is in France"];
    const options = { strategy: "I work at Kingfisher in Lyon.", memory: { scope } };
    const noted = { facts, tasks: [{ id: "t", description: "Recall: I work at Kingfisher in Lyon." }] };
    const store = await stored(TOLD, { "state/noted": noted, "state/options": options, "state/observed": {} });
    const {
      redactions: [redaction],
    } = await redactionsOf([{ session: "s", sequence: 0 }], { store, scope, time: 2, texts: [], said: [] });
    const { documents } = redaction!.change;
    expect(documents?.get("state/noted")).toEqual({
      facts: ["Lyon is in France"],
      tasks: [{ id: "t", description: "[forgotten]" }],
    });
    expect(documents?.has("state/options")).toBe(false);
    expect(documents?.has("state/observed")).toBe(true);
  });

  it("has nothing to do where the text is gone, or the session", async () => {
    const store = await stored([user("[forgotten]")], {});
    const references = [
      { session: "s", sequence: 0 },
      { session: "s", sequence: 9 },
      { session: "none", sequence: 0 },
    ];
    expect(await redactionsOf(references, { store, scope, time: 2, texts: [], said: [] })).toEqual({
      redactions: [],
      kept: [],
      unread: [],
    });
  });

  it.each([
    ["is another user's", { memory: { scope: { user: "bob" } } }],
    ["is wider than the scope", { memory: { scope: { project: "atlas" } } }],
    ["has no memories", {}],
  ])("leaves a session alone that %s, and names it", async (_, options) => {
    const store = await stored(TOLD, { "state/options": options });
    const { redactions, kept } = await redactionsOf([{ session: "s", sequence: 0 }], {
      store,
      scope,
      time: 2,
      texts: [],
      said: [],
    });
    expect({ redactions, kept }).toEqual({ redactions: [], kept: ["s"] });
  });

  it("takes it out of a session that goes on without memories", async () => {
    const store = await stored(TOLD, { "state/options": {}, "state/learnt": { sequence: 2, scope } });
    const { redactions, kept } = await redactionsOf([{ session: "s", sequence: 0 }], {
      store,
      scope,
      time: 2,
      texts: [],
      said: [],
    });
    expect([redactions.map(({ session }) => session), kept]).toEqual([["s"], []]);
  });

  it("takes it out of a session of a narrower scope", async () => {
    const store = await stored(TOLD, { "state/options": { memory: { scope: { ...scope, project: "atlas" } } } });
    const { redactions, kept } = await redactionsOf([{ session: "s", sequence: 0 }], {
      store,
      scope,
      time: 2,
      texts: [],
      said: [],
    });
    expect([redactions.map(({ session }) => session), kept]).toEqual([["s"], []]);
  });

  it("keeps calls and results paired", async () => {
    const store = await stored([user("Read it"), calls("a", "b"), result("a", "secret")], {});
    const sequences = [1, 2].map((sequence) => ({ session: "s", sequence }));
    const {
      redactions: [redaction],
    } = await redactionsOf(sequences, { store, scope, time: 2, texts: [], said: [] });
    expect([...redaction!.messages.values()].map(messageFromJSON)).toEqual([
      {
        role: "assistant",
        content: ["a", "b"].map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "read", input: {} })),
      },
      result("a", "[forgotten]"),
    ]);
  });
});

describe("a redacted message", () => {
  it("has no reasoning, media or provider's data left, and is the same when it is redacted again", () => {
    const message: Message = {
      role: "assistant",
      content: [
        { type: "reasoning", text: "secret", providerOptions: { anthropic: { signature: "secret" } } },
        { type: "text", text: "secret", providerOptions: { openai: { itemId: "secret" } } },
        { type: "tool-call", toolCallId: "a", toolName: "read", input: { path: "secret" } },
      ],
      providerOptions: { varve: { raw: "secret" } },
    };
    const redacted = redactedMessage(message);
    expect(JSON.stringify(redacted)).not.toContain("secret");
    expect(redactedMessage(redacted)).toEqual(redacted);
  });
});
