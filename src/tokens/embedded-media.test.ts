import { describe, expect, test } from "vitest";
import type { Message } from "../message/types.js";
import { fromAnthropic } from "../wire/anthropic.js";
import { fromGemini } from "../wire/gemini.js";
import { fromOpenAIResponses } from "../wire/openai-responses.js";
import { createTokenCounter } from "./create-token-counter.js";
import { embeddedMedia } from "./embedded-media.js";

/** The head of a PNG of 1,024 by 768 pixels, and 80,000 bytes that are no pixels. */
const PNG = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d4948445200000400000003000802000000", "hex"),
  Buffer.from(Array.from({ length: 80_000 }, (_, at) => (at * 7919) % 251)),
]).toString("base64");
const URL = `data:image/png;base64,${PNG}`;
const counter = createTokenCounter();
const sizeOf = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + counter.message(message), 0);
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } };

describe("an image in a value that is kept as it stood", () => {
  const alone = sizeOf(
    fromOpenAIResponses([{ role: "user", content: [{ type: "input_image", image_url: URL, detail: "auto" }] }]),
  );

  test.each<[string, readonly Message[]]>([
    [
      "a screenshot of a computer tool",
      fromOpenAIResponses([
        { type: "computer_call", id: "cu", call_id: "c", action: { type: "screenshot" }, status: "completed" },
        { type: "computer_call_output", call_id: "c", output: { type: "computer_screenshot", image_url: URL } },
      ]),
    ],
    ["a generated image", fromOpenAIResponses([{ type: "image_generation_call", id: "ig", result: PNG }])],
    [
      "a picture in a document",
      fromAnthropic([{ role: "user", content: [{ type: "document", source: { type: "content", content: [image] } }] }]),
    ],
    [
      "a picture in a response",
      fromGemini([
        { role: "model", parts: [{ functionCall: { name: "f", args: {} } }] },
        {
          role: "user",
          parts: [
            {
              functionResponse: {
                name: "f",
                response: { ok: true },
                parts: [{ inlineData: { mimeType: "image/png", data: PNG } }],
              },
            },
          ],
        },
      ]),
    ],
  ])("costs what an image costs: %s", (_where, messages) => {
    expect(sizeOf(messages)).toBeGreaterThan(alone / 2);
    expect(sizeOf(messages)).toBeLessThan(alone + 200);
  });
});

describe("embeddedMedia", () => {
  test("knows media by its URL, by its neighbours and by how it begins", () => {
    expect(embeddedMedia(URL, {})?.mediaType).toBe("image/png");
    expect(embeddedMedia("QUJD".repeat(100), { media_type: "audio/wav" })?.mediaType).toBe("audio/wav");
    expect(embeddedMedia(`JVBERi0x${"QUJD".repeat(100)}`, {})?.mediaType).toBe("application/pdf");
  });

  test("takes no text for media", () => {
    expect(embeddedMedia("a word ".repeat(100), { mimeType: "image/png" })).toBeUndefined();
    expect(embeddedMedia("QUJD".repeat(100), { mimeType: "text/plain" })).toBeUndefined();
    expect(embeddedMedia("QUJD".repeat(100), {})).toBeUndefined();
    expect(embeddedMedia(`data:image/svg+xml,${"<svg/>".repeat(100)}`, {})).toBeUndefined();
    expect(embeddedMedia("iVBORw0KGgo=", {})).toBeUndefined();
  });
});
