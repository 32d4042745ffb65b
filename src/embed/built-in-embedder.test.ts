import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { assetPath } from "../assets.js";
import { builtInEmbedder, tableEmbedder } from "./built-in-embedder.js";
import { dot, failureOf } from "./failure.test-helpers.js";

const embedder = builtInEmbedder();
const source = { name: embedder.name, dimensions: embedder.dimensions };
const folder = mkdtempSync(join(tmpdir(), "varve-embed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const vectorOf = async (text: string): Promise<Float32Array> => (await embedder.embed([text]))[0]!;

describe("the built-in embedder", () => {
  test("gives every text a vector of length 1, in the order of the texts and whatever stands beside it", async () => {
    const texts = fc.array(fc.oneof(fc.lorem(), fc.string({ unit: "binary" })), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(texts, async (list) => {
        const vectors = await embedder.embed(list);
        expect(vectors.map((vector) => vector.length)).toEqual(list.map(() => embedder.dimensions));
        for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 5);
        for (const [at, text] of list.entries()) expect(vectors[at]).toEqual(await vectorOf(text));
      }),
    );
  });

  test.each([
    ["What pets does Ann have?", "Ann: we got a second cat last week", "Ann: the meeting moved to Friday"],
    ["Where does he live now?", "I moved to Lyon in May", "I bought a red bicycle"],
    ["database connection refused", "cannot connect to PostgreSQL on port 5432", "the button is green"],
    ["her favourite food", "she loves pasta with pesto", "she works as a nurse"],
  ])("puts %j nearer to %j than to %j", async (question, near, far) => {
    const [asked, first, second] = await embedder.embed([question, near, far]);
    expect(dot(asked!, first!)).toBeGreaterThan(dot(asked!, second!) + 0.05);
  });

  test("gives the vectors that its name stands for", async () => {
    const vector = await vectorOf("The port of the staging database is 5433.");
    expect(embedder.name).toBe("built-in:minilm-256:1");
    expect([...vector.slice(0, 4)].map((each) => Number(each.toFixed(5)))).toEqual([-0.09, -0.09906, 0.14755, 0.00362]);
  });

  test("gives a text without words a vector too", async () => {
    expect(await vectorOf("")).toEqual(await vectorOf(" \u200b "));
    expect(dot(await vectorOf(""), await vectorOf(""))).toBeCloseTo(1, 5);
  });

  test("lets others have a turn, and ends when its signal says so", async () => {
    const abort = new AbortController();
    setImmediate(() => abort.abort(new Error("enough")));
    const texts = Array.from({ length: 20_000 }, (_, at) => `text ${at} of many that go on for a while`);
    const error = await failureOf(embedder.embed(texts, { signal: abort.signal }));
    expect(error).toMatchObject({ code: "aborted", cause: new Error("enough") });
    expect(await failureOf(embedder.embed(["a"], { signal: abort.signal }))).toMatchObject({ code: "aborted" });
  });
});

describe("the file of a table", () => {
  const file = readFileSync(assetPath("embedder.bin"));
  const failureWith = (name: string, bytes: Uint8Array): ReturnType<typeof failureOf> => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return failureOf(tableEmbedder({ ...source, path }).embed(["a"]));
  };

  test("is below 16 MB and states its source and licence", () => {
    expect(file.length).toBeLessThan(16 * 2 ** 20);
    expect(JSON.parse(file.toString("utf8", 12, 12 + file.readUInt32LE(8)))).toMatchObject({
      name: embedder.name,
      licence: "Apache-2.0",
      source: expect.stringContaining("all-MiniLM-L6-v2"),
    });
  });

  test("is read again by the next call where it was missing", async () => {
    const path = join(folder, "late.bin");
    const late = tableEmbedder({ ...source, path });
    const error = await failureOf(late.embed(["a"]));
    expect(error).toMatchObject({ code: "embedder-unavailable", message: expect.stringContaining(path) });
    expect(error.hint).toBeTruthy();
    copyFileSync(assetPath("embedder.bin"), path);
    expect(await late.embed(["a"])).toEqual(await embedder.embed(["a"]));
  });

  test.each<[string, () => Uint8Array, string]>([
    ["is cut off", () => file.subarray(0, -1), "bytes in place of"],
    ["is empty", () => new Uint8Array(), "does not begin"],
    ["is a pointer to another", () => Buffer.from("version https://git-lfs.github.com/spec/v1\n"), "does not begin"],
    ["has no header", () => Buffer.concat([file.subarray(0, 8), Buffer.alloc(40)]), "header"],
    ["has another format", () => changed('"version":1', '"version":2'), "format 2"],
    ["holds another model", () => changed("minilm-256:1", "minilm-256:2"), "in place of built-in:minilm-256:1"],
    ["lacks the token for unknown words", () => changed("[UNK]", "[unk]"), "vocabulary"],
  ])("is refused where it %s", async (name, bytes, why) => {
    const error = await failureWith(name.replaceAll(" ", "-"), bytes());
    expect(error).toMatchObject({ code: "embedder-unavailable", message: expect.stringContaining(why) });
    expect(error.hint).toContain("Install the package again");
  });

  /** The file with a text in place of another of the same length. */
  function changed(from: string, to: string): Uint8Array {
    const copy = Buffer.from(file);
    copy.write(to, copy.indexOf(from));
    return copy;
  }
});
