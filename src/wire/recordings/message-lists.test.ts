import { describe, expect, test } from "vitest";
import { readRecording } from "./read-recording.js";
import type { RecordingFormat } from "./recording.js";
import { kinds, lines, SAMPLES, single } from "./samples.test-helpers.js";

const chat = [
  { role: "user", content: "Run ls" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "f1", type: "function", function: { name: "bash", arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: "f1", content: "a.ts" },
];
const roles = ["user", "assistant", "tool"];

describe("lists of messages", () => {
  test.each([
    ["a list", JSON.stringify(chat)],
    ["a list over many lines", JSON.stringify(chat, null, 2)],
    ["an object with a list", JSON.stringify({ messages: chat })],
    ["one message a line", lines(...chat)],
    ["one object a line", lines({ messages: chat })],
    [
      "a request of a batch",
      lines({ custom_id: "b1", method: "POST", url: "/v1/chat/completions", body: { messages: chat } }),
    ],
  ])("are read from %s", (_, text) => {
    expect(readRecording(text).format).toBe("openai");
    expect(single(text).messages.map(({ role }) => role)).toEqual(roles);
    expect(single(text).messages[2]).toMatchObject({ content: [{ toolName: "bash" }] });
  });

  test.each([
    ["objects, one a line", lines({ id: "a", messages: chat }, { id: "b", messages: chat })],
    ["a list of objects", JSON.stringify([{ messages: chat }, { messages: chat }])],
    ["lists, one a line", lines(chat, chat)],
    ["a list of lists", JSON.stringify([chat, chat])],
  ])("are conversations of their own in %s", (_, text) => {
    expect(readRecording(text).conversations).toMatchObject([{ messages: [{}, {}, {}] }, { messages: [{}, {}, {}] }]);
  });

  test("come with what stands beside them", () => {
    const tools = [{ type: "function", function: { name: "bash", parameters: {} } }];
    const text = JSON.stringify({
      id: "a",
      title: "T",
      model: "gpt-5",
      tools,
      messages: [{ role: "system", content: "S" }, ...chat],
    });
    expect(single(text)).toMatchObject({ id: "a", title: "T", model: "gpt-5", tools, system: "S" });
    expect(single(text).messages).toHaveLength(3);
  });

  test.each([
    ["anthropic", "Be brief."],
    ["gemini", "Be brief."],
    ["openai", "Be brief."],
  ] as const)("of %s have the system prompt apart", (format, system) => {
    expect(single(SAMPLES[format])).toMatchObject({ system, messages: [{ role: "user" }, { role: "assistant" }] });
  });

  const told: [RecordingFormat, object][] = [
    ["anthropic", { role: "assistant", content: [{ type: "tool_use", id: "1", name: "a", input: {} }] }],
    [
      "anthropic",
      { role: "user", content: [{ type: "image", source: { type: "url", url: "https://a.example/b.png" } }] },
    ],
    ["ai-sdk", { role: "user", content: [{ type: "image", image: "AAAA" }] }],
    ["openai", { role: "user", content: [{ type: "image_url", image_url: { url: "https://a.example/b.png" } }] }],
    ["openai-responses", { type: "function_call", call_id: "1", name: "a", arguments: "{}" }],
    ["openai-responses", { role: "user", content: [{ type: "input_text", text: "Hi" }] }],
    ["gemini", { role: "model", parts: [{ text: "Hi" }] }],
    ["ai-sdk-ui", { role: "assistant", content: "", toolInvocations: [] }],
  ];
  test.each(told)("are of %s where %j is among them", (format, message) => {
    const plain = { role: "user", content: "Hello" };
    expect(readRecording(JSON.stringify([plain, message])).format).toBe(format);
    expect(readRecording(lines(plain, plain, message)).format).toBe(format);
  });

  test("of a Responses request and its answer are one conversation", () => {
    const text = JSON.stringify({
      ...{ object: "response", model: "gpt-5", instructions: "S", input: "Hello" },
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi." }] }],
    });
    expect(readRecording(text).format).toBe("openai-responses");
    expect(single(text)).toMatchObject({
      system: "S",
      model: "gpt-5",
      messages: [{ role: "user", content: "Hello" }, { role: "assistant" }],
    });
  });

  test("lose only the messages that their format does not allow", () => {
    const text = JSON.stringify([...chat, { role: "user", content: 5 }, { role: "user", content: "On" }]);
    expect(single(text).messages).toHaveLength(4);
    expect(readRecording(text).warnings).toMatchObject([{ kind: "unreadable", count: 1 }]);
  });

  test("skip and count lines that are none", () => {
    expect(kinds(lines(...chat, { event: "saved" }))).toEqual(["unknown-kind"]);
  });
});
