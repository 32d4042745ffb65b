import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openVarve } from "../session/open-varve.js";
import { sessionOptions, varveOptions } from "./configured.js";
import { loadConfig } from "./load-config.js";
import { configuredEmbedder, configuredModel, configuredSummariser } from "./parts.js";
import { resolveEndpoint } from "./providers.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "varve-parts-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const load = async (config: object) => {
  writeFileSync(join(folder, "varve.json"), JSON.stringify(config));
  return loadConfig({ folder, environment: { XDG_CONFIG_HOME: "/nowhere", APPDATA: "/nowhere" } });
};

describe("plug-ins by path", () => {
  it("bring a summariser, an embedder and a store", async () => {
    writeFileSync(
      join(folder, "parts.mjs"),
      `export const summariser = ({ name }) => ({ name, summarise: async () => ({ text: "", madeBy: name }) });
       export const embedder = { name: "two", dimensions: 2, embed: async () => [] };
       export const store = async () => ({ name: "mine", read() {}, commit() {}, version() {}, sessions() {}, delete() {}, close() {} });`,
    );
    const loaded = await load({
      summariser: { plugin: "./parts.mjs#summariser", options: { name: "short" } },
      embedder: { plugin: "./parts.mjs#embedder" },
      store: { plugin: "./parts.mjs#store" },
    });
    expect((await configuredSummariser(loaded, {}))?.name).toBe("short");
    expect((await configuredEmbedder(loaded, {})).name).toBe("two");
    expect((await varveOptions(loaded, {})).store).toMatchObject({ name: "mine" });
  });

  it("are refused where they are something else, or not there", async () => {
    writeFileSync(join(folder, "empty.mjs"), "export const nothing = {};");
    const wrong = await load({ embedder: { plugin: "./empty.mjs" } });
    await expect(configuredEmbedder(wrong, {})).rejects.toMatchObject({
      code: "invalid-plugin",
      message: expect.stringContaining("is no embedder"),
    });
    const missing = await load({ summariser: { plugin: "./none.mjs" } });
    await expect(configuredSummariser(missing, {})).rejects.toMatchObject({
      code: "not-found",
      message: expect.stringContaining("The summariser"),
    });
  });
});

describe("a session as configured", () => {
  it("has the strategy with its options, and refuses those of another one", async () => {
    const loaded = await load({
      store: "memory",
      window: 8_000,
      strategy: "importance",
      strategyOptions: { fanout: 3 },
    });
    const varve = await openVarve(await varveOptions(loaded, {}));
    const session = await varve.session("a", await sessionOptions(loaded, {}));
    expect(session.status()).toMatchObject({ strategy: "importance", budget: { window: 8_000 } });
    await varve.close();
    const wrong = await load({ strategy: "hierarchical", strategyOptions: { threshold: 0.5 } });
    await expect(sessionOptions(wrong, {})).rejects.toMatchObject({
      message: expect.stringContaining('"strategyOptions.threshold" of'),
    });
  });
});

describe("models by their names", () => {
  it.each([
    ["claude-sonnet-4-5", "anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY"],
    ["gemini-1.5-flash", "openai", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"],
    ["gpt-4.1-mini", "openai", "https://api.openai.com/v1", "OPENAI_API_KEY"],
    ["qwen3:8b", "openai", "http://localhost:11434/v1", "OLLAMA_API_KEY"],
  ])("%s is found", (...[model, protocol, baseURL, keyName]) => {
    expect(resolveEndpoint({ model }, {})).toMatchObject({ protocol, baseURL, keyName });
  });

  it("take the key from the variable that is named", () => {
    const endpoint = { model: "gpt-4.1", apiKeyEnv: "MY_KEY", baseURL: "http://localhost:1/v1" };
    expect(resolveEndpoint(endpoint, { MY_KEY: "secret" })).toMatchObject({
      apiKey: "secret",
      baseURL: endpoint.baseURL,
    });
  });

  it("say which key is missing", async () => {
    await expect(configuredModel({ model: "claude-haiku-4-5" }, {})).rejects.toMatchObject({
      hint: expect.stringContaining("Set ANTHROPIC_API_KEY"),
    });
  });
});
