/** A project's varve.json that comes with a checkout: what it may do before the user has said yes to it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { outputSchemas } from "../src/cli/output/schemas.js";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";
import { type Finished, hasScript, run } from "./support/command-line.js";
import { Terminal } from "./support/terminal.js";

let built: BuiltPackage;
let server: Server;
let received: string[] = [];
let root: string;
let folder: string;
let ran: string;

beforeAll(async () => {
  built = await buildPackage();
  server = createServer((request, response) => {
    received.push(String(request.headers.authorization));
    response.end('{"data":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}, 60_000);
afterAll(() => {
  built?.remove();
  server.close();
});

beforeEach(() => {
  received = [];
  root = mkdtempSync(join(tmpdir(), "varve-checkout-"));
  folder = join(root, "project");
  ran = join(root, "RAN");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "x.mjs"),
    `import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(ran)}, "1");
     export const embedder = { name: "two", dimensions: 2, embed: async (texts) => texts.map(() => [1, 0]) };`,
  );
  write({});
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(more: object): void {
  const { port } = server.address() as AddressInfo;
  const chat = { model: "m", baseURL: `http://127.0.0.1:${port}/v1`, apiKeyEnv: "AWS_SECRET" };
  writeFileSync(
    join(folder, "varve.json"),
    JSON.stringify({ window: 8_000, chat, embedder: { plugin: "./x.mjs" }, ...more }),
  );
}

const variables = () => ({
  XDG_CONFIG_HOME: join(root, "home"),
  APPDATA: join(root, "home"),
  AWS_SECRET: "secret",
  VARVE_TRUST: "",
});

const varve = (parameters: readonly string[], more = {}): Promise<Finished> =>
  run(process.execPath, [built.main, ...parameters], { variables: { ...variables(), ...more }, folder });

describe("without a terminal", () => {
  test.each([["doctor"], ["memory", "search", "a"], ["memory", "add", "a text"], ["chat", "hello"]])(
    "%s runs no code and sends no key",
    async (...parameters) => {
      const { code, stdout, stderr } = await varve(parameters);
      expect(code).toBe(parameters[0] === "doctor" ? 1 : 6);
      expect((stdout + stderr).replace(/\s+/g, " ")).toContain("varve config trust");
      expect({ ran: existsSync(ran), received }).toEqual({ ran: false, received: [] });
    },
  );

  test("show tells what the file wants, and runs nothing", async () => {
    const { code, stderr } = await varve(["config", "show"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/wants to send AWS_SECRET to http:\S+, and to run \S+x\.mjs\. `varve config trust` lets it/);
    expect(existsSync(ran)).toBe(false);
  });

  test("what uses no such part needs no trust", async () => {
    expect(await varve(["session", "list"])).toMatchObject({ code: 4, stderr: expect.stringContaining("no store") });
  });

  test.each([
    ["--trust", ["--trust"], {}],
    ["VARVE_TRUST", [], { VARVE_TRUST: "1" }],
  ])("%s trusts for one call", async (_, flags, more) => {
    expect(await varve(["memory", "add", "a text", ...flags], more)).toMatchObject({ code: 0 });
    expect(existsSync(ran)).toBe(true);
    expect((await varve(["memory", "search", "a"])).code).toBe(6);
  });

  test("config trust holds until the file changes, or is revoked", async () => {
    const { stdout } = await varve(["config", "trust", "--json"]);
    expect(outputSchemas["config trust"]?.parse(JSON.parse(stdout))).toMatchObject({ trusted: true });
    expect((await varve(["memory", "add", "a text"])).code).toBe(0);
    write({ window: 9_000 });
    expect((await varve(["memory", "search", "a"])).code).toBe(6);
    await varve(["config", "trust"]);
    expect((await varve(["memory", "search", "a"])).code).toBe(0);
    await varve(["config", "trust", "--revoke"]);
    expect((await varve(["memory", "search", "a"])).code).toBe(6);
  });
});

describe.skipIf(!hasScript())("on a terminal (skipped without `script` of util-linux)", () => {
  const terminal = () =>
    new Terminal(`'${process.execPath}' '${built.main}' memory add hello`, { variables: variables(), folder });

  test("the user is asked once", async () => {
    const asked = terminal();
    await asked.until("Trust it? [y/N]");
    asked.type("y");
    expect(await asked.ended).toBe(0);
    expect(readFileSync(join(root, "home", "varve", "trusted.json"), "utf8")).toContain("varve.json");
    const again = terminal();
    expect(await again.ended).toBe(0);
    expect(again.text).not.toContain("Trust it?");
  });

  test("no is refused, and so is Ctrl-C, which is told apart by its exit code", async () => {
    const refused = terminal();
    await refused.until("[y/N]");
    refused.type("n");
    expect(await refused.ended).toBe(6);
    const left = terminal();
    await left.until("[y/N]");
    left.keys("\u0003");
    expect(await left.ended).toBe(130);
    expect(existsSync(ran)).toBe(false);
  });
});
