import { describe, expect, test } from "vitest";
import type { Message, ToolContentPart } from "../src/message/types.js";
import { openVarve } from "../src/session/open-varve.js";
import { createTokenCounter } from "../src/tokens/create-token-counter.js";
import { toOpenAI } from "../src/wire/openai-chat.js";
import { calls, user } from "./support/build.js";

const rows = Array.from({ length: 6_000 }, (_, at) => `<row id='${at}'>lorem ipsum dolor sit amet</row>`).join("\n");
const text = `<table>\n${rows}\n</table>`;
const base64 = Buffer.from(text).toString("base64");
const counter = createTokenCounter();
const resultOf = (part: ToolContentPart): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "a", toolName: "f", output: { type: "content", value: [part] } }],
});
const sentTokens = (messages: readonly Message[]) => counter.text(JSON.stringify(toOpenAI(messages)));

describe("a file that is text", () => {
  const files: readonly ToolContentPart[] = [
    { type: "file", mediaType: "application/xml", data: { type: "text", text } },
    { type: "file", mediaType: "text", data: { type: "text", text } },
    { type: "file-data", mediaType: "application/x-yaml", data: base64 },
    { type: "media", mediaType: "application/atom+xml; charset=utf-8", data: base64 },
    { type: "file-data", mediaType: "application/json", data: `data:application/json;base64,${base64}` },
  ];

  test.each(files)("counts by its text, and is shortened as text: $type $mediaType", async (part) => {
    const session = await (await openVarve()).session("s", { window: 8_000 });
    const messages = [user("go"), calls("a"), resultOf(part)];
    expect(counter.message(messages[2]!)).toBeGreaterThan(counter.text(text));
    await session.append(messages);
    const view = await session.view();
    expect(sentTokens(view.messages)).toBeLessThan(8_200);
    expect(JSON.stringify(view.messages)).toContain("row id='0'");
    expect(JSON.stringify(view.messages)).toContain("row id='5999'");
    expect(view.receipt).toBeDefined();
  });

  test.each(files)("is shortened in a user's message as well: $type $mediaType", async ({ mediaType, data }) => {
    const session = await (await openVarve()).session("s", { window: 4_000 });
    const file = { type: "file", mediaType, data, filename: "rows.xml" } as never;
    await session.append([{ role: "user", content: [{ type: "text", text: "Look at this." }, file] }]);
    const { messages, tokens } = await session.view();
    expect(tokens).toBeGreaterThan(2_000);
    const content = JSON.stringify(messages);
    for (const part of ["Look at this.", "[file: rows.xml]", "row id='0'"]) expect(content).toContain(part);
  });
});

describe("a file that is no text", () => {
  test("costs more the larger it is, and something where only a link or an id is known", () => {
    const size = (part: ToolContentPart) => counter.message(resultOf(part));
    const zip = (bytes: number) => ({ type: "file-data", mediaType: "application/zip", data: "A".repeat(bytes) });
    expect(size(zip(400_000))).toBeGreaterThan(5 * size(zip(100)));
    for (const part of [
      { type: "file-url", url: "https://example.com/a" },
      { type: "file-id", fileId: "f" },
      { type: "image-file-id", fileId: "f" },
    ])
      expect(size(part)).toBeGreaterThan(500);
  });
});
