import { beforeEach, describe, expect, it } from "vitest";
import { user } from "../../test/support/build.js";
import type { ScopedMemory } from "../memory/scoped-memory.js";
import { openVarve, type Varve } from "./open-varve.js";
import type { Session } from "./session.js";

const refusal = (option: string, code = "invalid-option") =>
  expect.objectContaining({ code, hint: expect.any(String), details: expect.objectContaining({ option }) });

/** What a program without types may pass. */
const odd = (value: unknown) => value as never;

const said = (part: object) => ({ role: "user", content: [part] });

function thrown(): never {
  throw new Error("boom");
}

class Throwing {
  toJSON(): never {
    return thrown();
  }
}

describe("a session that is handed nonsense", () => {
  let session: Session;
  beforeEach(async () => {
    session = await (await openVarve()).session("s", { window: 1_000 });
    await session.append(user("the port is 5433"));
  });

  it.each<[string, string, (session: Session) => unknown]>([
    ["a search for nothing", "query", (each) => each.search(odd(undefined))],
    ["a search for a number", "query", (each) => each.search(odd(5))],
    ["a search with no options", "options", (each) => each.search("port", odd(null))],
    ["a search for half an entry", "limit", (each) => each.search("port", { limit: 0.5 })],
    ["a search for no entry", "limit", (each) => each.search("port", { limit: 0 })],
    ["an expansion with no options", "options", (each) => each.expand("e0", odd(null))],
    ["an expansion from half a character", "offset", (each) => each.expand("e0", { offset: 0.5 })],
    ["an expansion from a text", "offset", (each) => each.expand("e0", { offset: odd("1") })],
    ["an expansion of endless pages", "limit", (each) => each.expand("e0", { limit: Number.POSITIVE_INFINITY })],
    ["a pin with no options", "options", (each) => each.pin("e0", odd(null))],
    ["a pin for half a turn", "turns", (each) => each.pin("e0", { turns: 1.5 })],
    ["endless usage", "usage.inputTokens", (each) => each.reportUsage({ inputTokens: Number.POSITIVE_INFINITY })],
    ["an option that is none", "windw", (each) => each.configure(odd({ windw: 5 }))],
    ["a pin for a turn by another name", "turn", (each) => each.pin("e0", odd({ turn: 3 }))],
    ["a search with a slip of the pen", "limt", (each) => each.search("port", odd({ limt: 1 }))],
    ["an expansion with a slip of the pen", "ofset", (each) => each.expand("e0", odd({ ofset: 1 }))],
  ])("refuses %s by name", (_case, option, act) => {
    expect(() => act(session)).toThrow(refusal(option));
  });

  it.each<[string, string, (session: Session) => Promise<unknown>]>([
    ["a view with a slip of the pen", "sytem", (each) => each.view(odd({ sytem: "be brief" }))],
    ["a view with a name of other programs", "systemPrompt", (each) => each.view(odd({ systemPrompt: "be brief" }))],
    ["an append with a slip of the pen", "keey", (each) => each.append(user("a"), odd({ keey: "1" }))],
    [
      "an append with a name of other programs",
      "idempotencyKey",
      (s) => s.append(user("a"), odd({ idempotencyKey: 1 })),
    ],
    ["a compaction with a slip of the pen", "forse", (each) => each.compact(odd({ forse: true }))],
    ["a compaction with no options", "options", (each) => each.compact(odd(null))],
    ["a compaction by a text", "force", (each) => each.compact(odd({ force: "no" }))],
    ["an account with a slip of the pen", "tols", (each) => each.explain(odd({ tols: [] }))],
    ["an account of nothing", "request", (each) => each.explain(odd(null))],
    ["a preview with a slip of the pen", "contxt", (each) => each.preview(odd({ contxt: "" }))],
    ["a summary by nobody", "summariser", (each) => each.summarise(odd({}))],
    ["a summary with a slip of the pen", "sigal", (each) => each.summarise(odd({ summarise() {} }), odd({ sigal: 1 }))],
    ["a checkpoint named by an object", "name", (each) => each.checkpoint(odd({ name: "before" }))],
  ])("refuses %s", async (_case, option, act) => {
    await expect(act(session)).rejects.toEqual(refusal(option));
    expect(session.entries()).toHaveLength(1);
  });

  it("names the option that was meant", async () => {
    await expect(session.view(odd({ systemPrompt: "" }))).rejects.toMatchObject({
      hint: expect.stringContaining("Did you mean system?"),
    });
    await expect(session.append(user("a"), odd({ keey: "" }))).rejects.toMatchObject({
      hint: expect.stringContaining("Did you mean key?"),
    });
  });

  it.each(["undo", "explain", "preview", "learn", "view", "compact"] as const)(
    "refuses %s once it is closed, or deleted",
    async (method) => {
      const varve = await openVarve();
      const closed = await varve.session("closed", { window: 1_000 });
      await closed.close();
      await expect(closed[method]()).rejects.toMatchObject({ code: "closed" });
      const deleted = await varve.session("deleted", { window: 1_000 });
      await deleted.append(user("a"));
      await varve.delete("deleted");
      await expect(deleted[method]()).rejects.toMatchObject({ code: "not-found" });
    },
  );

  it.each<[string, unknown]>([
    [
      "a getter",
      said({
        type: "text",
        get text() {
          return thrown();
        },
      }),
    ],
    ["a toJSON of its own", said({ type: "text", text: "a", providerOptions: { x: { toJSON: thrown } } })],
    ["a toJSON of its class", said({ type: "text", text: "a", providerOptions: { x: new Throwing() } })],
  ])("refuses a message with %s that throws, and tells the cause", async (_case, message) => {
    const cause = expect.objectContaining({ message: "boom" });
    await expect(session.append(odd(message))).rejects.toMatchObject({ code: "invalid-message", cause });
    expect(session.entries()).toHaveLength(1);
  });

  it.each([null, 5, "x", { varve: null }, { varve: 5 }, { anthropic: null }])(
    "makes views of messages whose provider options are %j",
    async (options) => {
      const reasoning = { type: "reasoning", text: "so", providerOptions: options };
      const parts = [reasoning, { type: "text", text: "a", providerOptions: options }];
      await session.append([odd({ role: "assistant", content: parts, providerOptions: options }), user("b")]);
      expect((await session.view()).messages).toHaveLength(3);
    },
  );

  it("refuses an option that is none when it is opened", async () => {
    const varve = await openVarve();
    await expect(varve.session("t", odd({ window: 1_000, stratgy: "importance" }))).rejects.toEqual(refusal("stratgy"));
  });
});

