import { describe, expect, it } from "vitest";
import { calls, result, says, user, words } from "../../test/support/build.js";
import { simplified } from "../message/same-message.js";
import type { Message, ToolDefinition } from "../message/types.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { fromAnthropic } from "../wire/anthropic.js";
import { hierarchical } from "./strategies/hierarchical.js";
import { importance } from "./strategies/importance.js";
import { slidingWindow } from "./strategies/sliding-window.js";
import { summarization } from "./strategies/summarization.js";

const counter = createTokenCounter();
const count = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + counter.message(message), 0);

describe("a history that the caller keeps", () => {
  it("is counted anew where a message was changed in place", async () => {
    const strategy = slidingWindow({ window: 10_000 });
    const message: Message = { role: "user", content: [{ type: "text", text: "short" }] };
    const before = await strategy.composePayload("", [message], []);
    (message.content as { text: string }[])[0]!.text = words(6_000);
    const after = await strategy.composePayload("", [message], []);
    expect(before.tokens).toBeLessThan(20);
    expect(after.tokens).toBeGreaterThan(6_000);
    expect(after.tokens).toBe(count(after.messages));
  });

  it.each([slidingWindow, hierarchical, summarization, importance])(
    "is told apart from others that overlap and begin alike (%o)",
    async (strategyOf) => {
      const strategy = strategyOf({ window: 8_000 });
      const long = Array.from({ length: 20 }, (_, at) => [user(`r ${at}`), says(`a ${at}`)]).flat();
      const lengths = [10, 40, 1, 20, 40];
      const payloads = await Promise.all(
        lengths.map((length) => strategy.composePayload("", long.slice(0, length), [])),
      );
      expect(payloads.map(({ messages }) => messages)).toEqual(lengths.map((length) => long.slice(0, length)));
    },
  );

  it("may change while another call has its turn, and may be wrong without harm to others", async () => {
    const strategy = slidingWindow({ window: 8_000 });
    const history = [user("one")];
    const first = strategy.composePayload("", history, []);
    const second = strategy.composePayload("", history, []);
    const wrong = strategy.composePayload("", [{ role: "nobody" } as unknown as Message], []);
    const third = strategy.composePayload("", [user("two")], []);
    history[0] = user("changed");
    await expect(wrong).rejects.toMatchObject({ code: "invalid-message" });
    const texts = await Promise.all([first, second, third]);
    expect(texts.map(({ messages }) => messages.map(({ content }) => content))).toEqual([["one"], ["one"], ["two"]]);
  });

  it("shows a change in the options of a message too", async () => {
    const strategy = slidingWindow({ window: 1_000 });
    const message: Message = { role: "user", content: "hi", providerOptions: { a: { mark: 1 } } };
    await strategy.composePayload("", [message], []);
    message.providerOptions!.a!.mark = 2;
    const { messages } = await strategy.composePayload("", [message], []);
    expect(messages[0]?.providerOptions).toEqual({ a: { mark: 2 } });
  });

  it("goes on as the same log while it only grows, also as new objects each time", async () => {
    const strategy = slidingWindow({ window: 300 });
    const build = (turns: number): Message[] =>
      Array.from({ length: turns }, (_, at) => [
        user(`r ${at}`),
        calls(`c${at}`),
        result(`c${at}`),
        says(words(9)),
      ]).flat();
    const receipts: unknown[] = [];
    for (let turns = 1; turns <= 12; turns++) {
      const { receipt } = await strategy.composePayload("", build(turns), []);
      if (receipt !== undefined) receipts.push(receipt);
    }
    expect(receipts.length).toBeGreaterThan(0);
    expect(receipts.length).toBeLessThan(6);
  });

  it("is not frozen by composing", async () => {
    const strategy = slidingWindow({ window: 1_000 });
    const message = { role: "user" as const, content: [{ type: "text" as const, text: "a" }] };
    await strategy.composePayload("", [message], []);
    message.content[0]!.text = "b";
    expect(message.content[0]!.text).toBe("b");
  });
});

