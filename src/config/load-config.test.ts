import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LoadConfigOptions, loadConfig } from "./load-config.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "varve-config-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, value: unknown): string {
  const file = join(root, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
}

/** Loads from the folder `project/inner`, with the user's files in `home`. */
const load = (environment: Record<string, string> = {}, flags: LoadConfigOptions["flags"] = {}) => {
  const home = { XDG_CONFIG_HOME: join(root, "home"), APPDATA: join(root, "home") };
  return loadConfig({ folder: join(root, "project", "inner"), environment: { ...home, ...environment }, flags });
};

const valueAt = async (path: string, loaded: ReturnType<typeof load>) =>
  (await loaded).values.find((value) => value.path === path);

describe("the order of the sources", () => {
  it("is flag, environment, project file, user file, default", async () => {
    const user = write("home/varve/varve.json", { window: 1_000, reserve: 10, trigger: 0.5, target: 0.3 });
    const project = write("project/varve.json", { window: 2_000, reserve: 20, trigger: 0.6 });
    const environment = { VARVE_WINDOW: "3_000", VARVE_RESERVE: "30" };
    const loaded = load(environment, { window: { name: "--window", value: 4_000 } });
    expect(await valueAt("window", loaded)).toEqual({
      path: "window",
      value: 4_000,
      source: { kind: "flag", name: "--window" },
    });
    expect(await valueAt("reserve", loaded)).toMatchObject({ value: 30, source: { name: "VARVE_RESERVE" } });
    expect(await valueAt("trigger", loaded)).toMatchObject({ value: 0.6, source: { kind: "project", file: project } });
    expect(await valueAt("target", loaded)).toMatchObject({ value: 0.3, source: { kind: "user", file: user } });
    expect(await valueAt("embedder", loaded)).toMatchObject({ value: "built-in", source: { kind: "default" } });
  });

  it("lays the fields of an object over each other one by one", async () => {
    write("home/varve/varve.json", { memory: { enabled: true, limit: 3 } });
    write("project/varve.json", { memory: { limit: 7 } });
    expect((await load()).config.memory).toEqual({ enabled: true, limit: 7 });
  });

  it("drops the options of another strategy and the window of another model", async () => {
    write("home/varve/varve.json", { strategy: "importance", strategyOptions: { threshold: 0.7 }, window: 9_000 });
    write("project/varve.json", { strategy: "hierarchical", model: "gpt-4.1" });
    expect((await load()).config).toMatchObject({ strategy: "hierarchical", model: "gpt-4.1" });
    expect((await load()).config).not.toHaveProperty("strategyOptions");
    expect((await load()).config).not.toHaveProperty("window");
  });

  it("replaces an embedder whole", async () => {
    write("home/varve/varve.json", { embedder: { model: "nomic-embed-text", dimensions: 768 } });
    write("project/varve.json", { embedder: { onnx: "./m.onnx" } });
    expect((await load()).config.embedder).toEqual({ onnx: join(root, "project", "m.onnx") });
  });
});

describe("files", () => {
  it("are found upwards; their paths start at their folder", async () => {
    write("project/varve.json", { store: "sqlite:./data/varve.db", snapshots: { folder: "snap" } });
    const { config, folder } = await load();
    expect(folder).toBe(join(root, "project"));
    expect(config.store).toBe(`sqlite:${join(root, "project", "data", "varve.db")}`);
    expect(config.snapshots).toEqual({ folder: join(root, "project", "snap") });
  });

  it("may be named by VARVE_CONFIG, and must be there then", async () => {
    const file = write("other.json", { window: 5_000 });
    expect((await load({ VARVE_CONFIG: file })).config.window).toBe(5_000);
    await expect(load({ VARVE_CONFIG: join(root, "none.json") })).rejects.toMatchObject({
      code: "not-found",
      hint: expect.stringContaining("varve config init"),
    });
  });

  it("win with varve's own words over those of context_management", async () => {
    write("project/varve.json", { checkpointEvery: 4, context_management: { checkpoint_interval_messages: 10 } });
    expect(await valueAt("checkpointEvery", load())).toMatchObject({ value: 4 });
  });

  it("say where a translated value stands", async () => {
    write("project/varve.json", { context_management: { strategy: "sliding_window", max_messages: 50 } });
    expect(await valueAt("strategyOptions.after.entries", load())).toMatchObject({
      value: 50,
      source: { key: "context_management.max_messages" },
    });
  });
});

describe("what is wrong is refused with its place, its value and what may stand there", () => {
  it.each<[string, unknown, string, string]>([
    ["an unknown key", { windw: 1 }, '"windw" of FILE is 1, and no such field is known.', 'Did you mean "window"?'],
    ["a wrong type", { window: "many" }, '"window" of FILE is "many".', "Give a whole number of tokens from 1."],
    ["a number out of range", { trigger: 2 }, '"trigger" of FILE is 2.', "Give a share above 0 and up to 1"],
    ["a field deep down", { memory: { limit: 0 } }, '"memory.limit" of FILE is 0.', "Give a whole number of memories"],
    ["a kind of part", { embedder: "bulit-in" }, '"embedder" of FILE is "bulit-in".', 'Did you mean "built-in"?'],
    ["a key of a part", { embedder: { modle: "m" } }, '"embedder.modle" of FILE is "m"', 'Did you mean "model"?'],
    [
      "a strategy of another's words",
      { context_management: { strategy: "importance" } },
      '"context_management.strategy" of FILE is "importance".',
      "Give one of sliding_window, summarization, importance_based, hierarchical.",
    ],
    ["a protocol", { chat: { protocol: "opanai" } }, '"chat.protocol" of FILE is "opanai".', 'Did you mean "openai"?'],
    ["what is no JSON", "{ window: 1 }", "FILE is no JSON: line 1, column 3.", "a name in quotes"],
  ])("%s", async (...[, content, message, hint]) => {
    const file = write("project/varve.json", content);
    await expect(load()).rejects.toMatchObject({
      code: "invalid-document",
      message: expect.stringContaining(message.replace("FILE", file)),
      hint: expect.stringContaining(hint),
    });
  });

  it("in a variable and in a flag too", async () => {
    await expect(load({ VARVE_TRIGGER: "often" })).rejects.toMatchObject({ message: 'VARVE_TRIGGER is "often".' });
    await expect(load({ VARVE_MEMORY: "maybe" })).rejects.toMatchObject({ hint: "Give true or false." });
    await expect(load({}, { window: { name: "--window", value: 0 } })).rejects.toMatchObject({
      message: "--window is 0.",
    });
  });

  it("but a variable that nobody reads is only noted", async () => {
    expect((await load({ VARVE_WINDOWS: "1" })).notes).toEqual([expect.stringContaining("Did you mean VARVE_WINDOW?")]);
  });
});
