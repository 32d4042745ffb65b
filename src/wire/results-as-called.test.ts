import { describe, expect, test } from "vitest";
import { call, calls, user } from "../../test/support/build.js";
import { repair } from "../message/repair.js";
import type { Message } from "../message/types.js";
import { fromGemini, toGemini } from "./gemini.js";
import { fromOpenAI, toOpenAI } from "./openai-chat.js";
import { fromOpenAIResponses, toOpenAIResponses } from "./openai-responses.js";

const LOST = "[No result was recorded for this call.]";
const idOf = (messages: readonly Message[]): string =>
  messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.flatMap((part) => (part.type === "tool-call" ? part.toolCallId : [])),
  )[0]!;
const answer = (toolCallId: string, toolName: string): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value: "ok" } }],
});
/** The conversation with a result as an agent appends it, in the canonical form. */
const answered = (messages: Message[], toolName = "f"): Message[] => [...messages, answer(idOf(messages), toolName)];
const closed = (messages: Message[]): Message[] => repair([...messages, user("on")]).messages;

describe("the result of a custom call in Responses", () => {
  const items = [
    { role: "user", content: "x" },
    { type: "custom_tool_call", id: "ctc", call_id: "c1", name: "f", input: "free" },
  ];

  test("is a custom output where varve closed the call, and where the agent gave it", () => {
    const messages = fromOpenAIResponses(items);
    const output = { type: "custom_tool_call_output", call_id: "c1" };
    expect(toOpenAIResponses(closed(messages))[2]).toEqual({ ...output, output: LOST });
    expect(toOpenAIResponses(answered(messages))[2]).toEqual({ ...output, output: "ok" });
  });

  test("is one under the number that its call got, and the call before it keeps a function's", () => {
    const messages: Message[] = [
      user("x"),
      calls("c1"),
      answer("c1", "read"),
      ...fromOpenAIResponses([items[1]]),
      answer("c1", "f"),
    ];
    expect(
      toOpenAIResponses(messages).flatMap((item) => ("call_id" in item ? [[item.type, item.call_id]] : [])),
    ).toEqual([
      ["function_call", "c1"],
      ["function_call_output", "c1"],
      ["custom_tool_call", "c1_2"],
      ["custom_tool_call_output", "c1_2"],
    ]);
  });
});

describe("the result of a call without an id", () => {
  const asks = { role: "user", content: "x" };
  const legacy = { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } };
  const ollama = { role: "assistant", content: "", tool_calls: [{ function: { name: "f", arguments: { a: 1 } } }] };

  test("is a function's for the older function_call", () => {
    const messages = fromOpenAI([asks, legacy]);
    expect(toOpenAI(closed(messages)).slice(1, 3)).toEqual([legacy, { role: "function", name: "f", content: LOST }]);
    expect(toOpenAI(answered(messages))[2]).toEqual({ role: "function", name: "f", content: "ok" });
  });

  test("names the tool where the call has no id at all", () => {
    const messages = fromOpenAI([asks, ollama]);
    expect(toOpenAI(closed(messages)).slice(1, 3)).toEqual([ollama, { role: "tool", tool_name: "f", content: LOST }]);
    expect(toOpenAI(answered(messages))[2]).toEqual({ role: "tool", tool_name: "f", content: "ok" });
  });

  test("has its id again where a later call of that id is sent with it", () => {
    const messages = fromOpenAI([asks, ollama]);
    const id = idOf(messages);
    const later: Message[] = [...answered(messages), user("y"), calls(id), answer(id, "read")];
    expect(toOpenAI(later)[5]).toEqual({ role: "tool", tool_call_id: id, content: "ok" });
  });

  test("has none in Gemini", () => {
    const contents = [
      { role: "user", parts: [{ text: "x" }] },
      { role: "model", parts: [{ functionCall: { name: "f", args: {} } }] },
    ];
    const messages = fromGemini(contents);
    expect(toGemini(closed(messages)).contents[2]?.parts[0]).toEqual({
      functionResponse: { name: "f", response: { error: LOST } },
    });
    expect(toGemini(answered(messages)).contents[2]?.parts).toEqual([
      { functionResponse: { name: "f", response: { output: "ok" } } },
    ]);
  });
});

describe("the name in a response of Gemini", () => {
  test("is that of its call, whatever the result says", () => {
    const messages: Message[] = [user("x"), calls("a"), answer("a", "something else")];
    expect(toGemini(messages).contents[2]?.parts).toMatchObject([{ functionResponse: { id: "a", name: "read" } }]);
  });

  test("is as it came where it came from Gemini", () => {
    const contents = [
      { role: "model", parts: [{ functionCall: { id: "a", name: "f", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { id: "a", name: "g", response: {} } }] },
    ];
    expect(toGemini(fromGemini(contents))).toEqual({ contents });
  });

  test("has 64 characters at most, as the name of the call has", () => {
    const toolName = "n".repeat(140);
    const long: Message = { role: "assistant", content: [{ ...call("a"), toolName }] };
    const [, asked, told] = toGemini([user("x"), long, answer("a", toolName)]).contents;
    expect(asked?.parts).toMatchObject([{ functionCall: { name: "n".repeat(64) } }]);
    expect(told?.parts).toMatchObject([{ functionResponse: { name: "n".repeat(64) } }]);
  });
});
