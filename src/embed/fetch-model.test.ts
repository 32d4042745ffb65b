import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { failureOf } from "./failure.test-helpers.js";
import { fetchModel } from "./fetch-model.js";

const CONTENT = Buffer.alloc(300_000, "model ");
const sha256 = createHash("sha256").update(CONTENT).digest("hex");
const root = mkdtempSync(join(tmpdir(), "varve-fetch-"));
let server: Server;
let url: string;
let requests = 0;
let folder: string;

beforeAll(async () => {
  server = createServer(({ url: path }, outgoing) => {
    requests++;
    if (path === "/missing") outgoing.writeHead(404).end("nothing");
    else if (path === "/half")
      outgoing.writeHead(200, { "content-length": "600000" }).write(CONTENT, () => outgoing.destroy());
    else outgoing.writeHead(200, { "content-length": CONTENT.length }).end(CONTENT);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  requests = 0;
  folder = mkdtempSync(join(root, "to-"));
});

test("a model is fetched once, with progress", async () => {
  const to = join(folder, "models", "tiny.onnx");
  const progress: [number, number | undefined][] = [];
  await fetchModel({ url, sha256: sha256.toUpperCase(), to, onProgress: (...each) => progress.push(each) });
  expect(readFileSync(to).equals(CONTENT)).toBe(true);
  expect(progress.at(-1)).toEqual([CONTENT.length, CONTENT.length]);
  await fetchModel({ url, sha256, to });
  expect(requests).toBe(1);
});

test("a file with another content is put right", async () => {
  const to = join(folder, "tiny.onnx");
  writeFileSync(to, "damaged");
  await fetchModel({ url, sha256, to });
  expect(readFileSync(to).equals(CONTENT)).toBe(true);
});

test.each([
  ["is another than was said", "", "0".repeat(64), "SHA-256"],
  ["is not there", "/missing", sha256, "404"],
  ["breaks off", "/half", sha256, "could not be fetched"],
])("nothing is left where the file %s", async (...[, path, wanted, why]) => {
  const error = await failureOf(fetchModel({ url: `${url}${path}`, sha256: wanted, to: join(folder, "tiny.onnx") }));
  expect(error).toMatchObject({ code: "embedder-unavailable", message: expect.stringContaining(why) });
  expect(readdirSync(folder)).toEqual([]);
});

test("a fetch ends when its signal says so", async () => {
  const to = join(folder, "tiny.onnx");
  const error = await failureOf(fetchModel({ url, sha256, to, signal: AbortSignal.abort() }));
  expect(error.code).toBe("aborted");
  expect(existsSync(to)).toBe(false);
});
