import { describe, expect, test } from "vitest";
import { calls, user } from "../../test/support/build.js";
import type { FilePart, ImagePart, Message, UserPart } from "../message/types.js";
import { toAISDK } from "./ai-sdk.js";
import { fromAnthropic, toAnthropic } from "./anthropic.js";
import { fromGemini, toGemini } from "./gemini.js";
import { fromOpenAI, toOpenAI } from "./openai-chat.js";
import { fromOpenAIResponses, toOpenAIResponses } from "./openai-responses.js";
import type { ResponsesMessage } from "./openai-responses-types.js";

const shown = (...content: UserPart[]): Message[] => [{ role: "user", content }];
const file = (data: string, mediaType: string, filename?: string): FilePart => ({
  type: "file",
  data,
  mediaType,
  ...(filename && { filename }),
});
const picture = (mediaType: string): ImagePart => ({ type: "image", image: "AAAA", mediaType });

const inAnthropic = (...parts: UserPart[]) => toAnthropic(shown(...parts)).messages[0]?.content;
const inChat = (...parts: UserPart[]) => toOpenAI(shown(...parts))[0]?.content;
const inResponses = (...parts: UserPart[]) => (toOpenAIResponses(shown(...parts))[0] as ResponsesMessage).content;

describe("media that a provider refuses is said in words", () => {
  test("a link that it cannot follow", () => {
    const video = file("gs://b/v.mp4", "video/mp4");
    const text = "[file: gs://b/v.mp4]";
    expect(inAnthropic(video)).toEqual([{ type: "text", text }]);
    expect(inChat(video)).toEqual([{ type: "text", text }]);
    expect(inResponses(video)).toEqual([{ type: "input_text", text }]);
    const image: ImagePart = { type: "image", image: "gs://b/i.png" };
    expect(inAnthropic(image)).toEqual([{ type: "text", text: "[file: gs://b/i.png]" }]);
    expect(inChat(image)).toEqual([{ type: "text", text: "[file: gs://b/i.png]" }]);
    expect(inResponses(image)).toEqual([{ type: "input_text", text: "[file: gs://b/i.png]" }]);
  });

  test("a link to what is no PDF, for Anthropic", () => {
    const words = (url: string, mediaType: string, name?: string) => inAnthropic(file(url, mediaType, name));
    const document = (url: string) => [{ type: "document", source: { type: "url", url } }];
    expect(words("https://a.example/v.mp4", "application/octet-stream", "v")).toEqual([
      { type: "text", text: "[v: https://a.example/v.mp4]" },
    ]);
    expect(words("https://a.example/x", "text/html")).toEqual([{ type: "text", text: "[file: https://a.example/x]" }]);
    expect(words("https://a.example/x", "application/octet-stream")).toEqual(document("https://a.example/x"));
    expect(words("https://a.example/x", "application/pdf")).toEqual(document("https://a.example/x"));
  });

  test("audio that is neither wav nor mp3, and all audio for Responses", () => {
    expect(inChat(file("AAAA", "audio/ogg"))).toEqual([{ type: "text", text: "[file: audio/ogg]" }]);
    expect(inChat(file("AAAA", "audio/x-wav"), file("AAAA", "audio/mp3"))).toEqual([
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      { type: "input_audio", input_audio: { data: "AAAA", format: "mp3" } },
    ]);
    expect(inChat(file("AAAA", "video/mp4", "v.mp4"))).toEqual([{ type: "text", text: "[file: v.mp4]" }]);
    expect(inResponses(file("AAAA", "audio/wav"))).toEqual([{ type: "input_text", text: "[file: audio/wav]" }]);
  });

  test.each(["image/heic", "image/svg+xml"])("an image of type %s", (type) => {
    const text = `[file: ${type}]`;
    expect(inAnthropic(picture(type))).toEqual([{ type: "text", text }]);
    expect(inChat(picture(type))).toEqual([{ type: "text", text }]);
    expect(inResponses(picture(type))).toEqual([{ type: "input_text", text }]);
  });

  test.each(["image/gif", "image/svg+xml", "image/tiff"])("an image of type %s for Gemini", (type) => {
    expect(toGemini(shown(picture(type))).contents[0]?.parts).toEqual([{ text: `[file: ${type}]` }]);
  });

  test("but Gemini takes an image of type image/heic, and one whose type is spelled image/jpg", () => {
    expect(toGemini(shown(picture("image/heic"), picture("image/jpg"))).contents[0]?.parts).toEqual([
      { inlineData: { mimeType: "image/heic", data: "AAAA" } },
      { inlineData: { mimeType: "image/jpeg", data: "AAAA" } },
    ]);
  });

  test("an image without a byte", () => {
    const nothing = { type: "image" as const, image: "", mediaType: "image/png" };
    const text = "[file: image/png]";
    expect(inAnthropic(nothing)).toEqual([{ type: "text", text }]);
    expect(inChat(nothing)).toEqual([{ type: "text", text }]);
    expect(inResponses(nothing)).toEqual([{ type: "input_text", text }]);
    expect(toGemini(shown(nothing)).contents[0]?.parts).toEqual([{ text }]);
  });

  test("but the usual types go as they are, be they spelled unusually", () => {
    expect(inAnthropic(picture("image/jpg"), picture("IMAGE/PNG"))).toMatchObject([
      { source: { media_type: "image/jpeg" } },
      { source: { media_type: "image/png" } },
    ]);
  });

  test("a file that another provider keeps, for Gemini as for the others", () => {
    const kept = fromAnthropic([
      {
        role: "user",
        content: [
          { type: "text", text: "See" },
          { type: "document", source: { type: "file", file_id: "f" }, title: "a.pdf" },
          { type: "image", source: { type: "file", file_id: "g" } },
        ],
      },
    ]);
    expect(toGemini(kept).contents[0]?.parts).toEqual([
      { text: "See" },
      { text: "[file: a.pdf]" },
      { text: "[file: image/*]" },
    ]);
  });
});

