import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { openVarve, type RecordedConversation, readRecordingStream } from "../../index.js";
import { nameSessions } from "./name-sessions.js";
import { readRecordingFile } from "./read-file.js";
import { sessionLines } from "./session-lines.js";

const FOLDER = mkdtempSync(join(tmpdir(), "varve-recordings-"));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const TEXT = JSON.stringify([
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hello" },
  { role: "assistant", content: "Hi" },
]);

function written(name: string, content: string | Uint8Array): string {
  const file = join(FOLDER, name);
  writeFileSync(file, content);
  return file;
}

describe("a recording's file", () => {
  it("is read packed or not, whatever it is called", async () => {
    for (const file of [
      written("plain.json", TEXT),
      written("packed.json.gz", gzipSync(TEXT)),
      written("odd", gzipSync(TEXT)),
    ]) {
      const { format, conversations } = await readRecordingFile(file);
      expect(format).toBe("openai");
      expect(conversations[0]).toMatchObject({
        system: "Be brief.",
        messages: [{ content: "Hello" }, { content: "Hi" }],
      });
    }
  });

  it("that cannot be read is named, with what to do", async () => {
    const half = gzipSync(TEXT.repeat(50)).subarray(0, 60);
    const attempt = (file: string) => readRecordingFile(file).catch((error: unknown) => error);
    expect(await attempt(join(FOLDER, "none.json"))).toMatchObject({
      code: "not-found",
      message: expect.stringContaining("none.json"),
    });
    expect(await attempt(FOLDER)).toMatchObject({ code: "invalid-document", hint: expect.stringContaining("*.jsonl") });
    expect(await attempt(written("half.gz", half))).toMatchObject({
      code: "invalid-document",
      message: expect.stringContaining("half.gz"),
    });
    expect(await attempt(written("other.json", '{"a":1}'))).toMatchObject({
      code: "unknown-format",
      message: expect.stringContaining("other.json"),
      hint: expect.stringContaining("--format"),
    });
  });
});

describe("a recording that is larger than it may be", () => {
  const large = expect.objectContaining({ code: "too-large", details: expect.objectContaining({ limit: 1_000_000 }) });

  it("is refused as far as it has been unpacked, with the limit and how to raise it", async () => {
    const packed = written("bomb.gz", gzipSync(Buffer.alloc(20_000_000, "[")));
    const plain = written("plain.jsonl", `${TEXT}\n`.repeat(20_000));
    for (const file of [packed, plain]) {
      const refused = readRecordingFile(file, { maxCharacters: 1_000_000 });
      await expect(refused).rejects.toEqual(large);
      await expect(refused).rejects.toMatchObject({ hint: expect.stringContaining("--max-size") });
    }
    expect((await readRecordingFile(plain)).conversations).not.toEqual([]);
  });

  it("is not read further than 200 million characters unless more is asked for", async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<string> {
      for (const piece = " ".repeat(1_000_000); read < 400; read++) yield piece;
    }
    await expect(readRecordingStream(endless())).rejects.toMatchObject({ code: "too-large" });
    expect(read).toBe(200);
  });
});

describe("the id of a session", () => {
  const conversation = (about: Partial<RecordedConversation>): RecordedConversation => ({ messages: [], ...about });
  const idsOf = (file: string, all: readonly RecordedConversation[], given?: string) =>
    nameSessions({ file, format: "openai", warnings: [], conversations: all }, given).map(({ id }) => id);

  it("is the recording's own, or the file's name, and no two are the same", () => {
    expect(idsOf("/a/chat.jsonl.gz", [conversation({ id: "x" }), conversation({}), conversation({})])).toEqual([
      "x",
      "chat",
      "chat-2",
    ]);
    expect(idsOf("-", [conversation({})])).toEqual(["stdin"]);
  });

  it("may be given for a recording of one conversation; its subagents keep theirs", () => {
    expect(idsOf("a.json", [conversation({ id: "x" }), conversation({ id: "y", parent: "x" })], "mine")).toEqual([
      "mine",
      "y",
    ]);
    expect(() => idsOf("a.json", [conversation({}), conversation({})], "mine")).toThrow(/2 conversations/);
  });
});

it("a recorded conversation becomes a session with its system prompt, times and options", async () => {
  const varve = await openVarve({ store: "memory" });
  const conversation: RecordedConversation = {
    system: "Be brief.",
    messages: [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi" },
      { role: "user", content: "" },
    ],
    times: [1_000, undefined, 3_000],
  };
  const options = { window: 9_000, strategy: "hierarchical" };
  const report = await varve.import(sessionLines([{ id: "s", conversation, options }], 5_000));
  expect(report).toEqual({ sessions: ["s"], skipped: [], entries: 4 });
  const session = await varve.session("s");
  const entries = session.entries();
  expect(entries.map(({ message }) => message.content)).toEqual(["Be brief.", "Hello", "Hi", ""]);
  expect(entries.map(({ time }) => time)).toEqual([1_000, 1_000, 1_000, 3_000]);
  expect(entries.map(({ blank }) => blank)).toEqual([false, false, false, true]);
  expect(session.status()).toMatchObject({ strategy: "hierarchical", budget: { window: 9_000 } });
  await varve.close();
});