describe("a varve that is handed nonsense", () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ["a store by another name", "stroe", () => openVarve(odd({ stroe: "sqlite:./x.db" }))],
    ["a store without a value", "store", () => openVarve(odd({ store: undefined }))],
    ["a store that is empty", "store", () => openVarve({ store: "" })],
    ["a warning that nobody hears", "onWarning", () => openVarve(odd({ onWarning: 5 }))],
    ["snapshots with a slip of the pen", "snapshots.folde", () => openVarve(odd({ snapshots: { folde: "x" } }))],
    ["snapshots by a number", "snapshots", () => openVarve(odd({ snapshots: 5 }))],
  ])("is not opened with %s", async (_case, option, open) => {
    await expect(open()).rejects.toEqual(refusal(option));
  });

  it("says which variable to look for where the store has no value", async () => {
    await expect(openVarve(odd({ store: undefined }))).rejects.toMatchObject({
      hint: expect.stringContaining("Is the variable set"),
    });
    await expect(openVarve(odd({ stroe: "x" }))).rejects.toMatchObject({
      hint: expect.stringContaining("Did you mean store?"),
    });
  });

  it("removes nothing where the dry run is asked for by another name", async () => {
    const varve = await openVarve({ now: () => 0 });
    await (await varve.session("old", { window: 1_000 })).append(user("a"));
    await (await varve.session("old")).close();
    await expect(varve.prune(odd({ olderThan: 0, dryRun: true }))).rejects.toEqual(refusal("dryRun"));
    expect((await varve.sessions()).sessions).toHaveLength(1);
  });

  it.each<[string, string, (varve: Varve) => unknown]>([
    ["sessions", "prefx", (varve) => varve.sessions(odd({ prefx: "x" }))],
    ["export", "session", (varve) => varve.export(odd({ session: ["x"] })).next()],
    ["export", "sessions", (varve) => varve.export(odd({ sessions: "x" })).next()],
    ["import", "exsting", (varve) => varve.import([], odd({ exsting: "skip" }))],
    ["import", "text", (varve) => varve.import(odd(5))],
    ["embed", "keep", (varve) => varve.embed(odd({ keep: true }))],
    ["fork", "id", (varve) => varve.fork("s", odd(undefined))],
    ["memory", "halflife", (varve) => varve.memory(odd({ scope: { user: "ann" }, halflife: 1 }))],
    ["memory", "scope.usr", (varve) => varve.memory(odd({ scope: { usr: "ann" } }))],
    ["memory", "allowSecrets", (varve) => varve.memory(odd({ scope: { user: "ann" }, allowSecrets: "no" }))],
  ])("refuses in %s the option %s", async (_case, option, act) => {
    const varve = await openVarve();
    await expect((async () => act(varve))()).rejects.toEqual(refusal(option));
  });

  it.each<[string, string, (memory: ScopedMemory) => Promise<unknown>]>([
    ["store", "details", (memory) => memory.store("a", odd(5))],
    ["retrieve", "limt", (memory) => memory.retrieve("a", odd({ limt: 1 }))],
    ["retrieve", "where.tgas", (memory) => memory.retrieve("a", odd({ where: { tgas: ["x"] } }))],
    ["retrieve", "options", (memory) => memory.retrieve("a", odd(null))],
    ["list", "newst", (memory) => memory.list(odd({ newst: true }))],
    ["list", "now", (memory) => memory.list(odd({ now: 5 }))],
    ["audit", "mnd", (memory) => memory.audit(odd({ mnd: true }))],
    ["import", "trust", (memory) => memory.import([], odd({ trust: true }))],
    ["import", "text", (memory) => memory.import(odd(5))],
    ["observe", "retelling", (memory) => memory.observe([], odd({ retelling: [] }))],
    ["forget", "id", (memory) => memory.forget(odd(undefined))],
  ])("refuses in memory.%s the option %s", async (_case, option, act) => {
    const memory = (await openVarve()).memory({ scope: { user: "ann" } });
    await expect(act(memory)).rejects.toEqual(refusal(option));
  });
});
