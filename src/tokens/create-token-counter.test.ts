import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolCallFromText } from "../message/tool-call.js";
import type { Message, ToolDefinition } from "../message/types.js";
import { type Calibration, calibrate, NO_CALIBRATION } from "./calibration.js";
import { createTokenCounter } from "./create-token-counter.js";
import { countO200k } from "./o200k.js";
import { CODE, noise } from "./sample-code.test-helpers.js";
import { PROSE } from "./sample-prose.test-helpers.js";

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const counter = createTokenCounter();

describe("the default counter", () => {
  it("counts a message as its o200k tokens and 4 more", () => {
    const content = PROSE["English letter"]!;
    expect(counter.message({ role: "user", content })).toBe(4 + countO200k(content));
    expect(counter.message({ role: "system", content: "" })).toBe(4);
    expect(counter.errorBound).toBe(0);
  });

  it("counts several texts as one, joined by line breaks", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 4 }), (texts) => {
        const content = texts.map((text) => ({ type: "text" as const, text }));
        expect(counter.message({ role: "user", content })).toBe(4 + countO200k(texts.join("\n")));
      }),
    );
  });

  it("counts a call as 8, its name and its arguments as the model wrote them", () => {
    const text = '{"path":  "src/a.ts"}';
    const call = toolCallFromText({ id: "1", name: "read_file", text });
    const message: Message = { role: "assistant", content: [{ type: "text", text: "Reading." }, call, call] };
    const expected = 4 + countO200k("Reading.") + 2 * (8 + countO200k("read_file") + countO200k(text));
    expect(counter.message(message)).toBe(expected);
  });

  it("counts every result of a tool message as a message of its own", () => {
    const result = (value: string) =>
      ({ type: "tool-result", toolCallId: value, toolName: "", output: { type: "text", value } }) as const;
    expect(counter.message({ role: "tool", content: [result("one")] })).toBe(4 + 1);
    expect(counter.message({ role: "tool", content: [result("one"), result("two"), result("three")] })).toBe(
      3 * (4 + 1),
    );
  });

  it("counts reasoning as text and JSON results as their JSON", () => {
    const reasoning: Message = { role: "assistant", content: [{ type: "reasoning", text: "Two steps are needed." }] };
    expect(counter.message(reasoning)).toBe(4 + countO200k("Two steps are needed."));
    const value = { rows: [1, 2], next: null };
    const output = { type: "json" as const, value };
    const json: Message = { role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName: "q", output }] };
    expect(counter.message(json)).toBe(4 + countO200k(JSON.stringify(value)));
  });

  it("counts tools by name, description, schema and overhead", () => {
    const tool: ToolDefinition = { name: "read", description: "Reads a file.", inputSchema: { type: "object" } };
    const one = counter.tools([tool]);
    expect(one).toBeGreaterThan(countO200k(`readReads a file.${JSON.stringify(tool.inputSchema)}`));
    const each = 8 + countO200k("read") + countO200k("Reads a file.") + countO200k('{"type":"object"}');
    expect(counter.tools([tool, tool]) - one).toBe(each);
    expect(counter.tools([])).toBe(0);
    expect(counter.tools([{ name: "noop" }])).toBeLessThan(one);
  });
});

describe("scenario 14: text that chars/4 misses, and one picture", () => {
  const kinds = ["Chinese technical", "Chinese story", "Traditional Chinese", "Korean technical", "Korean story"];
  const data = ["JSON, indented", "JSON, compact", "hex, one run", "hex, hashes", "base64 image"];
  const texts = [...kinds.map((kind) => PROSE[kind]!), ...data.map((kind) => CODE[kind]!)];

  it("is never more than 10 % under, exact or estimated", () => {
    for (const encoding of ["o200k", "estimate"] as const) {
      const { text: count } = createTokenCounter({ encoding });
      for (const text of texts) expect(count(text)).toBeGreaterThanOrEqual(0.9 * countO200k(text));
    }
  });

  it.each(["gpt-4o", "gpt-5-mini", "claude-sonnet-4-5", "claude-opus-5", "gemini-2.5-pro", "some-model"])(
    "does not count one picture as its base64 text for %s",
    (model) => {
      const png = `iVBORw0KGgoAAAANSUhEUgAAB4AAAAQ4${noise(BASE64, 2_000_000)}`;
      const image: Message = { role: "user", content: [{ type: "image", image: png, mediaType: "image/png" }] };
      const shot = { type: "content" as const, value: [{ type: "media", data: png, mediaType: "image/png" }] };
      const result: Message = {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "1", toolName: "screenshot", output: shot }],
      };
      const { message } = createTokenCounter({ model });
      expect(message(image)).toBeGreaterThan(200);
      expect(message(image)).toBeLessThan(6_000);
      expect(message(result)).toBe(message(image));
    },
  );
});

