import { describe, expect, test } from "vitest";
import { outputText } from "../message/content.js";
import type { Message } from "../message/types.js";
import { toAISDK } from "./ai-sdk.js";
import { fromAnthropic, toAnthropic } from "./anthropic.js";
import { fromGemini, toGemini } from "./gemini.js";
import { fromOpenAI, toOpenAI } from "./openai-chat.js";
import { fromOpenAIResponses, toOpenAIResponses } from "./openai-responses.js";

const found = {
  type: "search_result",
  source: "https://a.example",
  title: "A page",
  content: [{ type: "text", text: "THE FACT" }],
};
const FOUND = "https://a.example\nA page\nTHE FACT";
const asked = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] };
const returned = (content: unknown[], more: object = {}): Message[] =>
  fromAnthropic([
    { role: "user", content: "find" },
    asked,
    { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content, ...more }] },
  ]);

describe("what a tool found in a form of one format", () => {
  const messages = returned([found]);

  test("is read by every other", () => {
    expect(toOpenAI(messages)[2]).toMatchObject({ content: FOUND });
    expect(toOpenAIResponses(messages)[2]).toMatchObject({ output: [{ type: "input_text", text: FOUND }] });
    expect(toGemini(messages).contents[2]?.parts).toMatchObject([
      { functionResponse: { response: { output: FOUND } } },
    ]);
    expect(toAISDK(messages)[2]?.content).toMatchObject([{ output: { value: [{ type: "text", text: FOUND }] } }]);
    expect(toAnthropic(messages).messages[2]?.content).toMatchObject([{ content: [found] }]);
  });

  test("is text of the output, and where it says nothing that it was there", () => {
    const output = (part: object) => {
      const [result] = returned([part])[2]!.content;
      return typeof result === "object" && result.type === "tool-result" ? outputText(result.output) : undefined;
    };
    expect(output(found)).toBe(FOUND);
    expect(output({ type: "tool_reference", tool_name: "x" })).toBe("[part: anthropic.tool_reference]");
    const reference = returned([{ type: "tool_reference", tool_name: "x" }]);
    expect(toOpenAIResponses(reference)[2]).toMatchObject({
      output: [{ type: "input_text", text: "[part: anthropic.tool_reference]" }],
    });
  });

  test("reaches Anthropic from Responses, and the list of a Chat result", () => {
    const [user, call, result] = fromOpenAIResponses([
      { role: "user", content: "find" },
      { type: "function_call", call_id: "a", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "a", output: [{ type: "hologram", text: "THE FACT" }] },
    ]);
    expect(toAnthropic([user!, call!, result!]).messages[2]?.content).toMatchObject([
      { content: [{ type: "text", text: "THE FACT" }] },
    ]);
  });

  test("blank blocks are left out of a result, for Anthropic refuses them", () => {
    const blank = returned([
      { type: "text", text: " " },
      { type: "text", text: "x" },
    ]);
    expect(toAnthropic(blank).messages[2]?.content).toMatchObject([{ content: [{ type: "text", text: "x" }] }]);
  });

  test("is an error where Anthropic said so beside a list", () => {
    const failed = returned([{ type: "text", text: "boom" }], { is_error: true });
    expect(toGemini(failed).contents[2]?.parts).toMatchObject([{ functionResponse: { response: { error: "boom" } } }]);
    expect(toAISDK(failed)[2]?.content).toMatchObject([{ output: { type: "error-text", value: "boom" } }]);
    const fine = returned([{ type: "text", text: "ok" }], { is_error: false });
    expect(toGemini(fine).contents[2]?.parts).toMatchObject([{ functionResponse: { response: { output: "ok" } } }]);
  });
});

