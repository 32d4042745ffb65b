import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../test/support/runs.js";
import type { Message } from "../message/types.js";
import { fromAISDK, toAISDK } from "./ai-sdk.js";
import { fromAnthropic, toAnthropic } from "./anthropic.js";
import { anthropicPrompt } from "./anthropic.test-helpers.js";
import { fromGemini, toGemini } from "./gemini.js";
import { geminiPrompt } from "./gemini.test-helpers.js";
import { fromOpenAI, toOpenAI } from "./openai-chat.js";
import { openAIMessages } from "./openai-chat.test-helpers.js";
import { fromOpenAIResponses, toOpenAIResponses } from "./openai-responses.js";
import { responsesItems } from "./openai-responses.test-helpers.js";

interface Format {
  name: string;
  decode(wire: unknown): Message[];
  encode(messages: readonly Message[]): unknown;
  arbitrary?: fc.Arbitrary<unknown>;
}
const FORMATS: Format[] = [
  { name: "OpenAI chat", decode: fromOpenAI, encode: toOpenAI, arbitrary: openAIMessages },
  { name: "OpenAI Responses", decode: fromOpenAIResponses, encode: toOpenAIResponses, arbitrary: responsesItems },
  { name: "Anthropic", decode: fromAnthropic, encode: toAnthropic, arbitrary: anthropicPrompt },
  { name: "Gemini", decode: fromGemini, encode: toGemini, arbitrary: geminiPrompt },
  { name: "AI SDK", decode: fromAISDK, encode: toAISDK },
];
const PAIRS = FORMATS.flatMap((from) =>
  FORMATS.filter((to) => from.arbitrary && from !== to).map((to) => ({ from, to })),
);

const partsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => (typeof message.content === "string" ? [] : [...message.content]));
const calls = (messages: readonly Message[]) =>
  partsOf(messages).flatMap((part) => (part.type === "tool-call" ? [part.toolName] : []));
const results = (messages: readonly Message[]) =>
  partsOf(messages).filter((part) => part.type === "tool-result").length;
const texts = (messages: readonly Message[]) =>
  messages.flatMap((message) => {
    if (typeof message.content === "string") return [message.content];
    return message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  });

describe.each(PAIRS)("from $from.name to $to.name", ({ from, to }) => {
  test("keeps every call, every result and every text that is not blank", () => {
    fc.assert(
      fc.property(from.arbitrary!, (wire) => {
        const before = from.decode(wire);
        const after = to.decode(to.encode(before));
        expect(calls(after)).toEqual(calls(before));
        expect(results(after)).toBe(results(before));
        const said = texts(after).join("\n");
        for (const text of texts(before)) if (text.trim() !== "") expect(said).toContain(text.trimEnd());
      }),
      { numRuns: runs(60) },
    );
  });
});

describe.each(PAIRS.filter(({ to }) => to.arbitrary))("from $from.name to $to.name", ({ from, to }) => {
  test("lets no reasoning of one provider reach another", () => {
    fc.assert(
      fc.property(from.arbitrary!, (wire) => {
        const after = to.decode(to.encode(from.decode(wire)));
        expect(partsOf(after).filter((part) => part.type === "reasoning")).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });
});

describe("images and files", () => {
  const chat = [
    {
      role: "user",
      content: [
        { type: "image_url", image_url: { url: "data:image/jpeg;base64,AAAA" } },
        { type: "image_url", image_url: { url: "https://a.example/b.png" } },
        { type: "file", file: { file_data: "data:application/pdf;base64,BBBB", filename: "c.pdf" } },
      ],
    },
  ];
  const anthropic = [
    { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "AAAA" } },
    { type: "image", source: { type: "url", url: "https://a.example/b.png" } },
    { type: "document", source: { type: "base64", media_type: "application/pdf", data: "BBBB" }, title: "c.pdf" },
  ];

  test("go from OpenAI chat to Anthropic and back", () => {
    expect(toAnthropic(fromOpenAI(chat)).messages[0]?.content).toEqual(anthropic);
    expect(toOpenAI(fromAnthropic([{ role: "user", content: anthropic }]))).toEqual(chat);
  });

  test("go from Anthropic to Gemini", () => {
    expect(toGemini(fromAnthropic([{ role: "user", content: anthropic }])).contents[0]?.parts).toEqual([
      { inlineData: { mimeType: "image/jpeg", data: "AAAA" } },
      { fileData: { mimeType: "image/png", fileUri: "https://a.example/b.png" } },
      { inlineData: { mimeType: "application/pdf", data: "BBBB" } },
    ]);
  });

  test("go from Gemini to OpenAI Responses", () => {
    const parts = [
      { inlineData: { mimeType: "image/jpeg", data: "AAAA" } },
      { fileData: { mimeType: "application/pdf", fileUri: "https://a.example/c.pdf" } },
    ];
    expect(toOpenAIResponses(fromGemini([{ role: "user", parts }]))).toEqual([
      {
        role: "user",
        content: [
          { type: "input_image", image_url: "data:image/jpeg;base64,AAAA" },
          { type: "input_file", file_url: "https://a.example/c.pdf" },
        ],
      },
    ]);
  });

  test("as bytes and URL objects of the AI SDK reach every format", () => {
    const messages: Message[] = [
      {
        role: "user",
        content: [
          { type: "image", image: new Uint8Array([104, 105]), mediaType: "image/png" },
          {
            type: "file",
            data: { type: "url", url: new URL("https://a.example/c.pdf") },
            mediaType: "application/pdf",
          },
          { type: "file", data: btoa("plain"), mediaType: "text/plain" },
          { type: "image", image: "data:image/webp;base64,CCCC" },
        ],
      },
    ];
    const data = btoa("hi");
    expect(toAnthropic(messages).messages[0]?.content).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/png", data } },
      { type: "document", source: { type: "url", url: "https://a.example/c.pdf" } },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "plain" } },
      { type: "image", source: { type: "base64", media_type: "image/webp", data: "CCCC" } },
    ]);
    expect(toOpenAI(messages)[0]?.content).toMatchObject([
      { image_url: { url: `data:image/png;base64,${data}` } },
      { type: "text", text: "[file: https://a.example/c.pdf]" },
      { file: { file_data: `data:text/plain;base64,${btoa("plain")}` } },
      { image_url: { url: "data:image/webp;base64,CCCC" } },
    ]);
  });
});
