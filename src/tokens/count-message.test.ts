import { describe, expect, test } from "vitest";
import type { AssistantPart, Message, ProviderOptions, ToolOutput } from "../message/types.js";
import { fromAnthropic, toAnthropic } from "../wire/anthropic.js";
import { fromGemini } from "../wire/gemini.js";
import { fromOpenAI } from "../wire/openai-chat.js";
import { createTokenCounter } from "./create-token-counter.js";

const counter = createTokenCounter();
const reasoning = (text: string, providerOptions?: ProviderOptions): Message => ({
  role: "assistant",
  content: [{ type: "reasoning", text, ...(providerOptions && { providerOptions }) }],
});
const sealed = "A".repeat(20_000);

describe("reasoning that its provider sealed", () => {
  test.each<[string, ProviderOptions]>([
    ["redacted by Anthropic", { anthropic: { redactedData: sealed } }],
    ["signed by Anthropic", { anthropic: { signature: sealed } }],
    ["encrypted by OpenAI", { openai: { itemId: "r", reasoningEncryptedContent: sealed } }],
    ["signed by Google", { google: { thoughtSignature: sealed } }],
  ])("counts by its length, %s", (_name, options) => {
    const tokens = counter.message(reasoning("", options));
    expect(tokens).toBeGreaterThan(20_000 / 5.5);
    expect(tokens).toBeLessThanOrEqual(4 + 20_000 / 4);
  });

  test("counts by its text where that is more", () => {
    const text = "I look at the file first. ".repeat(40);
    const short = reasoning(text, { anthropic: { signature: "A".repeat(300) } });
    expect(counter.message(short)).toBe(counter.message(reasoning(text)));
    expect(counter.message(reasoning(text, { anthropic: { signature: sealed } }))).toBeGreaterThan(4_000);
  });

  test("counts nothing for an id alone, or for marks of another type", () => {
    const empty = counter.message(reasoning(""));
    expect(counter.message(reasoning("", { openai: { itemId: "r", reasoningEncryptedContent: null } }))).toBe(empty);
  });
});

test("a part that records the start of a stream counts nothing, one that says something does", () => {
  const said = { type: "text", text: "fine" } as const;
  const message = (...parts: readonly AssistantPart[]): Message => ({ role: "assistant", content: [...parts, said] });
  const custom = (anthropic: object) =>
    ({ type: "custom", kind: "anthropic.part", providerOptions: { anthropic } }) as AssistantPart;
  const usage = { input_tokens: 9, cache_read_input_tokens: 2, service_tier: "standard" };
  const record = custom({ id: "msg_1", model: "claude-sonnet-5-5", usage });
  expect(counter.message(message(record))).toBe(counter.message(message()));
  expect(counter.message(message(custom({ id: "c", content: "the summary" })))).toBeGreaterThan(
    counter.message(message(record)) + 4,
  );
});

test("a denied call counts what is sent for it", () => {
  const result = (output: ToolOutput): Message => ({
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "a", toolName: "f", output }],
  });
  const denied = result({ type: "execution-denied" });
  const [message] = toAnthropic([denied]).messages;
  const [block] = message!.content as { content: string }[];
  expect(block!.content).toBe("Tool execution denied.");
  expect(counter.message(denied)).toBe(counter.message(result({ type: "text", value: block!.content })));
});

describe("fields that a wire format carries", () => {
  const long = "the model reads these words again ".repeat(200);
  const words = counter.text(long);
  const sizeOf = (messages: readonly Message[]) => messages.reduce((sum, each) => sum + counter.message(each), 0);
  const openAI = (fields: object) => sizeOf(fromOpenAI([{ role: "user", content: "hi", ...fields }]));
  const plain = openAI({});

  test("count with a message", () => {
    const details = [{ type: "reasoning.text", text: long }];
    const tokens = openAI({ role: "assistant", reasoning_details: details });
    expect(tokens).toBeGreaterThanOrEqual(plain + words);
    expect(tokens).toBeLessThan(plain + words + 30);
    const [restored] = JSON.parse(
      JSON.stringify(fromOpenAI([{ role: "assistant", content: "hi", reasoning_details: details }])),
    );
    expect(counter.message(restored)).toBe(tokens);
  });

  test("count once where they repeat the reasoning", () => {
    const details = [{ type: "reasoning.text", text: long }];
    const once = openAI({ role: "assistant", reasoning: long });
    expect(openAI({ role: "assistant", reasoning: long, reasoning_details: details })).toBeLessThan(once + 30);
  });

  test("count by their length where the provider sealed them", () => {
    const details = [{ type: "reasoning.encrypted", data: sealed }];
    const tokens = openAI({ role: "assistant", reasoning_details: details });
    expect(tokens).toBeGreaterThan(20_000 / 5.5);
    expect(tokens).toBeLessThan(plain + 20_000 / 4 + 30);
  });

  test("count with a call and with its result", () => {
    const call = { id: "a", type: "function", function: { name: "f", arguments: "{}" } };
    const talk = (callMore: object, resultMore: object) =>
      sizeOf(
        fromOpenAI([
          { role: "assistant", content: null, tool_calls: [{ ...call, ...callMore }] },
          { role: "tool", tool_call_id: "a", content: "ok", ...resultMore },
        ]),
      );
    const bare = talk({}, {});
    expect(talk({ thought: long }, {})).toBeGreaterThanOrEqual(bare + words);
    expect(talk({ function: { ...call.function, note: long } }, {})).toBeGreaterThanOrEqual(bare + words);
    expect(talk({}, { stderr: long })).toBeGreaterThanOrEqual(bare + words);
  });

  test("count with a document, as its title does", () => {
    const source = { type: "text", media_type: "text/plain", data: "short" };
    const documentOf = (fields: object) =>
      sizeOf(fromAnthropic({ messages: [{ role: "user", content: [{ type: "document", source, ...fields }] }] }));
    expect(documentOf({ context: long })).toBeGreaterThanOrEqual(documentOf({}) + words);
    expect(documentOf({ title: long })).toBeGreaterThanOrEqual(documentOf({}) + words);
    expect(documentOf({ cache_control: { type: "ephemeral" }, citations: { enabled: true } })).toBe(documentOf({}));
  });

  test("count a token and the name of who speaks", () => {
    const name = "A_name_of_many_words_that_the_model_reads_with_each_message";
    for (const role of ["user", "assistant", "system"])
      expect(openAI({ role, name })).toBe(openAI({ role }) + 1 + counter.text(name));
  });

  test("count nothing where no model reads them", () => {
    const usage = { prompt_tokens: 1_000, completion_tokens: 20 };
    const books = { id: "m", usage, annotations: [{ url: long }], refusal: null, index: 3 };
    expect(openAI({ role: "assistant", ...books })).toBe(plain);
    expect(openAI({ role: "system", content: [{ type: "text", text: "hi" }] })).toBe(plain);
    expect(openAI({ role: "developer" })).toBe(plain);
    const gemini = (field: string) =>
      sizeOf(fromGemini([{ role: "model", parts: [{ [field]: { name: "f", args: {} } }] }]));
    expect(gemini("function_call")).toBe(gemini("functionCall"));
  });
});
