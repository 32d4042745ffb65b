import { describe, expect, test } from "vitest";
import { VarveError } from "../errors.js";
import { fromAISDK, toAISDK } from "./ai-sdk.js";
import { toAnthropic } from "./anthropic.js";
import { toGemini } from "./gemini.js";
import { toOpenAI } from "./openai-chat.js";
import { toOpenAIResponses } from "./openai-responses.js";

const ENCODERS = { toOpenAI, toOpenAIResponses, toAnthropic, toGemini, toAISDK };

describe.each(Object.entries(ENCODERS))("%s", (_name, encode) => {
  test.each<{ given: unknown }>([
    { given: null },
    { given: [null] },
    { given: [{ role: "user" }] },
    { given: [{ role: "wizard", content: "x" }] },
    { given: [{ role: "assistant", content: null, tool_calls: [] }] },
    { given: [{ role: "tool", tool_call_id: "a", content: "x" }] },
    { given: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "x" }] }] },
    { given: [{ role: "user", content: [{ type: "image", image: "AAAA", mediaType: 5 }] }] },
  ])("refuses what is no message, with a hint: $given", ({ given }) => {
    const error = thrownBy(() => encode(given as never));
    expect(error).toMatchObject({ code: "invalid-message", hint: expect.stringContaining("fromOpenAI") });
  });

  test("writes media without a name or a type, and a denial without a reason", () => {
    const given = [
      {
        role: "user",
        content: [
          { type: "image", image: "AAAA", mediaType: null },
          { type: "file", data: "AAAA", mediaType: "application/pdf", filename: null },
        ],
      },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "a", toolName: "f", input: {} }] },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "a", toolName: "f", output: { type: "execution-denied", reason: null } },
        ],
      },
    ];
    expect(() => encode(given as never)).not.toThrow();
  });
});

describe("fromAISDK", () => {
  test("refuses a media type that is no text", () => {
    const image = { type: "image", image: "AAAA", mediaType: 5 };
    expect(() => fromAISDK([{ role: "user", content: [image] }])).toThrow(VarveError);
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
