/** Which strategy makes the views where nobody names one. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadConfig, loadPlugins, managedStrategy, openVarve, sessionOptions } from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { memoryStore } from "../src/store/drivers/memory.js";
import { says, user, words } from "./support/build.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "varve-default-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS = "state/options";
const strategyOf = async (options: object) =>
  (await (await openVarve()).session("s", { window: 8_000, ...options })).status().strategy;

describe("hierarchical is the default", () => {
  test("of a session in a program", async () => {
    expect(await strategyOf({})).toBe("hierarchical");
  });

  test("of a configuration, also of one in the words of context_management", async () => {
    for (const [name, config] of Object.entries({ a: {}, b: { context_management: { max_messages: 20 } } })) {
      writeFileSync(join(folder, "varve.json"), JSON.stringify({ ...config, window: 8_000 }));
      const loaded = await loadConfig({ folder, environment: { XDG_CONFIG_HOME: join(folder, name) } });
      expect(await strategyOf(await sessionOptions(loaded))).toBe("hierarchical");
    }
  });

  test("that a session goes on with, whatever the default of a later release", async () => {
    const store = memoryStore();
    const session = await (await openVarve({ store })).session("s", { window: 8_000 });
    await session.append(user("hello"));
    const { documents } = (await store.read("s", { documents: [OPTIONS] }))!;
    expect(JSON.parse(documents.get(OPTIONS)!)).toMatchObject({ strategy: "hierarchical" });
  });
});

describe("the sliding window is the default", () => {
  test.each([
    ["no contextStrategy", undefined],
    ["a contextStrategy without a pluginId", { type: "plugin", config: { lockLast: 2 } }],
  ])("of a plugin.json with %s", async (name, contextStrategy) => {
    const id = `agent with ${name}`;
    writeFileSync(join(folder, "plugin.json"), JSON.stringify({ id, ...(contextStrategy && { contextStrategy }) }));
    expect(await loadPlugins([folder])).toMatchObject([{ id, pluginId: "sliding-window", strategy: "sliding-window" }]);
    const session = await (await openVarve()).session("s", { window: 8_000, strategy: id });
    expect(session.status().strategy).toBe("sliding-window");
  });

  test("behind a context manager: what it composes without end is cut from the oldest on", async () => {
    const strategy = managedStrategy("everything", { composePayload: (_system, history) => history });
    const session = await (await openVarve()).session("s", { window: 500, strategy });
    await session.append(Array.from({ length: 40 }, (_, at) => [user(`request ${at}`), says(words(30))]).flat());
    const texts = (await session.view()).messages.map(messageText).join("\n");
    expect(texts).not.toContain("request 20\n");
    expect(texts).toContain("request 39\n");
  });

  test("of a session that 0.1.0 has stored without a name: it goes on with what it had", async () => {
    const store = memoryStore();
    const before = await (await openVarve({ store })).session("s", { window: 8_000, strategy: "sliding-window" });
    await before.append(user("hello"));
    const { info, documents } = (await store.read("s", { documents: [OPTIONS] }))!;
    const { strategy: _strategy, ...options } = JSON.parse(documents.get(OPTIONS)!);
    await store.commit("s", {
      version: info.version,
      entries: [],
      time: 1,
      documents: new Map([[OPTIONS, options]]),
    });
    const varve = await openVarve({ store });
    expect((await varve.describe("s"))?.options).toMatchObject({ strategy: "sliding-window" });
    expect((await varve.session("s")).status().strategy).toBe("sliding-window");
    const other = await openVarve({ store });
    expect((await other.session("s", { window: 9_000 })).status().strategy).toBe("sliding-window");
    expect((await other.session("s", { strategy: "hierarchical" })).status().strategy).toBe("hierarchical");
  });
});