describe("a counter for a model", () => {
  it("counts text files as their text and other files by their kind", () => {
    const text = PROSE["English report"]!;
    const file = (data: string | Uint8Array, mediaType: string): Message => ({
      role: "user",
      content: [{ type: "file", data, mediaType }],
    });
    expect(counter.message(file(Buffer.from(text), "text/plain"))).toBe(4 + countO200k(text));
    expect(counter.message(file(Buffer.from(text).toString("base64"), "text/markdown"))).toBe(4 + countO200k(text));
    expect(counter.message(file(noise(BASE64, 400_000), "application/zip"))).toBeLessThan(50_000);
  });

  it.each([
    ["gpt-4o", "o200k", 0],
    ["o3", "o200k", 0],
    ["gpt-5.1-codex", "o200k", 0],
    ["gpt-4", "cl100k", 0],
    ["gpt-3.5-turbo", "cl100k", 0],
    ["claude-sonnet-4-20250514", "claude", 0.1],
    ["claude-opus-4-7", "claude-2026", 0.1],
    ["claude-opus-9", "claude-2026", 0.1],
    ["gemini-2.5-flash", "gemini", 0.1],
    ["meta-llama/Llama-3.3-70B-Instruct", "llama", 0.1],
    ["mistral-large-latest", "mistral", 0.1],
    ["qwen3-coder", "qwen", 0.1],
    ["deepseek-r1", "deepseek", 0.1],
    ["nobody-knows", "unknown", 0.1],
  ])("of %s uses %s with a bound of %d", (model, family, errorBound) => {
    const { name, errorBound: bound } = createTokenCounter({ model });
    expect(name.split("/")[0]).toBe(family);
    expect(bound).toBe(errorBound);
  });

  it("gives Claude a quarter more than o200k on code, and its newer tokenizer more again", () => {
    const text = CODE.TypeScript!;
    const older = createTokenCounter({ model: "claude-sonnet-4" }).text(text) / countO200k(text);
    const newer = createTokenCounter({ model: "claude-opus-4-7" }).text(text) / countO200k(text);
    expect(older).toBeGreaterThan(1.2);
    expect(older).toBeLessThan(1.45);
    expect(newer / older).toBeCloseTo(1.3, 1);
  });

  it("estimates where it is asked to, also for a model with a tokenizer", () => {
    const estimate = createTokenCounter({ model: "gpt-4o", encoding: "estimate" });
    expect(estimate.name).toBe("o200k-estimate/openai-tile");
    expect(estimate.errorBound).toBe(0.1);
  });

  it("has another name whenever it may count differently", () => {
    const names = ["gpt-4o", "gpt-5", "gpt-5-mini", "gpt-4", "claude-sonnet-4", "claude-opus-5", "gemini-2.5-pro"].map(
      (model) => createTokenCounter({ model }).name,
    );
    expect(new Set(names).size).toBe(names.length);
    expect(createTokenCounter({ model: "gpt-4o" }).name).toBe(createTokenCounter({ encoding: "o200k" }).name);
  });
});

describe("a calibrated counter", () => {
  const calibration: Calibration = [1.2, 1.21, 1.19, 1.2].reduce(
    (state, ratio) => calibrate(state, { estimated: 10_000, reported: 10_000 * ratio }),
    NO_CALIBRATION,
  );

  it("multiplies every count by the factor and says so in its name", () => {
    const calibrated = createTokenCounter({ model: "claude-sonnet-4", calibration });
    const plain = createTokenCounter({ model: "claude-sonnet-4" });
    const text = PROSE["English letter"]!;
    expect(calibrated.factor).toBe(1.2);
    expect(calibrated.text(text)).toBe(Math.ceil(plain.text(text) * 1.2));
    expect(calibrated.message({ role: "user", content: text })).toBe(
      Math.ceil(plain.message({ role: "user", content: text }) * 1.2),
    );
    expect(calibrated.name).toBe(`${plain.name}×1.2`);
    expect(calibrated.errorBound).toBeLessThan(plain.errorBound);
  });
});

describe("what cannot be a counter's option", () => {
  it.each<[string, object]>([
    ["a model that is a number", { model: 5 }],
    ["an unknown encoding", { encoding: "gpt2" }],
    ["an encoding that objects inherit", { encoding: "constructor" }],
  ])("is refused as such: %s", (_name, options) => {
    expect(() => createTokenCounter(options)).toThrow(expect.objectContaining({ code: "invalid-option" }));
  });
});
