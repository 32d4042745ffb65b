import { describe, expect, test } from "vitest";
import { call, says, user } from "../../test/support/build.js";
import { isBlank } from "../message/content.js";
import { packMessage } from "../message/packed-message.js";
import { repair } from "../message/repair.js";
import type { Message } from "../message/types.js";
import { messageFromJSON, messageToJSON } from "../message/value-json.js";
import { toAISDK } from "./ai-sdk.js";
import { fromAnthropic, toAnthropic } from "./anthropic.js";
import { fromGemini, toGemini } from "./gemini.js";
import { fromOpenAI, toOpenAI } from "./openai-chat.js";
import { fromOpenAIResponses, toOpenAIResponses } from "./openai-responses.js";

describe("a user message that another format has no place for", () => {
  const upload = fromAnthropic([{ role: "user", content: [{ type: "container_upload", file_id: "f" }] }]);
  const video = fromGemini([{ role: "user", parts: [{ codeExecutionResult: { outcome: "OUTCOME_OK" } }] }]);
  const words = "[part: anthropic.container_upload]";

  test("is said in words", () => {
    expect(toOpenAI(upload)).toEqual([{ role: "user", content: [{ type: "text", text: words }] }]);
    expect(toOpenAIResponses(upload)).toEqual([{ role: "user", content: [{ type: "input_text", text: words }] }]);
    expect(toGemini(upload)).toEqual({ contents: [{ role: "user", parts: [{ text: words }] }] });
    expect(toAISDK(upload)).toEqual([{ role: "user", content: [{ type: "text", text: words }] }]);
    expect(toAnthropic(video)).toEqual({
      messages: [{ role: "user", content: [{ type: "text", text: "[part: gemini.part]" }] }],
    });
  });

  test("is left out beside words, and written as it is in its own format", () => {
    const both = fromAnthropic([
      {
        role: "user",
        content: [
          { type: "text", text: "See" },
          { type: "container_upload", file_id: "f" },
        ],
      },
    ]);
    expect(toOpenAI(both)).toEqual([{ role: "user", content: [{ type: "text", text: "See" }] }]);
    expect(toAnthropic(upload).messages).toEqual([
      { role: "user", content: [{ type: "container_upload", file_id: "f" }] },
    ]);
  });
});

describe("an assistant that spoke", () => {
  const wire = [
    { role: "user", content: "Sing" },
    { role: "assistant", content: null, audio: { id: "audio_1" } },
    { role: "user", content: "Again" },
  ];

  test("is not blank, packed, whole or read from JSON", () => {
    const spoken = fromOpenAI(wire)[1]!;
    const packed = packMessage(spoken, 1);
    expect([isBlank(spoken), packed.isBlank(), packed.whole().isBlank()]).toEqual([false, false, false]);
    expect(isBlank(messageFromJSON(messageToJSON(spoken)))).toBe(false);
    expect(toOpenAI(repair(fromOpenAI(wire)).messages)).toEqual(wire);
  });

  test("is left out where its voice has no place", () => {
    const messages = fromOpenAI(wire);
    expect(toOpenAIResponses(messages)).toEqual([wire[0], wire[2]]);
    expect(toAnthropic(messages).messages).toHaveLength(1);
    expect(toGemini(messages).contents).toHaveLength(1);
  });

  test("is blank where it did not", () => {
    const [silent] = fromOpenAI([{ role: "assistant", content: null, audio: null }]);
    expect([isBlank(silent!), packMessage(silent, 0).isBlank()]).toEqual([true, true]);
  });
});

