import { describe, expect, it } from "vitest";
import { user } from "../../test/support/build.js";
import type { Message } from "../message/types.js";
import { memoryStore } from "../store/drivers/memory.js";
import type { Store } from "../store/store.js";
import type { ImportOptions } from "./import.js";
import { openVarve } from "./open-varve.js";

const OPTIONS = { window: 5_000 };

/** A store whose replacements go through a hand, which gets what carries one out. */
function watched(hand: (replace: () => ReturnType<Store["replace"]>) => ReturnType<Store["replace"]>): {
  store: Store;
  inner: Store;
} {
  const inner = memoryStore();
  return { inner, store: { ...inner, replace: (...given) => hand(() => inner.replace(...given)) } };
}

async function exported(messages: readonly Message[]): Promise<string[]> {
  const varve = await openVarve();
  const session = await varve.session("s", OPTIONS);
  for (const [at, message] of messages.entries()) await session.append(message, { key: `k${at}` });
  const lines: string[] = [];
  for await (const line of varve.export()) lines.push(line);
  return lines;
}

const textsOf = async (store: Store): Promise<unknown[]> =>
  (await store.read("s"))?.entries.map(({ message }) => message.content) ?? [];

describe("an import", () => {
  it("that fails leaves the session there that it was to replace", async () => {
    const { store } = watched(async () => {
      throw new Error("the disk is full");
    });
    const varve = await openVarve({ store });
    const session = await varve.session("s", OPTIONS);
    await session.append([user("mine"), user("own")], { key: "mine" });
    session.track({ facts: ["kept"] });
    const lines = await exported([user("1"), user("2")]);
    await expect(varve.import(lines, { existing: "replace" })).rejects.toThrow("the disk is full");
    expect(await textsOf(store)).toEqual(["mine", "own"]);
    const again = await varve.session("s");
    expect(again.context().facts).toEqual(["kept"]);
    expect(await again.append([user("mine"), user("own")], { key: "mine" })).toHaveLength(2);
  });

  it("whose answer is lost has put the session there, whole", async () => {
    const { store } = watched(async (replace) => {
      await replace();
      throw new Error("no connection");
    });
    const lines = await exported([user("1"), user("2")]);
    await expect((await openVarve({ store })).import(lines)).rejects.toThrow("no connection");
    expect(await textsOf(store)).toEqual(["1", "2"]);
  });

  it("that meets another writer says so, and leaves that one's session alone", async () => {
    const { store, inner } = watched(async (replace) => {
      await (await (await openVarve({ store: inner })).session("s", OPTIONS)).append(user("theirs"));
      return replace();
    });
    const lines = await exported([user("1"), user("2")]);
    const importing = (await openVarve({ store })).import(lines);
    await expect(importing).rejects.toMatchObject({ code: "store-busy", retryable: true });
    expect(await textsOf(inner)).toEqual(["theirs"]);
  });

  it("that replaces a session ends it for another who has it open, and mixes nothing", async () => {
    const store = memoryStore();
    const [mine, theirs] = [await openVarve({ store }), await openVarve({ store })];
    const session = await theirs.session("s", OPTIONS);
    await session.append([user("old"), user("older")]);
    await mine.import(await exported([user("1")]), { existing: "replace" });
    await expect(session.append(user("late"))).rejects.toMatchObject({ code: "not-found" });
    expect(await textsOf(store)).toEqual(["1"]);
    await (await theirs.session("s")).append(user("2"));
    expect(await textsOf(store)).toEqual(["1", "2"]);
  });

  it("that replaces an open session closes it", async () => {
    const varve = await openVarve();
    const session = await varve.session("s", OPTIONS);
    await session.append([user("mine"), user("own")]);
    await varve.import(await exported([user("1")]), { existing: "replace" });
    await expect(session.append(user("late"))).rejects.toMatchObject({ code: "closed" });
    expect((await varve.session("s")).entries().map(({ message }) => message.content)).toEqual(["1"]);
  });

  it("takes in messages with fields of every name", async () => {
    const odd = { role: "user", content: "odd", $varve: "object" } as Message;
    const varve = await openVarve();
    await varve.import(await exported([odd]));
    expect((await varve.session("s")).entries()[0]!.message).toEqual(odd);
  });

  it.each([{ existing: "overwrite" }, { existing: null }, 5])("refuses the options %j", async (options) => {
    const importing = (await openVarve()).import(await exported([user("1")]), options as ImportOptions);
    await expect(importing).rejects.toMatchObject({ code: "invalid-option" });
  });
});