describe("a file that the output of a tool names by its id", () => {
  const named = (fileId: unknown): Message[] => [
    user("look"),
    calls("a"),
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "a",
          toolName: "read",
          output: { type: "content", value: [{ type: "file-id", fileId }] },
        },
      ],
    },
  ];

  test("is sent to the provider that keeps it, and said to others", () => {
    const document = [{ content: [{ type: "document", source: { type: "file", file_id: "f" } }] }];
    const words = [{ content: [{ type: "text", text: "[file: application/octet-stream]" }] }];
    expect(toAnthropic(named({ anthropic: "f" })).messages[2]?.content).toMatchObject(document);
    expect(toAnthropic(named({ openai: "f" })).messages[2]?.content).toMatchObject(words);
    expect(toAnthropic(named("f")).messages[2]?.content).toMatchObject(words);
  });
});

describe("media that came in a format goes back as it came", () => {
  test("be it one that the provider itself refuses", () => {
    const chat = [
      {
        role: "user",
        content: [
          { type: "input_audio", input_audio: { data: "AAAA", format: "ogg" } },
          { type: "image_url", image_url: { url: "data:image/heic;base64,AAAA" } },
          { type: "image_url", image_url: { url: "gs://b/i.png", detail: "low" } },
        ],
      },
    ];
    expect(toOpenAI(fromOpenAI(chat))).toEqual(chat);
    expect(toGemini(fromOpenAI(chat)).contents[0]?.parts).toMatchObject([
      { inlineData: { mimeType: "audio/ogg" } },
      { inlineData: { mimeType: "image/heic" } },
      { fileData: { fileUri: "gs://b/i.png" } },
    ]);
    const items = [
      {
        role: "user",
        content: [
          { type: "input_file", file_url: "gs://b/v.mp4" },
          { type: "input_file", file_data: "data:audio/wav;base64,AAAA" },
          { type: "input_image", image_url: "data:image/heic;base64,AAAA" },
        ],
      },
    ];
    expect(toOpenAIResponses(fromOpenAIResponses(items))).toEqual(items);
    const messages = [
      {
        role: "user",
        content: [
          { type: "image", source: { type: "base64", media_type: "image/heic", data: "AAAA" } },
          { type: "document", source: { type: "url", url: "gs://b/v.pdf" } },
        ],
      },
    ];
    expect(toAnthropic(fromAnthropic(messages))).toEqual({ messages });
  });
});

