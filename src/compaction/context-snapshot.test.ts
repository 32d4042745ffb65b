import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { history, PICTURE } from "../../test/support/histories.js";
import { runs } from "../../test/support/runs.js";
import { VarveError } from "../errors.js";
import type { Message } from "../message/types.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { toAnthropic } from "../wire/anthropic.js";
import { fromOpenAI, toOpenAI } from "../wire/openai-chat.js";
import { contextSnapshot, parseContextSnapshot } from "./context-snapshot.js";

const now = 1_708_654_321_000;
const counter = createTokenCounter();
const through = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const restart = (messages: readonly Message[]): Message[] =>
  parseContextSnapshot(through(contextSnapshot({ messages, now }))).messages;

function refusal(value: unknown): VarveError {
  try {
    parseContextSnapshot(value);
  } catch (error) {
    if (VarveError.isInstance(error)) return error;
  }
  throw new Error("The snapshot was accepted.");
}

describe("contextSnapshot", () => {
  it("holds version, time, tokens, messages and summary", () => {
    const messages: Message[] = [{ role: "user", content: "hello world" }];
    expect(contextSnapshot({ messages, summary: "Nothing yet.", now })).toEqual({
      version: "1.0",
      timestamp: now,
      tokenCount: 6,
      messages,
      summary: "Nothing yet.",
    });
    expect(contextSnapshot({ messages, now })).not.toHaveProperty("summary");
  });

  it("gives any history back after a restart, to the byte of what a provider gets", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const again = restart(messages);
        expect(again).toEqual(through(messages));
        expect(toOpenAI(again)).toEqual(toOpenAI(messages));
        expect(toAnthropic(again)).toEqual(toAnthropic(messages));
      }),
    );
  });

  it("counts the same after a restart", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const { tokenCount } = contextSnapshot({ messages, now, counter });
        expect(contextSnapshot({ messages: restart(messages), now, counter }).tokenCount).toBe(tokenCount);
      }),
      { numRuns: runs(50) },
    );
  });

  it("keeps the bytes of arguments as the model wrote them", () => {
    const call = { id: "1", type: "function", function: { name: "read", arguments: '{ "path":"a.ts" }' } };
    const wire = [
      { role: "user", content: "go" },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "1", content: "ok" },
    ];
    expect(toOpenAI(restart(fromOpenAI(wire)))).toEqual(wire);
  });

  it("carries bytes and addresses through JSON", () => {
    const bytes = Uint8Array.from(atob(PICTURE), (letter) => letter.charCodeAt(0));
    const url = new URL("https://example.org/a.pdf");
    const again = restart([
      {
        role: "user",
        content: [
          { type: "image", image: bytes, mediaType: "image/png" },
          { type: "file", data: { type: "url", url }, mediaType: "application/pdf" },
          { type: "image", image: new URL("https://example.org/a.png") },
        ],
      },
    ]);
    expect(again[0]?.content).toEqual([
      { type: "image", image: PICTURE, mediaType: "image/png" },
      { type: "file", data: { type: "url", url }, mediaType: "application/pdf" },
      { type: "image", image: "https://example.org/a.png" },
    ]);
  });
});

describe("parseContextSnapshot", () => {
  const snapshot = contextSnapshot({ messages: [{ role: "user", content: "hello" }], now });

  it.each([
    ["another version", { ...snapshot, version: "2.0" }, "version", "2.0"],
    ["an unknown role", { ...snapshot, messages: [{ role: "robot", content: "x" }] }, "messages.0.role", "robot"],
    [
      "a call without an id",
      { ...snapshot, messages: [{ role: "assistant", content: [{ type: "tool-call", toolName: "read" }] }] },
      "messages.0.content.0.toolCallId",
      undefined,
    ],
    ["a text that is none", { ...snapshot, messages: [{ role: "user", content: 7 }] }, "messages.0.content", 7],
    ["no object", null, "", null],
  ])("refuses %s, and says where and what", (...[, value, path, found]) => {
    const error = refusal(value);
    expect(error.code).toBe("invalid-document");
    expect(error.details).toMatchObject({ path, value: found });
  });
});