describe("an answer to a request for approval", () => {
  const asked = (approved: boolean): Message[] => [
    user("go"),
    {
      role: "assistant",
      content: [call("a", {}), { type: "tool-approval-request", approvalId: "p", toolCallId: "a" }],
    },
    { role: "tool", content: [{ type: "tool-approval-response", approvalId: "p", approved, reason: "too dear" }] },
  ];

  test.each([
    ["approved", "[The call was approved and has not run yet.]"],
    ["denied", "too dear"],
  ])("is the result of an %s call for every provider", (what, words) => {
    for (const messages of [asked(what === "approved"), [...asked(what === "approved"), says("so")]]) {
      expect(toOpenAI(messages)[2]).toEqual({ role: "tool", tool_call_id: "a", content: words });
      expect(toOpenAIResponses(messages)[2]).toEqual({ type: "function_call_output", call_id: "a", output: words });
      expect(toAnthropic(messages).messages[2]?.content).toMatchObject([{ tool_use_id: "a", content: words }]);
      expect(toGemini(messages).contents[2]?.parts).toMatchObject([
        { functionResponse: { id: "a", response: { error: words } } },
      ]);
    }
  });

  test("is no result where there is one, and stays as it is for the AI SDK", () => {
    expect(toAISDK(asked(true))).toEqual(asked(true));
    const done: Message[] = [
      ...asked(true),
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "a", toolName: "read", output: { type: "text", value: "ok" } }],
      },
    ];
    expect(toOpenAI(done)).toHaveLength(3);
    expect(fromOpenAIResponses(toOpenAIResponses(done))).toHaveLength(3);
  });
});

describe("a tool's name that a provider refuses", () => {
  test("is written with the characters that it takes", () => {
    const odd: Message = { role: "assistant", content: [{ ...call("a"), toolName: "ns.tool name" }] };
    expect(toAnthropic([user("go"), odd]).messages[1]?.content).toMatchObject([{ name: "ns_tool_name" }]);
    expect(toGemini([user("go"), odd]).contents[1]?.parts).toMatchObject([{ functionCall: { name: "ns.tool_name" } }]);
  });

  const called = (...names: string[]): Message[] => [
    user("go"),
    { role: "assistant", content: names.map((toolName, at) => ({ ...call(`c${at}`), toolName })) },
    {
      role: "tool",
      content: names.map((toolName, at) => ({
        type: "tool-result",
        toolCallId: `c${at}`,
        toolName: at === 0 ? toolName : "",
        output: { type: "text", value: "ok" },
      })),
    },
  ];

  test("is numbered where another tool has the mended name, which stays as it is", () => {
    const long = "a".repeat(127);
    const written = (...names: string[]) => {
      const { content } = toAnthropic(called(...names)).messages[1]!;
      return typeof content === "string" ? [] : content.map((block) => "name" in block && block.name);
    };
    expect(written("fs/read", "fs_read", "fs.read", "fs/read")).toEqual([
      "fs_read_2",
      "fs_read",
      "fs_read_3",
      "fs_read_2",
    ]);
    expect(written(`${long}.`, `${long}/`)).toEqual([`${long}_`, `${long.slice(1)}_2`]);
    expect(written("")).toEqual(["_"]);
  });

  test("is the same in Gemini's call and response, be the result without one", () => {
    const [, calls, responses] = toGemini(called("fs/read", "fs_read", "", "t")).contents;
    const names = ["fs_read_2", "fs_read", "_", "t"];
    expect(calls?.parts).toMatchObject(names.map((name) => ({ functionCall: { name } })));
    expect(responses?.parts).toMatchObject(names.map((name) => ({ functionResponse: { name } })));
  });

  test("is mended in its own format too", () => {
    const messages = [
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "a.b", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "x" }] },
    ];
    expect(toAnthropic(fromAnthropic(messages)).messages[1]?.content).toMatchObject([{ name: "a_b" }]);
    const contents = [
      { role: "model", parts: [{ functionCall: { id: "a", name: "7/b", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { id: "a", name: "7/b", response: {} } }] },
    ];
    const [call, response] = toGemini(fromGemini(contents)).contents;
    expect(call?.parts).toMatchObject([{ functionCall: { name: "_7_b" } }]);
    expect(response?.parts).toMatchObject([{ functionResponse: { name: "_7_b" } }]);
  });
});
