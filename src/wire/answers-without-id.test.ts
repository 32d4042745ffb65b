import { describe, expect, test } from "vitest";
import { repair } from "../message/repair.js";
import type { Message } from "../message/types.js";
import { fromAnthropic, toAnthropic } from "./anthropic.js";
import { fromGemini, toGemini } from "./gemini.js";
import { fromOpenAI, toOpenAI } from "./openai-chat.js";
import { fromOpenAIResponses, toOpenAIResponses } from "./openai-responses.js";

/** Which call each result answers. */
const answered = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    message.role === "tool"
      ? message.content.map((part) => (part.type === "tool-result" ? part.toolCallId : undefined))
      : [],
  );
const chatCall = (id: string | undefined, name: string) => ({
  ...(id !== undefined && { id }),
  type: "function",
  function: { name, arguments: "{}" },
});

describe("a result without an id", () => {
  test("answers the first open call of its name, be it one with an id", () => {
    const contents = [
      {
        role: "model",
        parts: ["f", "g", "f"].map((name, at) => ({ functionCall: { id: `c${at}`, name, args: {} } })),
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "c0", name: "f", response: {} } },
          { functionResponse: { name: "f", response: {} } },
          { functionResponse: { name: "g", response: {} } },
        ],
      },
    ];
    expect(answered(fromGemini(contents))).toEqual(["c0", "c2", "c1"]);
    expect(toGemini(fromGemini(contents))).toEqual({ contents });
  });

  test("answers in Chat by its name or by Ollama's", () => {
    for (const field of ["name", "tool_name"]) {
      const wire = [
        { role: "assistant", content: null, tool_calls: [chatCall("a", "f"), chatCall(undefined, "g")] },
        { role: "tool", [field]: "g", content: "of g" },
        { role: "tool", [field]: "f", content: "of f" },
      ];
      expect(answered(fromOpenAI(wire))).toEqual(["call_0_1", "a"]);
      expect(toOpenAI(fromOpenAI(wire))).toEqual(wire);
    }
  });

  test("answers the first open call where it has no name, and none where nobody called its name", () => {
    const call = { role: "assistant", content: null, tool_calls: [chatCall("a", "f"), chatCall("b", "g")] };
    expect(answered(fromOpenAI([call, { role: "tool", content: "x" }, { role: "tool", content: "y" }]))).toEqual([
      "a",
      "b",
    ]);
    expect(answered(fromOpenAI([call, { role: "tool", name: "h", content: "x" }]))).toEqual([""]);
    const responses = ["zz", "f", "g"].map((name) => ({ functionResponse: { name, response: {} } }));
    const contents = [
      { role: "model", parts: ["f", "g"].map((name) => ({ functionCall: { name, args: {} } })) },
      { role: "user", parts: responses },
    ];
    expect(answered(fromGemini(contents))).toEqual(["", "call_0_0", "call_0_1"]);
  });

  test("takes no other call when the one of its name is answered", () => {
    const wire = [
      { role: "assistant", content: null, tool_calls: [chatCall("a", "f"), chatCall("b", "g")] },
      { role: "tool", tool_call_id: "b", content: "of g" },
      { role: "tool", name: "g", content: "of g again" },
    ];
    expect(answered(fromOpenAI(wire))).toEqual(["b", ""]);
  });

  test("answers the only open call where nobody called its name, or those of that name elsewhere", () => {
    const contents = (called: string[], returned: string[]) => [
      { role: "model", parts: called.map((name) => ({ functionCall: { name, args: {} } })) },
      { role: "user", parts: returned.map((name) => ({ functionResponse: { name, response: {} } })) },
    ];
    const answers = (called: string[], returned: string[]) => {
      const wire = contents(called, returned);
      const messages = fromGemini(wire);
      expect(toGemini(messages)).toEqual({ contents: wire });
      return answered(messages);
    };
    expect(answers(["f"], ["other"])).toEqual(["call_0_0"]);
    expect(answers(["f", "g"], ["f", "other"])).toEqual(["call_0_0", "call_0_1"]);
    expect(answers(["f", "g"], ["f", "f"])).toEqual(["call_0_0", ""]);
    expect(answers(["api.f", "api.g"], ["g", "f"])).toEqual(["call_0_1", "call_0_0"]);
    expect(answers(["f", "g"], ["api:g", "api:g"])).toEqual(["call_0_1", ""]);
  });

  test("leaves a call alone that is answered by its id in between", () => {
    const wire = [
      { role: "assistant", content: null, tool_calls: ["a", "b", "c"].map((id) => chatCall(id, "f")) },
      { role: "tool", name: "f", content: "1" },
      { role: "tool", tool_call_id: "b", content: "2" },
      { role: "tool", name: "f", content: "3" },
    ];
    expect(answered(fromOpenAI(wire))).toEqual(["a", "b", "c"]);
  });

  test("waits across words of the assistant, and forgets older calls with the next turn", () => {
    const words = { role: "assistant", content: [{ type: "text", text: "wait" }] };
    const first = { role: "assistant", content: null, tool_calls: [chatCall("a", "f")] };
    const second = { role: "assistant", content: null, tool_calls: [chatCall("b", "f")] };
    const result = { role: "tool", name: "f", content: "x" };
    expect(answered(fromOpenAI([first, words, result]))).toEqual(["a"]);
    expect(answered(fromOpenAI([first, second, result, result]))).toEqual(["a", "b"]);
    expect(answered(fromOpenAI([first, { role: "user", content: "hurry" }, result]))).toEqual(["a"]);
    const turn = [first, { role: "user", content: "again" }, second, result, result];
    expect(answered(fromOpenAI(turn))).toEqual(["b", ""]);
  });

  test("answers a call of any message that waits, and of the latest round first", () => {
    const called = (name: string) => ({ role: "model", parts: [{ functionCall: { name, args: {} } }] });
    const returned = (...names: string[]) => ({
      role: "user",
      parts: names.map((name) => ({ functionResponse: { name, response: {} } })),
    });
    const both = [called("a"), called("b"), returned("a", "b")];
    expect(answered(fromGemini(both))).toEqual(["call_0_0", "call_1_0"]);
    expect(answered(repair(fromGemini(both)).messages)).toEqual(["call_0_0", "call_1_0"]);
    const rounds = [called("a"), called("b"), returned("b"), called("a"), returned("a", "a")];
    expect(answered(fromGemini(rounds))).toEqual(["call_1_0", "call_3_0", "call_0_0"]);
  });

  test("takes no call that a later result names by its id", () => {
    for (const named of [{}, { name: "f" }]) {
      const wire = [
        { role: "assistant", content: null, tool_calls: [chatCall("a", "f"), chatCall("b", "f")] },
        { role: "tool", ...named, content: "1" },
        { role: "tool", tool_call_id: "a", content: "2" },
      ];
      expect(answered(fromOpenAI(wire))).toEqual(["b", "a"]);
    }
    const use = (id: string) => ({ type: "tool_use", id, name: "f", input: {} });
    const results = [
      { type: "tool_result", content: "1" },
      { type: "tool_result", tool_use_id: "a", content: "2" },
    ];
    const blocks = [
      { role: "assistant", content: [use("a"), use("b")] },
      { role: "user", content: results },
    ];
    expect(answered(fromAnthropic(blocks))).toEqual(["b", "a"]);
    const items = [
      ...["a", "b"].map((id) => ({ type: "function_call", call_id: id, name: "f", arguments: "{}" })),
      { type: "function_call_output", output: "1" },
      { type: "function_call_output", call_id: "a", output: "2" },
    ];
    expect(answered(fromOpenAIResponses(items))).toEqual(["b", "a"]);
    for (const field of ["functionResponse", "function_response"]) {
      const contents = [
        { role: "model", parts: ["a", "b"].map((id) => ({ functionCall: { id, name: "f", args: {} } })) },
        { role: "user", parts: [{ [field]: { name: "f" } }, { [field]: { id: "a", name: "f" } }] },
      ];
      expect(answered(fromGemini(contents))).toEqual(["b", "a"]);
    }
  });

  test("answers in Anthropic and Responses too, and goes back without one", () => {
    const messages = [
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", content: "x" }] },
    ];
    expect(answered(fromAnthropic(messages))).toEqual(["a"]);
    expect(toAnthropic(fromAnthropic(messages))).toEqual({ messages });
    const items = [
      { type: "function_call", call_id: "a", name: "f", arguments: "{}" },
      { type: "function_call_output", output: "x" },
    ];
    expect(answered(fromOpenAIResponses(items))).toEqual(["a"]);
    expect(toOpenAIResponses(fromOpenAIResponses(items))).toEqual(items);
  });
});
