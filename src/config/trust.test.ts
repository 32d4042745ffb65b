import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "./load-config.js";
import type { TrustRequest } from "./trust.js";
import { distrustFile, isTrustedFile, trustFile } from "./trusted-files.js";

let root: string;
let home: { XDG_CONFIG_HOME: string; APPDATA: string };
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "varve-trust-"));
  home = { XDG_CONFIG_HOME: join(root, "home"), APPDATA: join(root, "home") };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, value: unknown): void {
  const file = join(root, name);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

/** What the files of `project` ask to be trusted with. */
async function request(environment: Record<string, string> = {}): Promise<TrustRequest | undefined> {
  const asked: TrustRequest[] = [];
  const trust = (each: TrustRequest) => asked.push(each) > 0;
  await loadConfig({ folder: join(root, "project"), environment: { ...home, ...environment }, trust });
  return asked[0];
}

const wants = async (environment = {}) => (await request(environment))?.wants.map(({ text }) => text);

describe("a project's file", () => {
  it.each<[string, object]>([
    ["sizes and strategies", { window: 8_000, strategy: "importance", trigger: 0.8 }],
    ["a store on this machine", { store: "sqlite:./varve.db" }],
    ["models at their own providers", { chat: { model: "gpt-4.1" }, embedder: { model: "text-embedding-3-small" } }],
  ])("may say %s without being trusted", async (_, config) => {
    write("project/varve.json", config);
    expect(await wants()).toBeUndefined();
  });

  it.each<[string, object, string]>([
    ["run an embedder", { embedder: { plugin: "./x.js" } }, "run ROOT/project/x.js"],
    ["load a model", { embedder: { onnx: "./m.onnx" } }, "run ROOT/project/m.onnx"],
    ["run a store", { store: { plugin: "stores" } }, "run stores"],
    ["run a summariser", { summariser: { plugin: "./s.js#short" } }, "run ROOT/project/s.js#short"],
    ["send a key", { chat: { apiKeyEnv: "AWS_SECRET" } }, "send AWS_SECRET to https://api.openai.com/v1"],
    [
      "name an address",
      { chat: { model: "claude-opus-4-1", baseURL: "http://x/v1" } },
      "send ANTHROPIC_API_KEY to http://x/v1",
    ],
    [
      "name one for the embedder",
      { embedder: { model: "e", baseURL: "http://x/v1", apiKeyEnv: "K" } },
      "send K to http://x/v1",
    ],
    ["keep sessions elsewhere", { store: "postgres://u:secret@db/v" }, "keep sessions at postgres://…@db/v"],
  ])("asks to %s", async (_, config, text) => {
    write("project/varve.json", config);
    expect(await wants()).toEqual([text.replace("ROOT", root)]);
  });

  it("asks for a strategy's module, and not for a strategy that comes with varve", async () => {
    write("project/plugin.json", { id: "mine", contextStrategy: { type: "plugin", pluginId: "./strategy.js" } });
    expect(await wants()).toEqual([`run ./strategy.js of ${join(root, "project", "plugin.json")}`]);
    write("project/plugin.json", {
      id: "mine",
      contextStrategy: { type: "plugin", pluginId: "std-importance-strategy" },
    });
    expect(await wants()).toBeUndefined();
  });

  it("is asked about nothing that the user's own file or a variable says", async () => {
    write("home/varve/varve.json", { chat: { baseURL: "http://mine/v1", apiKeyEnv: "MINE" } });
    write("project/varve.json", { window: 8_000 });
    expect(await wants({ VARVE_CHAT_KEY_ENV: "OTHER" })).toBeUndefined();
  });

  it("is refused where it is not trusted, and trusted where nobody asks", async () => {
    write("project/varve.json", { embedder: { plugin: "./x.js" } });
    const options = { folder: join(root, "project"), environment: home };
    await expect(loadConfig({ ...options, trust: () => false })).rejects.toMatchObject({
      code: "untrusted",
      hint: expect.stringContaining("varve config trust"),
    });
    expect((await loadConfig(options)).config.embedder).toEqual({ plugin: join(root, "project", "x.js") });
  });
});

describe("what is trusted", () => {
  it("is remembered until the file or its plugin.json changes, or trust is taken back", async () => {
    write("project/varve.json", { plugins: ["./agent"] });
    write("project/agent/plugin.json", { id: "mine", contextStrategy: { type: "plugin", pluginId: "./a.js" } });
    const before = (await request())!;
    trustFile(before, home);
    expect(isTrustedFile((await request())!, home)).toBe(true);
    write("project/agent/plugin.json", { id: "mine", contextStrategy: { type: "plugin", pluginId: "./b.js" } });
    expect(isTrustedFile((await request())!, home)).toBe(false);
    expect(distrustFile(before.file, home)).toBe(true);
    expect(isTrustedFile(before, home)).toBe(false);
  });
});
