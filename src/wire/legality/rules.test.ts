import { describe, expect, test } from "vitest";
import { png } from "../../../test/support/hostile-messages.js";
import type { AnthropicPrompt } from "../anthropic-types.js";
import type { GeminiPrompt } from "../gemini-types.js";
import type { OpenAIMessage } from "../openai-chat-types.js";
import { anthropicFaults } from "./anthropic.js";
import { geminiFaults } from "./gemini.js";
import { openaiChatFaults } from "./openai-chat.js";
import { openaiResponsesFaults } from "./openai-responses.js";
import type { Fault } from "./violation.js";

const rulesOf = (faults: Fault[]): string[] => [...new Set(faults.map(({ rule }) => rule))];
const U = { role: "user", content: "u" };
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

describe("a request to Anthropic", () => {
  const use = (id: string, name = "f") => ({ type: "tool_use", id, name, input: {} });
  const result = (tool_use_id: string, more: object = { content: "ok" }) => ({
    type: "tool_result",
    tool_use_id,
    ...more,
  });
  const assistant = (...content: object[]) => ({ role: "assistant", content });
  const user = (...content: object[]) => ({ role: "user", content });
  const text = (words: string, more?: object) => ({ type: "text", text: words, ...more });
  const image = (data: string) => ({ type: "image", source: { type: "base64", media_type: "image/png", data } });
  const thinking = { type: "thinking", thinking: "hm", signature: "s" };
  const mark = { cache_control: { type: "ephemeral" } };

  test.each<[string, object[]]>([
    ["no-messages", []],
    ["first-not-user", [assistant(text("a"))]],
    ["blank-message", [user()]],
    ["blank-text", [user(text(" "))]],
    ["blank-text", [U, assistant(use("a")), user(result("a", { content: [text("")] }))]],
    ["trailing-space", [U, assistant(text("a "))]],
    ["trailing-space", [U, { role: "assistant", content: "a\n" }]],
    ["ends-in-thinking", [U, assistant(text("a"), thinking), U]],
    ["ends-in-thinking", [U, assistant({ type: "redacted_thinking", data: "r" })]],
    ["empty-error", [U, assistant(use("a")), user(result("a", { is_error: true, content: "" }))]],
    ["empty-error", [U, assistant(use("a")), user(result("a", { is_error: true, content: [] }))]],
    ["empty-error", [U, assistant(use("a")), user(result("a", { is_error: true }))]],
    ["unanswered-call", [U, assistant(use("a"))]],
    ["unanswered-call", [U, assistant(use("a")), U, assistant(text("b"))]],
    ["orphan-result", [user(result("a"))]],
    ["answered-twice", [U, assistant(use("a")), user(result("a"), result("a"))]],
    ["duplicate-call-id", [U, ...times(2, () => [assistant(use("a")), user(result("a"))]).flat()]],
    ["call-id", [U, assistant(use("a.b")), user(result("a.b"))]],
    ["tool-name", [U, assistant(use("a", "f.g")), user(result("a"))]],
    ["tool-name", [U, assistant(use("a", "n".repeat(129))), user(result("a"))]],
    ["orphan-result", [U, assistant({ type: "web_search_tool_result", tool_use_id: "w", content: [] }, text("a"))]],
    ["cache-marks", [user(...times(5, () => text("a", mark)))]],
    ["cache-marks", [U, assistant({ ...thinking, ...mark }, text("a"))]],
    ["cache-marks", [user(text("a"), text("", mark))]],
    ["media", [user(...times(101, () => image(png(9, 9))))]],
    ["media", [user(image(png(8001, 9)))]],
    ["media", [user(image("A".repeat(5_242_881)))]],
    ["media", [user(image(png(2001, 9)), ...times(20, () => image(png(9, 9))))]],
    ["media", [U, assistant(use("a")), user(result("a", { content: [image(png(9, 8001))] }))]],
  ])("breaks %s: %#", (rule, messages) => {
    expect(rulesOf(anthropicFaults({ messages } as AnthropicPrompt))).toContain(rule);
  });

  test("breaks none where results stand first, at the limits of pictures and marks", () => {
    const messages = [
      user(...times(4, () => text("a", mark)), ...times(19, () => image(png(8000, 9)))),
      assistant(thinking, text("a "), use("a"), use("b")),
      user(result("b", { is_error: true, content: "no" }), result("a", { content: "" }), text("on")),
      assistant(text("a")),
    ];
    expect(anthropicFaults({ messages } as AnthropicPrompt)).toEqual([]);
  });
});