describe("what cannot be composed is refused as such", () => {
  const strategy = slidingWindow({ window: 1_000 });
  const bad = (value: unknown) => value as never;

  it.each<[string, () => Promise<unknown>]>([
    ["a history that is no list", () => strategy.composePayload("", bad({}), [])],
    ["no history", () => strategy.onTurnComplete(bad(undefined))],
    ["a system prompt that is no text", () => strategy.composePayload(bad(5), [], [])],
    ["tools that are no list", () => strategy.composePayload("", [], bad({}))],
    ["a tool that is no object", () => strategy.composePayload("", [], bad(["read"]))],
    ["a context that is no text", () => strategy.composePayload("", [], [], bad({}))],
  ])("%s", async (_name, compose) => {
    await expect(compose()).rejects.toMatchObject({ code: "invalid-option", hint: expect.stringMatching(/./) });
  });

  it("a message that is none, by its index", async () => {
    const junk = bad({ role: "assistant", content: "", tool_calls: [{}] });
    await expect(strategy.composePayload("", [user("a"), junk], [])).rejects.toMatchObject({
      code: "invalid-message",
      details: { index: 1 },
    });
  });
});

it("tools of OpenAI pass through and count", async () => {
  const tool = { type: "function", function: { name: "read", description: words(50), parameters: { type: "object" } } };
  const { tools, tokens } = await slidingWindow({ window: 1_000 }).composePayload(
    "",
    [user("a")],
    [tool as unknown as ToolDefinition],
  );
  expect(tools).toEqual([tool]);
  expect(tokens).toBeGreaterThan(60);
});

describe("a client that sends the whole conversation again each time, with the cache mark moved on", () => {
  const cache_control = { type: "ephemeral" };
  const bytes = () => new Uint8Array([137, 80, 78, 71]);

  it.each<[string, (text: string, isMarked: boolean) => unknown]>([
    [
      "text that is a block while it is marked",
      (text, mark) => (mark ? [{ type: "text", text, cache_control }] : text),
    ],
    ["blocks", (text, mark) => [{ type: "text", text, ...(mark && { cache_control }) }]],
  ])("gets the views of one without marks: Anthropic's, %s", async (_name, content) => {
    const strategies = [slidingWindow({ window: 600 }), slidingWindow({ window: 600 })] as const;
    for (let length = 1; length < 80; length += 2) {
      const request = (isMarked: (at: number) => boolean) =>
        Array.from({ length }, (_, at) => ({
          role: at % 2 === 0 ? "user" : "assistant",
          content: content(words(20, `w${at}`), isMarked(at)),
        }));
      const [moving, plain] = await Promise.all([
        strategies[0].composePayload("", fromAnthropic(request((at) => at >= length - 3)), []),
        strategies[1].composePayload("", fromAnthropic(request(() => false)), []),
      ]);
      expect(moving.messages.map(simplified)).toEqual(plain.messages.map(simplified));
    }
  });

  it("gets the views of one without marks: the AI SDK's, on messages and on parts, beside pictures as bytes", async () => {
    const strategies = [slidingWindow({ window: 600 }), slidingWindow({ window: 600 })] as const;
    for (let length = 1; length < 60; length += 2) {
      const request = (isMarked: (at: number) => boolean) =>
        Array.from({ length }, (_, at): Message => {
          const options = isMarked(at) && { providerOptions: { anthropic: { cacheControl: cache_control } } };
          if (at % 2 === 1) return { role: "assistant", content: words(20, `w${at}`), ...options };
          const image = { type: "image", image: bytes(), mediaType: "image/png" } as const;
          return { role: "user", content: [{ type: "text", text: words(20, `w${at}`), ...options }, image] };
        });
      const [moving, plain] = await Promise.all([
        strategies[0].composePayload(
          "",
          request((at) => at >= length - 3),
          [],
        ),
        strategies[1].composePayload(
          "",
          request(() => false),
          [],
        ),
      ]);
      expect(moving.messages).toEqual(plain.messages);
    }
  });
});