describe("what the user gave in a form of one format", () => {
  const document = {
    type: "document",
    title: "Notes",
    source: { type: "content", content: [{ type: "text", text: "THE NOTE" }] },
  };
  const messages = fromAnthropic([{ role: "user", content: [{ type: "text", text: "See" }, document, found] }]);

  test("is said beside the user's own words", () => {
    const texts = ["See", "Notes\nTHE NOTE", FOUND];
    expect(toOpenAI(messages)[0]?.content).toEqual(texts.map((text) => ({ type: "text", text })));
    expect(toOpenAIResponses(messages)).toEqual([
      { role: "user", content: texts.map((text) => ({ type: "input_text", text })) },
    ]);
    expect(toGemini(messages).contents[0]?.parts).toEqual(texts.map((text) => ({ text })));
    expect(toAISDK(messages)[0]?.content).toEqual(texts.map((text) => ({ type: "text", text })));
  });

  test("says neither base64 nor what is sealed", () => {
    const source = { type: "content", content: [{ type: "image", source: { type: "base64", data: "QUJD" } }] };
    const sealed = fromAnthropic([
      { role: "user", content: [{ type: "document", source, encrypted_content: "c2VhbGVk", url: "data:,x" }] },
    ]);
    expect(toOpenAI(sealed)[0]?.content).toEqual([{ type: "text", text: "[part: anthropic.document]" }]);
  });
});

describe("an assistant that only did what its own format has a place for", () => {
  const search = { type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } };
  const results = {
    type: "web_search_tool_result",
    tool_use_id: "s",
    content: [{ type: "web_search_result", url: "https://a.example", title: "A page", encrypted_content: "xyz" }],
  };
  const messages = fromAnthropic([
    { role: "user", content: "search" },
    { role: "assistant", content: [search, results] },
  ]);
  const WORDS = "[part: anthropic.server_tool_use]\nhttps://a.example\nA page";

  test("says so to the others", () => {
    expect(toOpenAI(messages)[1]).toEqual({ role: "assistant", content: WORDS });
    expect(toOpenAIResponses(messages)[1]).toEqual({ role: "assistant", content: WORDS });
    expect(toGemini(messages).contents[1]).toEqual({ role: "model", parts: [{ text: WORDS }] });
    const code = fromGemini([
      { role: "user", parts: [{ text: "run" }] },
      { role: "model", parts: [{ executableCode: { language: "PYTHON", code: "print(1)" } }] },
    ]);
    expect(toAnthropic(code).messages[1]?.content).toEqual([{ type: "text", text: "print(1)" }]);
  });

  test("says nothing of it beside words, calls, or in its own format", () => {
    const spoken = fromAnthropic([{ role: "assistant", content: [search, results, { type: "text", text: "Found" }] }]);
    expect(toOpenAI(spoken)).toEqual([{ role: "assistant", content: "Found" }]);
    expect(toGemini(spoken).contents[0]?.parts).toEqual([{ text: "Found" }]);
    expect(toAnthropic(messages).messages[1]?.content).toEqual([search, results]);
    const calling = fromAnthropic([{ role: "assistant", content: [search, ...asked.content] }]);
    expect(toOpenAI(calling)[0]).toMatchObject({ content: null });
  });
});

describe("a refusal", () => {
  test("is a paragraph of its own in Chat", () => {
    const message = (...content: object[]) => ({ type: "message", role: "assistant", content });
    const said = { type: "output_text", text: "hello" };
    const refused = { type: "refusal", refusal: "I cannot" };
    const written = (...content: object[]) => toOpenAI(fromOpenAIResponses([message(...content)]))[0]?.content;
    expect(written(said, refused)).toBe("hello\n\nI cannot");
    expect(written(refused, said)).toBe("I cannot\n\nhello");
    expect(written(said, said)).toBe("hellohello");
  });

  test("stays what it was in Chat's own list", () => {
    const wire = [
      {
        role: "assistant",
        content: [
          { type: "text", text: "hello" },
          { type: "refusal", refusal: "I cannot" },
        ],
      },
    ];
    expect(toOpenAI(fromOpenAI(wire))).toEqual(wire);
  });
});
