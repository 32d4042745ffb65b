/** Each rule of the checkers finds the request that breaks it, and none speaks against a plain one. */
import { describe, expect, it } from "vitest";
import { aiSdkBreaches } from "./ai-sdk.js";
import { anthropicBreaches } from "./anthropic.js";
import { geminiBreaches } from "./gemini.js";
import { openaiChatBreaches } from "./openai-chat.js";
import { openaiResponsesBreaches } from "./openai-responses.js";
import type { Breach, Item } from "./request.js";

const rules = (breaches: readonly Breach[]) => breaches.map(({ rule }) => rule);
const user = { role: "user", content: "u" };
const use = (fields: Item = {}) => ({ type: "tool_use", id: "a", name: "read", input: {}, ...fields });
const used = (...blocks: Item[]) => ({ role: "assistant", content: blocks });
const result = (fields: Item = {}) => ({ type: "tool_result", tool_use_id: "a", content: "ok", ...fields });
const results = (...blocks: Item[]) => ({ role: "user", content: blocks });
const says = (content: unknown) => ({ role: "assistant", content });
const thinking = { type: "thinking", thinking: "so", signature: "Eu" };
const picture = (width: number, fields: Item = {}) => {
  const header = Buffer.from("89504e470d0a1a0a0000000d4948445200000000000000010806000000", "hex");
  header.writeUInt32BE(width, 16);
  return {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: header.toString("base64"), ...fields },
  };
};

describe("the checker of Anthropic", () => {
  it.each<[string, Item[]]>([
    ["no-messages", []],
    ["first-not-user", [says("a")]],
    ["blank-text", [{ role: "user", content: " " }]],
    ["empty-message", [user, says([]), user]],
    ["pairing", [user, used(use()), user]],
    ["pairing", [user, used(use())]],
    ["results-not-first", [user, used(use()), results({ type: "text", text: "so" }, result())]],
    ["call-id-twice", [user, used(use()), results(result()), used(use()), results(result())]],
    ["call-id-form", [user, used(use({ id: "a b" })), results(result({ tool_use_id: "a b" }))]],
    ["name-form", [user, used(use({ name: "web.search" })), results(result())]],
    ["input-form", [user, used(use({ input: "x" })), results(result())]],
    ["error-without-content", [user, used(use()), results(result({ is_error: true, content: "" }))]],
    ["error-without-content", [user, used(use()), results(result({ is_error: true, content: [] }))]],
    ["ends-in-thinking", [user, used(thinking)]],
    ["ends-in-white-space", [user, says("so ")]],
    ["thinking-unsigned", [user, used({ type: "thinking", thinking: "so" }, { type: "text", text: "a" }), user]],
    ["thinking-not-first", [user, used({ type: "text", text: "a" }, thinking, { type: "text", text: "b" })]],
    ["assistant-media", [user, used(picture(1))]],
    ["too-many-images", [results(...Array.from({ length: 101 }, () => picture(1)))]],
    ["image-size", [results(picture(8_001))]],
    ["image-size", [results(...Array.from({ length: 21 }, () => picture(2_001)))]],
    ["image-type", [results(picture(1, { media_type: "image/svg+xml" }))]],
    ["image-bytes", [results(picture(1, { data: "" }))]],
    ["unknown-field", [user, used({ type: "text", text: "a", parsed: null })]],
  ])("finds %s", (rule, messages) => {
    expect(rules(anthropicBreaches({ messages }))).toContain(rule);
  });

  it("takes a plain request", () => {
    const messages = [user, used(thinking, use()), results(result(), picture(600)), says("done")];
    expect(anthropicBreaches({ system: "s", messages })).toEqual([]);
  });
});

const call = (id: string, fields: Item = {}) => ({
  id,
  type: "function",
  function: { name: "read", arguments: "{}", ...fields },
});
const calls = (...tool_calls: Item[]) => ({ role: "assistant", content: null, tool_calls });
const tool = (tool_call_id: string) => ({ role: "tool", tool_call_id, content: "ok" });