describe("a request to Chat Completions", () => {
  const call = (id: string, name = "f") => ({ id, type: "function", function: { name, arguments: "{}" } });
  const calls = (...tool_calls: object[]) => ({ role: "assistant", content: null, tool_calls });
  const result = (tool_call_id: string, content: unknown = "ok") => ({ role: "tool", tool_call_id, content });

  test.each<[string, object[]]>([
    ["no-messages", [{ role: "system", content: "s" }]],
    ["too-many-messages", times(2049, () => U)],
    ["blank-message", [U, { role: "assistant", content: "" }]],
    ["blank-message", [U, { role: "assistant", content: null }]],
    ["blank-message", [{ role: "user", content: [] }]],
    ["blank-message", [U, calls(call("a")), result("a", [])]],
    ["empty-calls", [U, { role: "assistant", content: "a", tool_calls: [] }]],
    ["too-many-calls", [U, calls(...times(129, (at) => call(`${at}`))), ...times(129, (at) => result(`${at}`))]],
    ["call-id", [U, calls(call("x".repeat(41))), result("x".repeat(41))]],
    ["blank-call-id", [U, calls(call("")), result("")]],
    ["tool-name", [U, calls(call("a", "f.g")), result("a")]],
    ["tool-name", [U, calls(call("a", "n".repeat(65))), result("a")]],
    ["tool-name", [U, calls({ id: "a", type: "custom", custom: { name: "", input: "" } }), result("a")]],
    ["unanswered-call", [U, calls(call("a")), U, result("a")]],
    ["orphan-result", [U, calls(call("a")), U, result("a")]],
    ["answered-twice", [U, calls(call("a")), result("a"), result("a")]],
    ["duplicate-call-id", [U, calls(call("a"), call("a")), result("a")]],
  ])("breaks %s: %#", (rule, messages) => {
    expect(rulesOf(openaiChatFaults(messages as OpenAIMessage[]))).toContain(rule);
  });

  test("breaks none where an id is used again, at the limits of ids and calls", () => {
    const id = "x".repeat(40);
    const turn = [U, calls(call(id)), result(id)];
    const many = [calls(...times(128, (at) => call(`${at}`))), ...times(128, (at) => result(`${at}`)).reverse()];
    const refused = { role: "assistant", content: null, refusal: "No." };
    expect(openaiChatFaults([...turn, ...turn, ...many, refused] as OpenAIMessage[])).toEqual([]);
  });
});

describe("a request to Responses", () => {
  const call = (call_id: string, more?: object) => ({
    type: "function_call",
    call_id,
    name: "f",
    arguments: "{}",
    ...more,
  });
  const output = (call_id: string, value: unknown = "ok") => ({ type: "function_call_output", call_id, output: value });
  const reasoning = (id: string) => ({ type: "reasoning", id, summary: [] });
  const says = { role: "assistant", content: "a" };

  test.each<[string, object[]]>([
    ["no-messages", []],
    ["unanswered-call", [U, call("a")]],
    ["orphan-result", [U, output("a")]],
    ["orphan-result", [U, { type: "mcp_approval_response", approval_request_id: "m", approve: true }]],
    ["answered-twice", [U, call("a"), output("a"), output("a")]],
    ["duplicate-call-id", [U, call("a"), output("a"), call("a"), output("a")]],
    ["reasoning-alone", [U, reasoning("r")]],
    ["reasoning-alone", [U, reasoning("r"), reasoning("s"), U]],
    ["reasoning-alone", [U, call("a"), reasoning("r"), output("a")]],
    ["duplicate-item-id", [U, reasoning("r"), says, reasoning("r"), says]],
    ["duplicate-item-id", [U, call("a", { id: "i" }), call("b", { id: "i" }), output("a"), output("b")]],
    ["empty-output", [U, call("a"), output("a", [])]],
    ["blank-message", [{ role: "user", content: [] }]],
    ["call-id", [U, call("x".repeat(65)), output("x".repeat(65))]],
    ["tool-name", [U, call("a", { name: "f.g" }), output("a")]],
  ])("breaks %s: %#", (rule, items) => {
    expect(rulesOf(openaiResponsesFaults(items))).toContain(rule);
  });

  test("breaks none where outputs come later, and a local shell answers by the id of its item", () => {
    const shell = { type: "local_shell_call", id: "l", call_id: "c", action: { command: [] } };
    const items = [U, reasoning("r"), reasoning("s"), call("a"), says, output("a", ""), shell];
    expect(openaiResponsesFaults([...items, { type: "local_shell_call_output", id: "l", output: "" }])).toEqual([]);
  });
});

describe("a request to Gemini", () => {
  const call = (name = "f") => ({ functionCall: { name, args: {} } });
  const response = (name = "f") => ({ functionResponse: { name, response: {} } });
  const user = (...parts: object[]) => ({ role: "user", parts });
  const model = (...parts: object[]) => ({ role: "model", parts });
  const hi = user({ text: "u" });

  test.each<[string, object[]]>([
    ["no-messages", []],
    ["first-not-user", [model({ text: "a" })]],
    ["call-out-of-turn", [model(call()), user(response())]],
    ["unanswered-call", [hi, model(call(), call()), user(response())]],
    ["unanswered-call", [hi, model(call())]],
    ["orphan-result", [user(response())]],
    ["orphan-result", [hi, model(call()), user(response(), response())]],
    ["blank-message", [user()]],
    ["blank-text", [user({ text: "" })]],
    ["tool-name", [hi, model(call("7zip")), user(response("7zip"))]],
    ["tool-name", [hi, model(call("-f")), user(response())]],
    ["tool-name", [hi, model(call()), user(response("f/g"))]],
    ["tool-name", [hi, model({ function_call: { name: "n".repeat(65) } }), user(response())]],
  ])("breaks %s: %#", (rule, contents) => {
    expect(rulesOf(geminiFaults({ contents } as GeminiPrompt))).toContain(rule);
  });

  test("breaks none with dots in names and text behind responses", () => {
    const contents = [hi, model({ text: "a" }, call("_a.b:c-7")), user(response("_a.b:c-7"), { text: "on" })];
    expect(geminiFaults({ contents } as GeminiPrompt)).toEqual([]);
  });
});
