import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../test/support/runs.js";
import { VarveError } from "../errors.js";
import { messageText } from "./content.js";
import { sameValue } from "./plain-value.js";
import { sealMessage } from "./seal-message.js";
import { argumentsText, toolCallFromText } from "./tool-call.js";
import type { Message } from "./types.js";

/** The objects in a value that can still be changed. */
function thawed(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(thawed);
  return Object.isFrozen(value) ? inner : [value, ...inner];
}

const user = (content: unknown): unknown => ({ role: "user", content });
const assistant = (...content: unknown[]): unknown => ({ role: "assistant", content });
const tool = (...content: unknown[]): unknown => ({ role: "tool", content });
const result = { type: "tool-result", toolCallId: "a", toolName: "f" };

describe("sealing", () => {
  test("freezes a copy throughout and leaves the caller's objects alone", () => {
    const part = { type: "tool-call", toolCallId: "a", toolName: "f", input: { list: [{ deep: 1 }] } };
    const sealed = sealMessage(assistant(part), 0);
    expect(thawed(sealed)).toEqual([]);
    part.input.list.push({ deep: 2 });
    expect(sealed.content).toEqual([{ ...part, input: { list: [{ deep: 1 }] } }]);
  });

  test("does not trust a message that is frozen on the outside only", () => {
    const part = { type: "text", text: "before" };
    const outside = Object.freeze(user([part]));
    const list = Object.freeze({ role: "user", content: Object.freeze([part]) });
    const sealed = [sealMessage(outside, 0), sealMessage(list, 1)];
    part.text = "after";
    expect(sealed.map(messageText)).toEqual(["before", "before"]);
  });

  test("keeps further fields, and the bytes of a call's arguments", () => {
    const call = Object.freeze(toolCallFromText({ id: "a", name: "f", text: '{ "x": 1 }' }));
    const sealed = sealMessage({ role: "assistant", content: [call], id: "m1", meta: { tags: [] } }, 0);
    expect(sealed).toMatchObject({ id: "m1", meta: { tags: [] } });
    expect(thawed(sealed)).toEqual([]);
    expect(argumentsText((sealed.content as [typeof call])[0])).toBe('{ "x": 1 }');
  });

  test("writes instances as JSON would, and bytes and URLs as text", () => {
    const bytes = new Uint8Array([1]);
    const url = new URL("https://a.example/b.png");
    const input = { at: new Date(0), map: new Map([[1, 2]]) };
    const call = { type: "tool-call", toolCallId: "a", toolName: "f", input };
    const sealed = sealMessage(assistant(call, { type: "file", data: bytes, mediaType: "image/png" }), 0);
    expect(sealed.content).toMatchObject([{ input: { at: "1970-01-01T00:00:00.000Z", map: {} } }, { data: "AQ==" }]);
    expect(sealMessage(user([{ type: "image", image: url }]), 0).content).toEqual([{ type: "image", image: url.href }]);
    bytes[0] = 2;
    expect(sealed.content).toMatchObject([{}, { data: "AQ==" }]);
  });

  test("leaves out the marks of a provider's cache, wherever they stand, and nothing else", () => {
    const marked = { anthropic: { cacheControl: { type: "ephemeral" } }, bedrock: { cachePoint: { type: "default" } } };
    const options = (providerOptions: object, providerOptionsOfOthers = {}) =>
      Object.keys({ ...providerOptions, ...providerOptionsOfOthers }).length === 0
        ? {}
        : { providerOptions: { ...providerOptions, ...providerOptionsOfOthers } };
    const signed = { google: { thoughtSignature: "s" } };
    const conversation = (marks: object) => [
      { role: "system", content: "s", ...options(marks) },
      { role: "user", content: [{ type: "text", text: "t", ...options(marks) }], ...options(marks) },
      assistant({
        type: "tool-call",
        toolCallId: "a",
        toolName: "f",
        input: { cacheControl: 1 },
        ...options(marks, signed),
      }),
      tool({
        ...result,
        output: { type: "content", value: [{ type: "text", text: "x", ...options(marks) }], ...options(marks) },
      }),
      tool({
        ...result,
        output: { type: "json", value: { cacheControl: 1, providerOptions: marks } },
        ...options(marks),
      }),
    ];
    const seal = (messages: readonly unknown[]) => messages.map(sealMessage);
    const kept = seal(conversation(marked));
    expect(kept.slice(0, 4)).toEqual(seal(conversation({}).slice(0, 4)));
    expect(JSON.stringify(kept).split("cacheControl").length - 1).toBe(3);
    expect(kept[2]?.content).toMatchObject([{ input: { cacheControl: 1 }, providerOptions: signed }]);
  });

  test("leaves a message without marks as it is", () => {
    const message = { role: "user", content: "x", providerOptions: { anthropic: {}, a: { b: 1 } } };
    expect(sealMessage(message, 0)).toEqual(message);
  });
});

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

