import { describe, expect, test } from "vitest";
import { fromAnthropic, toAnthropic } from "./anthropic.js";

const again = (messages: object[]) => toAnthropic(fromAnthropic(messages)).messages;
const search = { type: "server_tool_use", id: "s", name: "web_search", input: { query: "x" } };
const found = { type: "web_search_tool_result", tool_use_id: "s", content: [] };
const text = { type: "text", text: "I look" };
const ask = { role: "user", content: "go" };

describe("a call of a tool that Anthropic runs itself", () => {
  test("is left out where the user spoke since and nothing answered it", () => {
    const next = { role: "user", content: "next" };
    expect(again([ask, { role: "assistant", content: [text, search] }, next])).toEqual([
      ask,
      { role: "assistant", content: [text] },
      next,
    ]);
    expect(again([ask, { role: "assistant", content: [search] }, next])).toHaveLength(1);
  });

  test("takes along the thinking that led to nothing else", () => {
    const thinking = { type: "thinking", thinking: "t", signature: "s" };
    const sealed = { type: "redacted_thinking", data: "d" };
    const next = { role: "user", content: "next" };
    expect(again([ask, { role: "assistant", content: [thinking, sealed, search] }, next])).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "go" },
          { type: "text", text: "next" },
        ],
      },
    ]);
    const halves = [
      ask,
      { role: "assistant", content: [thinking, search] },
      { role: "assistant", content: [text] },
      next,
    ];
    expect(again(halves)).toEqual([ask, { role: "assistant", content: [thinking, text] }, next]);
  });

  test("stays with its result, at the end of a paused turn, and while tools run for it", () => {
    const use = { type: "tool_use", id: "t", name: "f", input: {} };
    const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "x" }] };
    for (const messages of [
      [ask, { role: "assistant", content: [search, found, text] }, { role: "user", content: "next" }],
      [ask, { role: "assistant", content: [text, search] }],
      [ask, { role: "assistant", content: [search, use] }, result],
      [ask, { role: "assistant", content: [search, use] }, result, { role: "assistant", content: [found] }, ask],
    ])
      expect(again(messages)).toEqual(messages);
  });
});
