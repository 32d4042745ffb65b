import { describe, expect, test } from "vitest";
import { VarveError } from "../errors.js";
import { fromAnthropic, toAnthropic } from "./anthropic.js";

const use = (id: string, name = "f") => ({ type: "tool_use", id, name, input: { a: 1 } });
const result = (id: string, content: unknown = "r") => ({ type: "tool_result", tool_use_id: id, content });

describe("fromAnthropic", () => {
  test("reads messages alone, or with the system prompt", () => {
    const messages = [{ role: "user", content: "Hello" }];
    expect(fromAnthropic(messages)).toEqual([{ role: "user", content: "Hello" }]);
    expect(fromAnthropic({ system: "Be brief.", messages })[0]).toEqual({ role: "system", content: "Be brief." });
  });

  test("makes each system block a message", () => {
    const system = [
      { type: "text", text: "a" },
      { type: "text", text: "b", cache_control: { type: "ephemeral" } },
    ];
    expect(fromAnthropic({ system, messages: [] })).toMatchObject([
      { role: "system", content: "a" },
      { role: "system", content: "b" },
    ]);
  });

  test("parts results and text of one message, and joins them again", () => {
    const messages = [
      { role: "assistant", content: [use("a", "read"), use("b", "list")] },
      {
        role: "user",
        content: [result("a"), result("b", [{ type: "text", text: "x" }]), { type: "text", text: "go on" }],
      },
    ];
    const decoded = fromAnthropic(messages);
    expect(decoded.map((message) => message.role)).toEqual(["assistant", "tool", "user"]);
    expect(decoded[1]?.content).toMatchObject([
      { toolName: "read", output: { type: "text", value: "r" } },
      { toolName: "list", output: { type: "content", value: [{ type: "text", text: "x" }] } },
    ]);
    expect(toAnthropic(decoded)).toEqual({ messages });
  });

  test("reads thinking with the options that the AI SDK knows", () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "sig" },
      { type: "redacted_thinking", data: "opaque" },
    ];
    expect(fromAnthropic([{ role: "assistant", content }])[0]?.content).toEqual([
      { type: "reasoning", text: "hm", providerOptions: { anthropic: { signature: "sig" } } },
      { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "opaque" } } },
    ]);
  });

  test("reads an error as one", () => {
    const [message] = fromAnthropic([{ role: "user", content: [{ ...result("a", "boom"), is_error: true }] }]);
    expect(message?.content).toMatchObject([{ output: { type: "error-text", value: "boom" } }]);
  });

  test("refuses unknown roles and contents of another type, saying where", () => {
    const good = { role: "user", content: "x" };
    for (const bad of [{ role: "wizard", content: "x" }, { role: "user", content: 7 }, null]) {
      expect(() => fromAnthropic([good, bad])).toThrow(VarveError);
      expect(() => fromAnthropic([good, bad])).toThrow("message 1");
    }
    expect(() => fromAnthropic({ system: "x" })).toThrow(VarveError);
  });
});

describe("toAnthropic", () => {
  test("puts leading system messages beside the others, and later ones into user text", () => {
    const encoded = toAnthropic([
      { role: "system", content: "a" },
      { role: "system", content: "b" },
      { role: "user", content: "hi" },
      { role: "assistant", content: "ho" },
      { role: "system", content: "now hurry" },
    ]);
    expect(encoded.system).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
    expect(encoded.messages[2]).toEqual({ role: "user", content: "<system-note>now hurry</system-note>" });
  });

  test("puts all results of a batch first into one message", () => {
    const part = (toolCallId: string) => ({
      type: "tool-result" as const,
      toolCallId,
      toolName: "f",
      output: { type: "text" as const, value: "r" },
    });
    const { messages } = toAnthropic([
      { role: "system", content: "s" },
      { role: "user", content: "u" },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "a", toolName: "f", input: {} }] },
      { role: "system", content: "between" },
      { role: "tool", content: [part("a")] },
      { role: "tool", content: [part("b")] },
      { role: "user", content: "then" },
    ]);
    expect(messages[2]?.content).toEqual([
      result("a"),
      result("b"),
      { type: "text", text: "<system-note>between</system-note>" },
      { type: "text", text: "then" },
    ]);
  });

  test("leaves out blank text and messages with nothing in them", () => {
    const { messages } = toAnthropic([
      { role: "user", content: "a" },
      { role: "assistant", content: " \n" },
      {
        role: "user",
        content: [
          { type: "text", text: "" },
          { type: "text", text: "b" },
        ],
      },
    ]);
    expect(messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
    ]);
  });

  test("leaves out thinking of a message that follows one of the assistant's without, and keeps it behind other thinking", () => {
    const thought = (words: string) => [
      { type: "thinking", thinking: "t", signature: words },
      { type: "text", text: words },
    ];
    const join = (...messages: unknown[]) => {
      const list = [{ role: "user", content: "u" }, ...messages.map((content) => ({ role: "assistant", content }))];
      return toAnthropic(fromAnthropic(list)).messages[1]?.content;
    };
    expect(join("so", thought("then"))).toEqual([
      { type: "text", text: "so" },
      { type: "text", text: "then" },
    ]);
    expect(join(thought("so"), thought("then"))).toEqual([...thought("so"), ...thought("then")]);
  });

  test("rewrites ids that the API refuses, in the call and its result alike", () => {
    const { messages } = toAnthropic([
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "functions.f:0", toolName: "f", input: "broken" }],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "functions.f:0", toolName: "f", output: { type: "text", value: "" } },
        ],
      },
    ]);
    expect(messages).toMatchObject([
      { content: [{ id: "functions_f_0", input: { input: "broken" } }] },
      { content: [{ tool_use_id: "functions_f_0" }] },
    ]);
  });

  test("gives away copies of the blocks it carries", () => {
    const messages = fromAnthropic([{ role: "assistant", content: [{ type: "compaction", content: "c" }] }]);
    const block = toAnthropic(messages).messages[0]?.content[0] as unknown as Record<string, unknown>;
    block.cache_control = { type: "ephemeral" };
    expect(toAnthropic(messages).messages[0]?.content).toEqual([{ type: "compaction", content: "c" }]);
  });
});

describe("a system message inside the conversation", () => {
  test("becomes a note where the answer that followed it has nothing to send", () => {
    const thinking = { type: "thinking", thinking: "hm", signature: "s" };
    const { messages } = toAnthropic(
      fromAnthropic({
        messages: [
          { role: "user", content: "u" },
          { role: "system", content: "Be brief." },
          { role: "assistant", content: [thinking] },
          { role: "user", content: "v" },
        ],
      }),
    );
    expect(messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "u" },
          { type: "text", text: "<system-note>Be brief.</system-note>" },
          { type: "text", text: "v" },
        ],
      },
    ]);
  });
});
