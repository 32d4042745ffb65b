import { describe, expect, test } from "vitest";
import { call, user } from "../../test/support/build.js";
import type { Message } from "../message/types.js";
import { toAISDK } from "./ai-sdk.js";
import { fromAnthropic, toAnthropic } from "./anthropic.js";
import { toGemini } from "./gemini.js";
import { fromOpenAI, toOpenAI } from "./openai-chat.js";
import { toOpenAIResponses } from "./openai-responses.js";

const BROKEN = "a\ud800b";
const ENCODERS = { toOpenAI, toOpenAIResponses, toAnthropic, toGemini, toAISDK };
const encoders = Object.entries(ENCODERS);

const everywhere: Message[] = [
  { role: "system", content: BROKEN },
  user(BROKEN),
  { role: "user", content: [{ type: "text", text: BROKEN }] },
  {
    role: "assistant",
    content: [
      { type: "text", text: BROKEN },
      { ...call(BROKEN), toolName: BROKEN, input: { [BROKEN]: [BROKEN, { deep: BROKEN }] } },
      { ...call("raw"), input: undefined, rawInput: `{"a":"${BROKEN}"}` },
    ],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: BROKEN, toolName: BROKEN, output: { type: "text", value: BROKEN } },
      {
        type: "tool-result",
        toolCallId: "raw",
        toolName: "read",
        output: { type: "content", value: [{ type: "text", text: BROKEN }] },
      },
    ],
  },
  { role: "assistant", content: BROKEN },
];

/** Every text and every name of a field in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [name, ...textsIn(field)]);
}

describe("half of a surrogate pair", () => {
  test.each(encoders)("is sent as U+FFFD wherever it stands: %s", (_name, encode) => {
    const texts = textsIn(encode(everywhere));
    expect(texts.filter((text) => !text.isWellFormed())).toEqual([]);
    expect(texts.filter((text) => text.includes("a\ufffdb")).length).toBeGreaterThan(6);
    expect(everywhere[1]?.content).toBe(BROKEN);
  });

  test("is mended in what a wire format alone holds", () => {
    const chat = fromOpenAI([{ role: "user", content: [{ type: "hologram", of: BROKEN }], name: BROKEN }]);
    expect(toOpenAI(chat)).toEqual([
      { role: "user", content: [{ type: "hologram", of: "a\ufffdb" }], name: "a\ufffdb" },
    ]);
    const prompt = { system: [{ type: "text", text: BROKEN, citations: [BROKEN] }], messages: [] };
    expect(toAnthropic(fromAnthropic(prompt)).system).toEqual([
      { type: "text", text: "a\ufffdb", citations: ["a\ufffdb"] },
    ]);
  });

  test.each(encoders)("is left alone as one of a whole pair, and in bytes and links: %s", (_name, encode) => {
    const messages: Message[] = [
      { role: "user", content: [{ type: "text", text: "\u{1F600}" }] },
      {
        role: "user",
        content: [
          { type: "image", image: new Uint8Array([1, 2, 3]), mediaType: "image/png" },
          { type: "image", image: new URL("https://a.example/b.png") },
        ],
      },
    ];
    expect(JSON.stringify(encode(messages))).toContain("\u{1F600}");
    const sent = toAISDK(messages)[1]?.content;
    expect(sent).toEqual(messages[1]?.content);
  });
});