describe("sealing refuses, by index and with a hint,", () => {
  test.each<[string, unknown]>([
    ["what is no object", 5],
    ["an unknown role", { role: "robot", content: "x" }],
    ["a role that objects inherit", { role: "constructor", content: "x" }],
    ["no content", { role: "user" }],
    ["a tool's text without a call", { role: "tool", tool_call_id: "a", content: "x" }],
    ["calls of OpenAI beside the content", { role: "assistant", content: "", tool_calls: [{ id: "a" }] }],
    ["a list in a system message", { role: "system", content: [] }],
    ["null as a part", user([null])],
    ["a part without type", user([{ text: "x" }])],
    ["a part of OpenAI", user([{ type: "image_url", image_url: { url: "https://a.example" } }])],
    ["a block of Anthropic", assistant({ type: "tool_use", id: "a", name: "f", input: {} })],
    ["text without text", user([{ type: "text" }])],
    ["an image without data", user([{ type: "image" }])],
    ["a file without media type", user([{ type: "file", data: "AAAA" }])],
    ["a call without id", assistant({ type: "tool-call", toolName: "f", input: {} })],
    ["a result of AI SDK 4", tool({ ...result, result: "x" })],
    ["a result with text that is none", tool({ ...result, output: { type: "text", value: 5 } })],
    ["a result with content that is none", tool({ ...result, output: { type: "content", value: [null] } })],
    ["an output of unknown kind", tool({ ...result, output: { type: "video", value: "x" } })],
    ["a result in a user message", user([{ ...result, output: { type: "text", value: "x" } }])],
    ["a cycle", assistant({ type: "tool-call", toolCallId: "a", toolName: "f", input: cyclic })],
    ["a BigInt", assistant({ type: "tool-call", toolCallId: "a", toolName: "f", input: { n: 1n } })],
    ["a BigInt where a message should be", 5n],
  ])("%s", (_name, message) => {
    expect(() => sealMessage(message, 3)).toThrow(
      expect.objectContaining({ code: "invalid-message", hint: expect.stringMatching(/./) }),
    );
  });

  test("anything else that is not whole, and never with another error", () => {
    const part = fc.dictionary(fc.constantFrom("type", "text", "output", "toolCallId", "toolName"), fc.anything());
    const message = fc.record({
      role: fc.constantFrom("user", "assistant", "tool", "system"),
      content: fc.oneof(fc.string(), fc.array(fc.oneof(part, fc.anything())), fc.anything({ withBigInt: true })),
      providerOptions: fc.anything({ withBigInt: true }),
    });
    fc.assert(
      fc.property(fc.oneof(message, fc.anything({ withBigInt: true })), (value) => {
        let sealed: Message | undefined;
        try {
          sealed = sealMessage(value, 0);
        } catch (error) {
          if (!VarveError.isInstance(error)) throw error;
        }
        if (sealed !== undefined) expect(typeof JSON.stringify(sealed)).toBe("string");
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("values", () => {
  test.each<[string, [unknown, unknown], boolean]>([
    ["fields that are undefined", [{ a: 1, b: undefined }, { a: 1 }], true],
    ["a field more", [{ a: 1 }, { a: 1, b: 2 }], false],
    ["not a number", [{ a: Number.NaN }, { a: Number.NaN }], true],
    ["other URLs", [new URL("https://a.example/1"), new URL("https://a.example/2")], false],
    ["equal URLs", [new URL("https://a.example/1"), new URL("https://a.example/1")], true],
    ["equal bytes", [new Uint8Array([1, 2]), new Uint8Array([1, 2])], true],
    ["other bytes", [new Uint8Array([1, 2]), new Uint8Array([1, 3])], false],
    ["bytes and an object", [new Uint8Array([]), {}], false],
    ["a list and an object", [[], {}], false],
  ])("are compared with %s", (_name, [left, right], same) => {
    expect(sameValue(left, right)).toBe(same);
    expect(sameValue(right, left)).toBe(same);
  });
});
