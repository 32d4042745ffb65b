import { describe, expect, test } from "vitest";
import { user } from "../../test/support/build.js";
import type { FilePart, Message } from "../message/types.js";
import { fromGemini } from "./gemini.js";
import { fromOpenAI, toOpenAI } from "./openai-chat.js";
import { fromOpenAIResponses, toOpenAIResponses } from "./openai-responses.js";

const file = (mediaType: string, data: FilePart["data"] = "QUJD"): FilePart => ({ type: "file", data, mediaType });
const upload = (part: FilePart): Message[] => [{ role: "user", content: [part] }];

describe("a file without a name", () => {
  test.each([
    ["application/pdf", "file.pdf"],
    ["text/csv", "file.csv"],
    ["Text/Plain; charset=utf-8", "file.txt"],
    ["application/x-unheard-of", "file.bin"],
  ])("of type %s is sent to OpenAI as %s", (mediaType, filename) => {
    const data = `data:${mediaType};base64,QUJD`;
    expect(toOpenAI(upload(file(mediaType)))[0]?.content).toEqual([
      { type: "file", file: { file_data: data, filename } },
    ]);
    expect(toOpenAIResponses(upload(file(mediaType)))[0]).toMatchObject({
      content: [{ type: "input_file", file_data: data, filename }],
    });
  });

  test("in a tool's output gets one too", () => {
    const output = {
      type: "content" as const,
      value: [{ type: "file-data", data: "QUJD", mediaType: "application/pdf" }],
    };
    const messages: Message[] = [
      { role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "f", output }] },
    ];
    expect(toOpenAI(messages)[1]).toMatchObject({ content: [{ file: { filename: "file.pdf" } }] });
    expect(toOpenAIResponses(messages)[0]).toMatchObject({ output: [{ filename: "file.pdf" }] });
  });

  test("needs none where it is kept elsewhere, or came like this", () => {
    const byId = upload(file("application/pdf", { openai: "file-1" }));
    expect(toOpenAI(byId)[0]?.content).toEqual([{ type: "file", file: { file_id: "file-1" } }]);
    const items = [
      { role: "user", content: [{ type: "input_file", file_url: "https://a.example/b.pdf" }] },
      { role: "user", content: [{ type: "input_file", file_data: "data:application/pdf;base64,QUJD" }] },
    ];
    expect(toOpenAIResponses(fromOpenAIResponses(items))).toEqual(items);
    const wire = [
      { role: "user", content: [{ type: "file", file: { file_data: "data:application/pdf;base64,QUJD" } }] },
    ];
    expect(toOpenAI(fromOpenAI(wire))).toEqual(wire);
    expect(toOpenAI(fromOpenAIResponses(items.slice(1)))[0]).toMatchObject({
      content: [{ file: { filename: "file.pdf" } }],
    });
  });
});

describe("an assistant that only showed a file", () => {
  const drawn = fromGemini([
    { role: "user", parts: [{ text: "Draw" }] },
    { role: "model", parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }] },
  ]);

  test("says so in OpenAI's formats", () => {
    const said = { role: "assistant", content: "[file: image/png]" };
    expect(toOpenAI(drawn)[1]).toEqual(said);
    expect(toOpenAIResponses(drawn)[1]).toEqual(said);
    const two: Message = {
      role: "assistant",
      content: [{ ...file("text/csv"), filename: "a.csv" }, file("image/png")],
    };
    expect(toOpenAI([two])[0]?.content).toBe("[file: a.csv]\n[file: image/png]");
  });

  test("says nothing of it beside words and calls", () => {
    const picture = file("image/png");
    const spoken: Message = { role: "assistant", content: [picture, { type: "text", text: "Here" }] };
    expect(toOpenAI([spoken])).toEqual([{ role: "assistant", content: "Here" }]);
    expect(toOpenAIResponses([spoken])).toEqual([{ role: "assistant", content: "Here" }]);
    const called: Message = {
      role: "assistant",
      content: [picture, { type: "tool-call", toolCallId: "a", toolName: "f", input: {} }],
    };
    expect(toOpenAI([called])[0]).toMatchObject({ content: null, tool_calls: [{ id: "a" }] });
    expect(toOpenAIResponses([called])).toHaveLength(1);
  });

  test("does not leave its reasoning alone", () => {
    const reasoning = { type: "reasoning" as const, text: "", providerOptions: { openai: { itemId: "rs_1" } } };
    const items = toOpenAIResponses([user("Draw"), { role: "assistant", content: [reasoning, file("image/png")] }]);
    expect(items.slice(1)).toEqual([
      { type: "reasoning", id: "rs_1", summary: [] },
      { role: "assistant", content: "[file: image/png]" },
    ]);
  });
});