describe("the checker of OpenAI Chat", () => {
  it.each<[string, Item[]]>([
    ["no-messages", []],
    ["too-many-messages", Array.from({ length: 2_049 }, () => user)],
    ["orphan-result", [user, tool("a")]],
    ["unanswered-call", [user, calls(call("a")), user]],
    ["unanswered-call", [user, calls(call("a"))]],
    ["no-calls", [user, { role: "assistant", content: "a", tool_calls: [] }]],
    ["too-many-calls", [user, calls(...Array.from({ length: 129 }, (_, at) => call(`c${at}`)))]],
    ["call-id-form", [user, calls(call("x".repeat(41))), tool("x".repeat(41))]],
    ["call-id-twice", [user, calls(call("a"), call("a")), tool("a")]],
    ["name-form", [user, calls(call("a", { name: "web.search" })), tool("a")]],
    ["arguments-form", [user, calls(call("a", { arguments: {} })), tool("a")]],
    ["empty-assistant", [user, says("")]],
    ["unknown-field", [user, { ...says("a"), parsed: null }]],
    ["unknown-field", [user, calls(call("a", { parsed_arguments: {} })), tool("a")]],
    ["empty-content", [{ role: "user", content: [] }]],
    ["content-missing", [{ role: "user", content: null }]],
    ["part-type", [{ role: "assistant", content: [{ type: "image_url", image_url: { url: "https://a.example" } }] }]],
    [
      "image-type",
      [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/svg+xml;base64,AA" } }] }],
    ],
  ])("finds %s", (rule, messages) => {
    expect(rules(openaiChatBreaches(messages))).toContain(rule);
  });

  it("takes a plain request", () => {
    expect(openaiChatBreaches([user, calls(call("a"), call("b")), tool("b"), tool("a"), says("done")])).toEqual([]);
  });
});

const reasoning = { type: "reasoning", id: "rs_1", summary: [] };
const functionCall = (fields: Item = {}) => ({
  type: "function_call",
  call_id: "a",
  name: "read",
  arguments: "{}",
  ...fields,
});
const output = (fields: Item = {}) => ({ type: "function_call_output", call_id: "a", output: "ok", ...fields });

describe("the checker of OpenAI Responses", () => {
  it.each<[string, Item[]]>([
    ["no-messages", []],
    ["reasoning-alone", [user, reasoning, user]],
    ["reasoning-alone", [user, reasoning]],
    ["reasoning-form", [user, { type: "reasoning", summary: [] }, says("a")]],
    ["item-id-twice", [user, reasoning, says("a"), reasoning, says("b")]],
    ["item-id-form", [user, { ...reasoning, id: "x" }, says("a")]],
    ["orphan-result", [user, output()]],
    ["unanswered-call", [user, functionCall()]],
    ["call-id-twice", [user, functionCall(), output(), functionCall(), output()]],
    ["call-id-form", [user, functionCall({ call_id: "" }), output({ call_id: "" })]],
    ["name-form", [user, functionCall({ name: "web.search" }), output()]],
    ["arguments-form", [user, functionCall({ arguments: {} }), output()]],
    ["empty-output", [user, functionCall(), output({ output: [] })]],
    ["unknown-field", [user, functionCall({ parsed_arguments: {} }), output()]],
    ["unknown-field", [user, says([{ type: "output_text", text: "a", parsed: null }])]],
    ["empty-content", [{ role: "user", content: [] }]],
    ["part-type", [user, { role: "assistant", content: [{ type: "input_text", text: "a" }] }]],
    ["image-type", [{ role: "user", content: [{ type: "input_image", image_url: "data:image/bmp;base64,AA" }] }]],
  ])("finds %s", (rule, items) => {
    expect(rules(openaiResponsesBreaches(items))).toContain(rule);
  });

  it("takes a plain request", () => {
    expect(openaiResponsesBreaches([user, reasoning, functionCall(), output(), says("done")])).toEqual([]);
  });
});

const turn = (role: string, ...parts: Item[]) => ({ role, parts });
const said = turn("user", { text: "u" });
const functionUse = (name = "read") => ({ functionCall: { name, args: {} } });
const response = (name = "read") => ({ functionResponse: { name, response: { output: "ok" } } });

describe("the checker of Gemini", () => {
  it.each<[string, Item[]]>([
    ["no-messages", []],
    ["first-not-user", [turn("model", { text: "a" })]],
    ["pairing", [said, turn("model", functionUse(), functionUse()), turn("user", response())]],
    ["pairing", [said, turn("model", functionUse())]],
    ["pairing", [said, turn("user", response())]],
    ["call-out-of-turn", [said, turn("model", { text: "a" }), turn("model", functionUse()), turn("user", response())]],
    ["empty-content", [turn("user")]],
    ["empty-part", [turn("user", { text: "" })]],
    ["name-form", [said, turn("model", functionUse("7zip")), turn("user", response("7zip"))]],
    ["struct-form", [said, turn("model", { functionCall: { name: "read", args: [] } }), turn("user", response())]],
    ["media-type", [turn("user", { inlineData: { mimeType: "image/gif", data: "AA" } })]],
    ["media-type", [turn("user", { inlineData: { mimeType: "image/png", data: "" } })]],
  ])("finds %s", (rule, contents) => {
    expect(rules(geminiBreaches({ contents }))).toContain(rule);
  });

  it("takes a plain request", () => {
    const contents = [
      said,
      turn("model", { text: "a" }, functionUse()),
      turn("user", response()),
      turn("model", { text: "b" }),
    ];
    expect(geminiBreaches({ systemInstruction: { parts: [{ text: "s" }] }, contents })).toEqual([]);
  });
});

describe("the checker of the AI SDK", () => {
  const toolCall = { type: "tool-call", toolCallId: "a", toolName: "read", input: {} };
  const answer = { type: "tool-result", toolCallId: "a", toolName: "read", output: { type: "text", value: "ok" } };
  it.each<[string, Item[]]>([
    ["no-messages", []],
    ["refused", [user, says([toolCall]), user]],
    ["schema", [{ role: "user", content: [{ type: "text" }] }]],
    ["orphan-result", [user, { role: "tool", content: [answer] }]],
    ["late-system", [user, { role: "system", content: "s" }]],
  ])("finds %s", async (rule, messages) => {
    expect(rules(await aiSdkBreaches({ messages }))).toContain(rule);
  });

  it("takes a plain request", async () => {
    const messages = [user, says([toolCall]), { role: "tool", content: [answer] }, says("done")];
    expect(await aiSdkBreaches({ messages })).toEqual([]);
  });
});