describe("media that Anthropic's format holds", () => {
  const base64 = (media_type: string) => ({ type: "base64", media_type, data: "AAAA" });
  const blocks = [
    { type: "image", source: base64("image/jpg") },
    { type: "image", source: base64("image/png; charset=x") },
    { type: "image", source: base64("image/heic"), odd: 1 },
    { type: "image", source: { type: "url", url: "s3://b/i.png" } },
    { type: "document", source: base64("application/msword"), title: "a.doc" },
    { type: "document", source: base64("image/png") },
    { type: "document", source: { type: "text", media_type: "text/markdown", data: "# a" } },
  ];
  const asked = [{ role: "user", content: [...blocks, { type: "text", text: "x" }] }];
  const messages = fromAnthropic(asked);

  test("is media for all others, of whichever type it is", () => {
    expect((messages[0]!.content as UserPart[]).map(({ type }) => type)).toEqual([
      "image",
      "image",
      "image",
      "image",
      "file",
      "file",
      "file",
      "text",
    ]);
    expect(toOpenAI(messages)[0]?.content).toMatchObject([
      { image_url: { url: "data:image/jpeg;base64,AAAA" } },
      { image_url: { url: "data:image/png;base64,AAAA" } },
      { text: "[file: image/heic]" },
      { text: "[file: s3://b/i.png]" },
      { file: { filename: "a.doc" } },
      { image_url: { url: "data:image/png;base64,AAAA" } },
      { text: "# a" },
      { text: "x" },
    ]);
    expect(toOpenAIResponses(messages)[0]).toMatchObject({
      content: { 0: { image_url: "data:image/jpeg;base64,AAAA" }, 2: { text: "[file: image/heic]" } },
    });
    expect(toGemini(messages).contents[0]?.parts?.[2]).toEqual({
      inlineData: { mimeType: "image/heic", data: "AAAA" },
    });
    expect(toAISDK(messages)[0]?.content).toHaveLength(blocks.length + 1);
  });

  test("goes back as it came, in the output of a tool as well", () => {
    expect(toAnthropic(messages)).toEqual({ messages: asked });
    const results = [
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: blocks }] },
    ];
    expect(toAnthropic(fromAnthropic(results))).toEqual({ messages: results });
    expect(JSON.stringify(toGemini(fromAnthropic(results)))).toContain("image/heic");
  });
});

describe("an image of the assistant", () => {
  const drawn = (...content: (FilePart | { type: "text"; text: string })[]): Message[] => [
    user("draw"),
    { role: "assistant", content },
  ];

  test("is said in words to Anthropic where the assistant says nothing else", () => {
    const image = file("AAAA", "image/png");
    expect(toAnthropic(drawn(image)).messages[1]?.content).toEqual([{ type: "text", text: "[file: image/png]" }]);
    expect(toAnthropic(drawn({ type: "text", text: "Here" }, image)).messages[1]?.content).toEqual([
      { type: "text", text: "Here" },
    ]);
  });

  test("is no block of Anthropic's even where it came as one", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    const messages = [
      { role: "user", content: "draw" },
      { role: "assistant", content: [image] },
    ];
    expect(toAnthropic(fromAnthropic(messages)).messages[1]?.content).toEqual([
      { type: "text", text: "[part: anthropic.image]" },
    ]);
  });
});

describe("an image beside Gemini's response", () => {
  const contents = [
    { role: "user", parts: [{ text: "look" }] },
    { role: "model", parts: [{ functionCall: { id: "a", name: "f", args: {} } }] },
    {
      role: "user",
      parts: [
        {
          functionResponse: {
            id: "a",
            name: "f",
            response: { ok: true },
            parts: [{ inlineData: { mimeType: "image/png", data: "AAAA", displayName: "shot" } }],
          },
        },
      ],
    },
  ];
  const messages = fromGemini(contents);

  test("reaches the other formats, and goes back to Gemini as it came", () => {
    expect(toOpenAI(messages).slice(2)).toEqual([
      { role: "tool", tool_call_id: "a", content: '{"ok":true}' },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] },
    ]);
    expect(toAnthropic(messages).messages[2]?.content).toMatchObject([
      {
        type: "tool_result",
        content: [
          { type: "text", text: '{"ok":true}' },
          { type: "image", source: { media_type: "image/png", data: "AAAA" } },
        ],
      },
    ]);
    expect(toOpenAIResponses(messages)[2]).toMatchObject({
      output: [{ type: "input_text" }, { type: "input_image", image_url: "data:image/png;base64,AAAA" }],
    });
    expect(toAISDK(messages)[2]?.content).toMatchObject([
      { output: { type: "content", value: [{ type: "text" }, { type: "image-data", data: "AAAA" }] } },
    ]);
    expect(toGemini(messages)).toEqual({ contents });
  });

  test("stands there once after a way through the AI SDK", () => {
    const again = toGemini(toAISDK(messages) as Message[]).contents[2]?.parts;
    expect(JSON.stringify(again).split("AAAA")).toHaveLength(2);
  });

  test("is not made up where there is none", () => {
    expect(toOpenAI([user("x"), calls("a"), { role: "tool", content: [] }])).toHaveLength(2);
  });
});
