import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type LanguageModel,
  loadPlugins,
  type Message,
  openVarve,
  registerStrategy,
  slidingWindow,
  type View,
  violations,
} from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { says, user, words } from "./support/build.js";
import { eventually } from "./support/eventually.js";

let folder: string;
let count = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "varve plugins é-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Each test has an id of its own: what is registered stays for the process. */
const newId = (): string => `agent-${++count}`;

interface Given {
  readonly id?: string;
  readonly pluginId: string;
  readonly config?: unknown;
  readonly modules?: Readonly<Record<string, string>>;
}

/** Writes a plug-in with its modules, and returns the path of its plugin.json. */
async function plugin({ id = newId(), pluginId, config, modules = {} }: Given): Promise<{ file: string; id: string }> {
  for (const [path, text] of Object.entries(modules)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const file = join(folder, "plugin.json");
  const contextStrategy = { type: "plugin", pluginId, ...(config === undefined ? {} : { config }) };
  await writeFile(file, JSON.stringify({ id, contextStrategy }, undefined, 2));
  return { file, id };
}

const turns = (length: number): Message[] =>
  Array.from({ length }, (_, at) => [user(`question ${at}`), says(words(30))]).flat();

async function viewBy(strategy: string, messages: readonly Message[] = turns(20), window = 2_000): Promise<View> {
  const session = await (await openVarve()).session("s", { window, strategy });
  await session.append(messages);
  return session.view({ system: "be brief" });
}

/** A strategy of its own that shows a mark and the last messages. */
const MODULE = `
const strategy = (mark, last) => ({
  name: "marked",
  plan: (input) => {
    const { log } = input.reading;
    const messages = [{ role: "user", content: mark }, ...log.entries.slice(-last).map(({ message }) => message)];
    const items = messages.map((message) => ({ kind: "foreign", message, tokens: input.reading.tokens(message) }));
    const tokens = items.reduce((sum, item) => sum + item.tokens, 0);
    const showing = { start: 0, cut: 0, lead: [], dropped: [], changes: [], covers: [], tokens, notes: 0, notesWhole: true, opener: 0 };
    return { ...showing, strategy: "marked", items, blocks: [], entries: log.entries.length, leftOut: 0, next: input.state };
  },
  async composePayload() {},
  async onTurnComplete() {},
});
export default ({ mark = "default mark", last = 2 }) => strategy(mark, last);
export const fixed = strategy("fixed mark", 2);
export const nothing = 5;
export const lacking = { name: "lacking" };
export const late = async () => strategy("late", 1);
export const failing = () => { throw new Error("no licence"); };
`;

describe("a plug-in's file", () => {
  test("as the specification writes it makes a strategy that comes with varve", async () => {
    const asked: string[] = [];
    const model = (name: string): LanguageModel => {
      asked.push(name);
      return { name, window: 8_000, complete: async () => ({ text: "## Goal\n- Answer", finish: "stop" }) };
    };
    const config = { compressionModel: "gemini-1.5-flash", threshold: 20 };
    const { file, id } = await plugin({ pluginId: "std-summarization-strategy", config });
    const loaded = await loadPlugins([file], { model });
    expect(loaded).toEqual([{ id, pluginId: "std-summarization-strategy", file, strategy: "summarization" }]);
    expect(asked).toEqual(["gemini-1.5-flash"]);
    const session = await (await openVarve()).session("s", { window: 20_000, strategy: id });
    await session.append(turns(21));
    await eventually(async () => expect((await session.view()).leftOut).toBe(20));
    expect(messageText((await session.view()).messages[0]!)).toContain("- Goal: Answer");
  });

  test("may be given by its folder", async () => {
    const { id } = await plugin({ pluginId: "hierarchical", config: { fanout: 3 } });
    await loadPlugins([folder]);
    expect((await viewBy(id)).tokens).toBeLessThanOrEqual(2_000);
  });

  test("may be loaded again, and may not take the id of another", async () => {
    const { file, id } = await plugin({ pluginId: "sliding-window" });
    await loadPlugins([file]);
    await loadPlugins([file]);
    const other = join(folder, "other.json");
    await writeFile(other, JSON.stringify({ id, contextStrategy: { type: "plugin", pluginId: "sliding-window" } }));
    await expect(loadPlugins([other])).rejects.toMatchObject({ code: "invalid-plugin", details: { path: "id" } });
    const { file: builtIn } = await plugin({ id: "hierarchical", pluginId: "sliding-window" });
    await expect(loadPlugins([builtIn])).rejects.toMatchObject({ code: "invalid-plugin" });
  });

  test("loads all or none", async () => {
    const { file, id } = await plugin({ pluginId: "sliding-window" });
    await expect(loadPlugins([file, join(folder, "missing.json")])).rejects.toMatchObject({ code: "not-found" });
    await expect(viewBy(id)).rejects.toMatchObject({ code: "invalid-option" });
  });
});

describe("a plug-in's module", () => {
  const modules = { "lib/marked.mjs": MODULE };

  test("is found beside the file, and gets the config", async () => {
    const { file, id } = await plugin({ pluginId: "./lib/marked.mjs", config: { mark: "mine", last: 3 }, modules });
    expect(await loadPlugins([file])).toMatchObject([{ id, strategy: "marked" }]);
    const { messages } = await viewBy(id);
    expect(messages.map(messageText).slice(0, 2)).toEqual(["mine", words(30)]);
    expect(messages).toHaveLength(4);
  });

  test("may name its export", async () => {
    const { file, id } = await plugin({ pluginId: "./lib/marked.mjs#fixed", modules });
    await loadPlugins([file]);
    expect(messageText((await viewBy(id)).messages[0]!)).toBe("fixed mark");
  });

  test("is found in a package beside the file", async () => {
    const home = "node_modules/marked-strategy";
    const { file, id } = await plugin({
      pluginId: "marked-strategy",
      modules: {
        [`${home}/package.json`]: JSON.stringify({ name: "marked-strategy", type: "module", exports: "./index.js" }),
        [`${home}/index.js`]: MODULE,
      },
    });
    await loadPlugins([file]);
    expect(messageText((await viewBy(id)).messages[0]!)).toBe("default mark");
  });

  test("may be known by a name that the application registered", async () => {
    const name = newId();
    let given: unknown;
    registerStrategy(name, (config) => {
      given = config;
      return slidingWindow();
    });
    const { file } = await plugin({ pluginId: name, config: { colour: "red" } });
    expect(await loadPlugins([file])).toMatchObject([{ strategy: "sliding-window" }]);
    expect(given).toEqual({ colour: "red" });
  });

  test("may be a class with no more than the two methods of the specification", async () => {
    const lastFew = `export class LastFew {
      constructor({ few }) { this.few = few; this.turns = 0; }
      async composePayload(system, history, tools) { return [{ role: "system", content: system }, ...history.slice(-this.few)]; }
      async onTurnComplete() { this.turns++; }
    }`;
    const { file, id } = await plugin({ pluginId: "./last.mjs", config: { few: 3 }, modules: { "last.mjs": lastFew } });
    expect(await loadPlugins([file])).toMatchObject([{ strategy: id }]);
    const view = await viewBy(id);
    expect(messageText(view.messages[0]!)).toBe("be brief");
    expect(view).toMatchObject({ leftOut: 37, entries: 40, receipt: { leftOut: { entries: 37 } } });
    expect(violations(view.messages, "anthropic")).toEqual([]);
  });

  test("that composes too much is cut to the window", async () => {
    const all = "export default { composePayload: (system, history) => ({ messages: history }) };";
    const { file, id } = await plugin({ pluginId: "./all.mjs", modules: { "all.mjs": all } });
    await loadPlugins([file]);
    const view = await viewBy(id, turns(40), 500);
    expect(view.tokens).toBeLessThanOrEqual(500);
    expect(view.receipt!.leftOut!.entries).toBe(view.leftOut);
    expect(messageText(view.messages[0]!)).toBe("be brief");
  });
});

describe("what is wrong with a plug-in is named", () => {
  const modules = {
    "marked.mjs": MODULE,
    "broken.mjs": "import 'there-is-no-such-package';",
    "mute.mjs": "export {};",
  };

  test.each<[string, string, object]>([
    ["a comma too many", '{\n  "id": "a",\n}', { code: "invalid-document", details: { line: 3, column: 1 } }],
    ["an end too early", '{ "id": "a"', { code: "invalid-document", details: { line: 1, column: 12 } }],
    ["no object", "[]", { code: "invalid-document" }],
    [
      "another type",
      '{ "id": "a", "contextStrategy": { "type": "native", "pluginId": "b" } }',
      { details: { path: "contextStrategy.type", value: "native" } },
    ],
    [
      "an unknown field",
      '{ "id": "a", "contextStrategies": 1, "contextStrategy": { "type": "plugin", "pluginId": "b" } }',
      { details: { path: "contextStrategies", value: 1, allowed: ["$schema", "id", "contextStrategy"] } },
    ],
    [
      "an unknown field within",
      '{ "id": "a", "contextStrategy": { "type": "plugin", "pluginId": "b", "cofig": {} } }',
      { details: { path: "contextStrategy.cofig", allowed: ["type", "pluginId", "config"] } },
    ],
    [
      "an unknown setting",
      '{ "id": "a", "contextStrategy": { "type": "plugin", "pluginId": "hierarchical", "config": { "fanuot": 3 } } }',
      { details: { path: "contextStrategy.config.fanuot", value: 3 }, hint: expect.stringContaining("fanout") },
    ],
    [
      "an unknown threshold",
      '{ "id": "a", "contextStrategy": { "type": "plugin", "pluginId": "summarization", "config": { "after": { "turn": 3 } } } }',
      { details: { path: "contextStrategy.config.after.turn", allowed: ["turns", "entries", "tokens"] } },
    ],
    [
      "a setting of the wrong kind",
      '{ "id": "a", "contextStrategy": { "type": "plugin", "pluginId": "hierarchical", "config": { "fanout": "3" } } }',
      { code: "invalid-document", details: { path: "contextStrategy.config.fanout", value: "3" } },
    ],
    [
      "a model that nobody can find",
      '{ "id": "a", "contextStrategy": { "type": "plugin", "pluginId": "summarization", "config": { "compressionModel": "x" } } }',
      { code: "invalid-plugin", details: { value: "x" }, hint: expect.stringContaining("loadPlugins(") },
    ],
  ])("%s", async (_, text, error) => {
    const file = join(folder, "plugin.json");
    await writeFile(file, text);
    await expect(loadPlugins([file])).rejects.toMatchObject({ hint: expect.stringMatching(/./), ...error });
  });

  test.each<[string, string, object]>([
    ["a module that is missing", "./there-is-none.mjs", { code: "not-found" }],
    ["a package that is missing", "there-is-no-such-package", { code: "not-found" }],
    ["a module that misses another", "./broken.mjs", { code: "invalid-plugin", cause: expect.any(Error) }],
    ["a module that exports nothing", "./mute.mjs", { code: "invalid-plugin", details: { exports: [] } }],
    ["an export that is missing", "./marked.mjs#nope", { code: "invalid-plugin", details: { export: "nope" } }],
    ["an export that is no strategy", "./marked.mjs#nothing", { code: "invalid-plugin" }],
    ["an export that lacks a method", "./marked.mjs#lacking", { hint: expect.stringContaining("It has name.") }],
    ["a strategy that comes late", "./marked.mjs#late", { hint: expect.stringContaining("promise") }],
    ["a strategy that cannot be made", "./marked.mjs#failing", { message: "no licence" }],
  ])("%s", async (_, pluginId, error) => {
    const { file } = await plugin({ pluginId, modules });
    await expect(loadPlugins([file])).rejects.toMatchObject(error);
  });

  test("a file that is missing", async () => {
    await expect(loadPlugins([join(folder, "none.json")])).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("registering a strategy", () => {
  test("makes it known to sessions by name", async () => {
    const name = newId();
    registerStrategy(name, () => slidingWindow({ lockLast: 1 }));
    expect((await viewBy(name)).tokens).toBeLessThanOrEqual(2_000);
  });

  test("refuses a name that is taken, unless it is to be replaced", () => {
    const name = newId();
    registerStrategy(name, () => slidingWindow());
    expect(() => registerStrategy(name, () => slidingWindow())).toThrow(/already/);
    registerStrategy(name, () => slidingWindow(), { replace: true });
    expect(() => registerStrategy("importance", () => slidingWindow(), { replace: true })).toThrow(/already/);
    expect(() => registerStrategy("", () => slidingWindow())).toThrow(/name/);
  });

  test("that makes none shows when a session asks for it", async () => {
    const name = newId();
    registerStrategy(name, (() => ({})) as never);
    await expect(viewBy(name)).rejects.toMatchObject({ code: "invalid-option" });
  });
});

describe("the config of a strategy that comes with varve", () => {
  test.each<[string, string, unknown]>([
    ["hierarchical", "fanout", 1],
    ["importance", "threshold", 7],
    ["summarization", "summaryShare", -0.5],
    ["sliding-window", "lockLast", -4],
    ["entities", "keepTurns", 0],
  ])("is refused, as %s, with the place where %s is %j", async (pluginId, option, value) => {
    const schema = { properties: { city: { type: "string" } } };
    const config = { ...(pluginId === "entities" && { schema }), [option]: value };
    const { file } = await plugin({ pluginId, config });
    const details = { file, path: `contextStrategy.config.${option}`, value, allowed: expect.any(String) };
    await expect(loadPlugins([file])).rejects.toMatchObject({ code: "invalid-document", details });
  });
});
