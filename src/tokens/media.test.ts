import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readImageSize } from "../message/image-size.js";
import { countImage, countMedia, type ImageRule } from "./media.js";

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part, "latin1")] : part)));
const big16 = (value: number): number[] => [value >> 8, value & 255];
const little16 = (value: number): number[] => [value & 255, value >> 8];
const little24 = (value: number): number[] => [value & 255, (value >> 8) & 255, value >> 16];

const png = (width: number, height: number): Uint8Array =>
  bytes([0x89], "PNG\r\n\x1a\n", [0, 0, 0, 13], "IHDR", [0, 0], big16(width), [0, 0], big16(height));
const gif = (width: number, height: number): Uint8Array => bytes("GIF89a", little16(width), little16(height));
const jpeg = (width: number, height: number, preview = 10): Uint8Array =>
  bytes(
    [0xff, 0xd8, 0xff, 0xe1, ...big16(preview + 2)],
    Array(preview).fill(0xff),
    [0xff, 0xff, 0xc4, 0, 2, 0xff, 0xc2, 0, 17, 8],
    big16(height),
    big16(width),
  );
const webp = (kind: string, body: number[]): Uint8Array =>
  bytes("RIFF", [0, 0, 0, 0], "WEBP", kind, [0, 0, 0, 0], body);
const lossy = (width: number, height: number): Uint8Array =>
  webp("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, ...little16(width), ...little16(height)]);
const extended = (width: number, height: number): Uint8Array =>
  webp("VP8X", [0, 0, 0, 0, ...little24(width - 1), ...little24(height - 1)]);
const lossless = (width: number, height: number): Uint8Array => {
  const bits = width - 1 + (height - 1) * 2 ** 14;
  return webp("VP8L", [0x2f, bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, (bits >>> 24) & 255]);
};

describe("the size of an image", () => {
  it.each(Object.entries({ png, gif, jpeg, lossy, extended, lossless }))(
    "is read from the head of a %s file",
    (_, make) => {
      const side = fc.integer({ min: 1, max: 16_000 });
      fc.assert(
        fc.property(side, side, (width, height) => {
          expect(readImageSize(make(width, height))).toEqual({ width, height });
        }),
      );
    },
  );

  it("is not guessed from broken or other bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
        expect(() => readImageSize(noise)).not.toThrow();
      }),
    );
    for (let length = 0; length < 24; length++)
      expect(readImageSize(png(800, 600).subarray(0, length))).toBeUndefined();
    expect(readImageSize(bytes("%PDF-1.7 and more"))).toBeUndefined();
    expect(readImageSize(png(0, 0))).toBeUndefined();
  });
});

describe("images by the provider's rule", () => {
  const at = (rule: ImageRule, width: number, height: number): number => countImage(rule, { width, height });

  it("counts OpenAI's tiles as documented", () => {
    expect(at("openai-tile", 1024, 1024)).toBe(765);
    expect(at("openai-tile", 2048, 4096)).toBe(1105);
    expect(countImage("openai-tile", { width: 4096, height: 8192 }, "low")).toBe(85);
    expect(at("openai-tile-5", 512, 512)).toBe(70 + 140);
  });

  it("counts OpenAI's patches as documented, to their cap", () => {
    expect(at("openai-patch-1.62", 1024, 1024)).toBe(Math.ceil(1024 * 1.62));
    expect(at("openai-patch-1.72", 1800, 2400)).toBe(Math.ceil(1536 * 1.72));
    expect(countImage("openai-patch-large", { width: 3200, height: 3200 }, "original")).toBe(10_000);
  });

  it("counts Anthropic's pixels as documented, after scaling", () => {
    expect(at("anthropic", 1000, 1000)).toBe(1334);
    expect(at("anthropic", 200, 200)).toBe(54);
    expect(at("anthropic", 8000, 8000)).toBe(1600);
  });

  it("counts Gemini's tiles as documented", () => {
    expect(at("gemini", 384, 384)).toBe(258);
    expect(at("gemini", 960, 540)).toBe(6 * 258);
    expect(at("gemini-3", 3000, 2000)).toBe(1120);
  });

  const rules: ImageRule[] = [
    "openai-tile",
    "openai-patch-2.46",
    "openai-patch-large",
    "anthropic",
    "anthropic-large",
    "open",
  ];
  it.each(rules)("takes an image of unknown size for the largest that %s allows", (rule) => {
    const side = fc.integer({ min: 1, max: 12_000 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        expect(at(rule, width, height)).toBeLessThanOrEqual(countImage(rule));
        expect(at(rule, width, height)).toBeGreaterThan(0);
      }),
    );
  });
});

describe("media parts", () => {
  const count = (data: unknown, mediaType: string): number => countMedia({ data, mediaType }, "openai-tile");

  it("finds the same size in every way of giving the bytes", () => {
    const file = png(1024, 1024);
    const base64 = Buffer.from(file).toString("base64");
    const forms = [
      file,
      file.buffer,
      base64,
      `data:image/png;base64,${base64}`,
      new URL(`data:image/png;base64,${base64}`),
    ];
    for (const form of [...forms, { type: "data", data: base64 }]) expect(count(form, "image/png")).toBe(765);
  });

  it("reads past a preview of many kilobytes in a JPEG", () => {
    const data = Buffer.from(jpeg(512, 512, 60_000)).toString("base64");
    expect(count(data, "image/jpeg")).toBe(85 + 170);
  });

  it("takes links and references for the largest image", () => {
    const largest = countImage("openai-tile");
    for (const form of [new URL("https://example.org/a.png"), "https://example.org/a.png", { openai: "file-1" }]) {
      expect(count(form, "image/*")).toBe(largest);
    }
  });

  it("counts the pages of a PDF where it names them, else by its size", () => {
    const page = "<< /Type /Page /Parent 2 0 R >>\n";
    const pages = count(Buffer.from(`%PDF-1.4\n<< /Type /Pages /Count 3 >>\n${page.repeat(3)}`), "application/pdf");
    expect(pages).toBe(3 * 3000);
    expect(count(Buffer.alloc(240_000), "application/pdf")).toBe(4 * 3000);
    expect(countMedia({ data: Buffer.from(page), mediaType: "application/pdf" }, "gemini")).toBe(258);
  });

  it("counts audio and video by their length", () => {
    expect(count(Buffer.alloc(320_000), "audio/wav")).toBe(320);
    expect(count(Buffer.alloc(80_000), "audio/mpeg")).toBe(320);
    expect(count(new URL("https://example.org/a.mp4"), "video/mp4")).toBe(60 * 263);
  });
});
