import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runs } from "../../test/support/runs.js";
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
    ["a store in its folder", { store: "sqlite:./varve.db" }],
    ["a folder of files in its folder", { store: "file:data/../context" }],
    ["a store that holds nothing", { store: "memory" }],
    ["snapshots in its folder", { snapshots: { folder: "./snapshots" } }],
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
    [
      "name an address for the summariser alone",
      { summariser: { model: "m", baseURL: "http://x/v1" } },
      "send OPENAI_API_KEY to http://x/v1",
    ],
    ["keep sessions elsewhere", { store: "postgres://u:secret@db/v" }, "keep sessions at postgres://…@db/v"],
    ["keep them at a database named without //", { store: "postgres:?host=db" }, "keep sessions at postgres:?host=db"],
    ["keep them in a folder above", { store: "sqlite:../x.db" }, "keep sessions at sqlite:ROOT/x.db"],
    ["keep them in a folder beside it", { store: "file:../project-2" }, "keep sessions at file:ROOT/project-2"],
    ["keep them in a place of its own", { store: "sqlite:/a/x.db" }, "keep sessions at sqlite:/a/x.db"],
    ["write snapshots elsewhere", { snapshots: { folder: "../s" } }, "write snapshots to ROOT/s"],
    ["instruct the model", { chat: { system: "Obey." } }, 'tell the model: "Obey."'],
    [
      "show variables to commands",
      { chat: { environment: ["AWS_SECRET", "GOPATH"] } },
      "let commands that the model runs see AWS_SECRET, GOPATH",
    ],
  ])("asks to %s", async (_, config, text) => {
    write("project/varve.json", config);
    expect(await wants()).toEqual([text.replace("ROOT", root)]);
  });

  it.each(["sqlite:link/x.db", "sqlite:dangling.db", "file:link"])(
    "asks where a link leads out of it: %s",
    async (store) => {
      write("project/varve.json", { store });
      symlinkSync(root, join(root, "project", "link"));
      symlinkSync(join(root, "not-yet"), join(root, "project", "dangling.db"));
      expect(await wants()).toEqual([expect.stringContaining("keep sessions at")]);
    },
  );

  it("names no store unasked but one in memory or below its folder, however it is written", async () => {
    mkdirSync(join(root, "project", "in"), { recursive: true });
    symlinkSync(root, join(root, "project", "out"));
    const scheme = fc.constantFrom("sqlite:", "file:", "postgres:", "postgresql:");
    const step = fc.constantFrom("..", ".", "in", "out", "a", "~", "", "?host=h", ":memory:", "//", root);
    const address = fc.tuple(scheme, fc.array(step, { minLength: 1, maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(address, async ([kind, steps]) => {
        const store = kind + steps.join("/");
        if (store === kind) return;
        write("project/varve.json", { store });
        const isAsked = (await wants()) !== undefined;
        const loaded = await loadConfig({ folder: join(root, "project"), environment: home });
        expect(isAsked || isBelow(String(loaded.config.store), join(root, "project"))).toBe(true);
      }),
      { numRuns: runs(300) },
    );
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

  it("asks where it names a scope of memories in a store that is not its own", async () => {
    const memory = { scope: { user: "root" } };
    write("project/varve.json", { memory });
    expect(await wants()).toBeUndefined();
    write("home/varve/varve.json", { store: "sqlite:/a/all.db" });
    expect(await wants()).toEqual(['use the memories of {"user":"root"} in sqlite:/a/all.db']);
    expect(await wants({ VARVE_STORE: "postgres://u:secret@db/v" })).toEqual([expect.not.stringContaining("secret")]);
    write("home/varve/varve.json", { store: { plugin: "stores" }, memory });
    expect(await wants()).toEqual(['use the memories of {"user":"root"} in stores']);
    write("project/varve.json", { window: 8_000, memory: { limit: 3 } });
    expect(await wants()).toBeUndefined();
  });

  it("is asked about nothing that the user's own file or a variable says", async () => {
    write("home/varve/varve.json", { chat: { baseURL: "http://mine/v1", apiKeyEnv: "MINE" } });
    write("project/varve.json", { window: 8_000 });
    expect(await wants({ VARVE_CHAT_KEY_ENV: "OTHER" })).toBeUndefined();
  });

  it.each<[string, object, string]>([
    ["a chat's model", { chat: { model: "claude-opus-4-1" } }, "send MINE to https://api.anthropic.com"],
    ["a model", { model: "qwen3:8b" }, "send MINE to http://localhost:11434/v1"],
    ["a summariser", { summariser: { model: "gemini-2.5-pro" } }, "send MINE to https://generativelanguage"],
  ])("asks where the user's own key is to go by %s of another provider", async (_, config, text) => {
    write("home/varve/varve.json", { chat: { apiKeyEnv: "MINE" } });
    write("project/varve.json", config);
    expect(await wants()).toEqual([expect.stringContaining(text)]);
    write("home/varve/varve.json", { chat: { apiKeyEnv: "MINE", baseURL: "http://mine/v1" } });
    expect(await wants()).toBeUndefined();
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

/** Asked of the file system: folders that are missing are made, and then looked up. */
function isBelow(store: string, folder: string): boolean {
  const [, kind = "", place = ""] = /^([a-z]+):(.+)$/s.exec(store) ?? [];
  if (kind !== "sqlite" && kind !== "file") return false;
  if (place === ":memory:") return true;
  const parent = join(place, "..");
  mkdirSync(parent, { recursive: true });
  return !relative(realpathSync(folder), realpathSync(parent)).startsWith("..") || place === folder;
}

describe("a file in a folder above", () => {
  const fromBelow = async () => {
    const asked: TrustRequest[] = [];
    const folder = join(root, "project", "below");
    mkdirSync(folder, { recursive: true });
    await loadConfig({ folder, environment: home, trust: (each) => asked.push(each) > 0 });
    return asked.flatMap((request) => request.wants.map(({ text }) => text));
  };

  it.skipIf(process.getuid?.() !== 0)("is asked about where it belongs to another user (needs root)", async () => {
    write("project/varve.json", { window: 8_000 });
    expect(await fromBelow()).toEqual([]);
    chownSync(join(root, "project", "varve.json"), 12_345, 12_345);
    expect(await fromBelow()).toEqual([expect.stringMatching(/^decide .* belongs to another user/)]);
    expect(await wants()).toBeUndefined();
  });

  it.skipIf(process.platform === "win32")("is asked about where every user may put one", async () => {
    write("project/plugin.json", { id: "p", contextStrategy: { type: "plugin", pluginId: "std-importance-strategy" } });
    expect(await fromBelow()).toEqual([]);
    chmodSync(join(root, "project"), 0o777);
    expect(await fromBelow()).toEqual([expect.stringMatching(/^decide .* every user may write/)]);
  });
});

it("tells of each setting that wants the same", async () => {
  const endpoint = { model: "m", baseURL: "http://x/v1", apiKeyEnv: "K" };
  write("project/varve.json", { chat: endpoint, summariser: endpoint, embedder: endpoint });
  expect((await request())?.wants.map(({ path }) => path)).toEqual(["chat", "embedder", "summariser"]);
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
