import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calls, result, user, words } from "../../test/support/build.js";
import { history } from "../../test/support/histories.js";
import { runs } from "../../test/support/runs.js";
import type { AssistantMessage, Message } from "../message/types.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { toGemini } from "../wire/gemini.js";
import { capMessage, shrinkerOf } from "./shrink.js";

const counter = createTokenCounter();
const shrink = (messages: readonly Message[], maxTokens: number) => shrinkerOf(messages, counter).fit(maxTokens);
const tokens = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + counter.message(message), 0);

describe("messages shortened to fit", () => {
  it("fits wherever the shortest form does, and says so where not", () => {
    fc.assert(
      fc.property(history, fc.nat(600), (messages, maxTokens) => {
        const shrunk = shrink(messages, maxTokens);
        if (shrunk === undefined) expect(shrinkerOf(messages, counter).least).toBeGreaterThan(maxTokens);
        else expect(tokens(shrunk)).toBeLessThanOrEqual(maxTokens);
      }),
      { numRuns: runs(200) },
    );
  });

  it("keeps roles, calls and results in place", () => {
    fc.assert(
      fc.property(history, fc.nat(600), (messages, maxTokens) => {
        const shrunk = shrink(messages, maxTokens);
        const skeleton = (list: readonly Message[]) =>
          list.map(({ role, content }) => [
            role,
            typeof content === "string" ? 0 : content.flatMap((part) => ("toolCallId" in part ? part.toolCallId : [])),
          ]);
        if (shrunk !== undefined) expect(skeleton(shrunk)).toEqual(skeleton(messages));
      }),
    );
  });

  it("leaves small pieces whole and shortens the large ones", () => {
    const shrunk = shrink([user("keep me"), calls("a", "b"), result("a", "small"), result("b", words(900))], 200)!;
    expect(shrunk[0]).toEqual(user("keep me"));
    expect(shrunk[2]).toEqual(result("a", "small"));
    expect(tokens(shrunk)).toBeGreaterThan(150);
  });

  it("keeps the keys and short values of long arguments", () => {
    const write: Message = {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "a", toolName: "write", input: { path: "src/app.ts", content: words(2_000) } },
      ],
    };
    const [shrunk] = shrink([write], 120) as [AssistantMessage];
    const part = shrunk.content[0] as { input: { path: string; content: string } };
    expect(part.input.path).toBe("src/app.ts");
    expect(part.input.content).toContain("omitted");
  });

  it("never touches signed reasoning", () => {
    const signed = { type: "reasoning" as const, text: words(50), providerOptions: { anthropic: { signature: "s" } } };
    const message: Message = { role: "assistant", content: [signed, { type: "text", text: words(400) }] };
    const [shrunk] = shrink([message], 100) as [AssistantMessage];
    expect(shrunk.content[0]).toBe(signed);
    expect(shrink([message], 40)).toBeUndefined();
  });

  it("replaces media that do not fit by a mark", () => {
    const message: Message = {
      role: "user",
      content: [
        { type: "text", text: "what is it?" },
        { type: "image", image: new URL("https://example.com/a.png") },
      ],
    };
    const [shrunk] = shrink([message], 30)!;
    expect(JSON.stringify(shrunk)).toContain("media left out");
    expect(JSON.stringify(shrunk)).toContain("what is it?");
  });
});

describe("several media", () => {
  const image = (name: string) => ({ type: "image" as const, image: new URL(`https://example.com/${name}.png`) });
  const imageTokens = counter.message({ role: "user", content: [image("a")] });
  const shown = (maxTokens: number, texts = "compare them") => {
    const images = ["a", "b", "c", "d"].map(image);
    const message: Message = { role: "user", content: [{ type: "text", text: texts }, ...images] };
    const [shrunk] = shrink([message], maxTokens)!;
    const parts = (shrunk as { content: readonly { type: string; image?: URL; text?: string }[] }).content;
    return parts.map((part) => part.image?.pathname.slice(1, 2) ?? part.text);
  };

  it("stay as far as they fit, the latest first, and one mark tells how many are gone", () => {
    expect(shown(imageTokens * 3 + 40)).toEqual(["compare them", "[media left out]", "b", "c", "d"]);
    expect(shown(imageTokens * 2 + 40)).toEqual(["compare them", "[2 media left out]", "c", "d"]);
    expect(shown(imageTokens - 10)).toEqual(["compare them", "[4 media left out]"]);
  });

  it("share the room with a long text", () => {
    const [text, mark, ...images] = shown(imageTokens * 3, words(imageTokens * 4));
    expect(counter.text(text!)).toBeGreaterThan(imageTokens * 1.9);
    expect(mark).toBe("[3 media left out]");
    expect(images).toEqual(["d"]);
  });

  it("leave all the room to the text where none of them fits into half of it", () => {
    const long = words(imageTokens * 4);
    const [alone] = shown(imageTokens * 1.5, long);
    expect(counter.text(alone!)).toBeGreaterThan(imageTokens * 1.4);
  });
});

describe("files that are text", () => {
  const data = Buffer.from(Array.from({ length: 400 }, (_, i) => `row ${i} value ${i * 3} ok`).join("\n"));
  const file = (filename: string) => ({ type: "file" as const, data, mediaType: "text/csv", filename });
  const request = (count: number, text: string): Message => ({
    role: "user",
    content: [{ type: "text", text }, ...Array.from({ length: count }, (_, i) => file(`f${i}.csv`))],
  });
  const texts = (messages: readonly Message[] | undefined) =>
    messages?.flatMap(({ content }) => (content as { text: string }[]).map(({ text }) => text));

  it("are shown below the last part of their name where the whole is too long", () => {
    const message: Message = { role: "user", content: [file(`${"very/long/path/".repeat(30)}x.csv`)] };
    for (const maxTokens of [40, 100, 300]) {
      const [text] = texts(shrink([message], maxTokens))!;
      expect(text).toMatch(/^\[file: x\.csv\]\n(?:.*\n)*.*row 0 value 0 ok/);
    }
  });

  it("are left out under one mark where nothing could be shown of each", () => {
    for (const maxTokens of [20, 60, 200])
      expect(texts(shrink([request(20, "look")], maxTokens))).toEqual(["look", "[20 media left out]"]);
  });

  it("leave their room to the text where they are left out", () => {
    const [text] = texts(shrink([request(20, words(400))], 200))!;
    expect(counter.text(text!)).toBeGreaterThan(150);
  });

  it("never keep an exchange from its shortest form", () => {
    const { least } = shrinkerOf([request(20, "look")], counter);
    expect(least).toBeLessThan(20);
    expect(shrink([request(20, "look")], least)).toBeDefined();
  });
});

describe("capMessage", () => {
  it("returns the message itself where every result is short enough", () => {
    const message = result("a", words(50));
    expect(capMessage(message, { maxTokens: 60, counter: (text) => counter.text(text) })).toBe(message);
  });

  it("keeps a failed result failed", () => {
    const failed: Message = {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "a", toolName: "run", output: { type: "error-text", value: words(500) } },
      ],
    };
    expect(capMessage(failed, { maxTokens: 60, counter: (text) => counter.text(text) })).toMatchObject({
      content: [{ output: { type: "error-text" } }],
    });
  });
});

describe("a request that is cut short", () => {
  it("keeps its head, and one short mark for all its media", () => {
    const image = { type: "image" as const, image: new URL("https://example.com/a.png") };
    const text = "<|endoftext|> error src/app.ts 한국어 한국어 error merge src/app.ts";
    const message: Message = { role: "user", content: [{ type: "text", text }, image, image, image] };
    for (let maxTokens = 24; maxTokens < 60; maxTokens++) {
      const [shrunk] = shrink([message], maxTokens)!;
      const parts = shrunk!.content as { type: string; text: string }[];
      expect(parts).toHaveLength(2);
      expect(parts[0]!.text.slice(0, 8)).toBe(text.slice(0, 8));
      expect(counter.text(parts[1]!.text)).toBeLessThan(7);
    }
  });
});

describe("a call whose arguments are cut", () => {
  it("loses the signature that vouched for them, and keeps it where they stay", () => {
    const signed = (content: string): Message => ({
      role: "assistant",
      content: [
        {
          type: "tool-call",
          toolCallId: "a",
          toolName: "write",
          input: { content },
          providerOptions: { google: { thoughtSignature: "c2ln" }, varve: { kept: true } },
        },
      ],
    });
    const [cut] = shrink([signed(words(900))], 100)!;
    expect(JSON.stringify(cut)).not.toContain("thoughtSignature");
    expect(JSON.stringify(cut)).toContain('"varve":{"kept":true}');
    const beside = shrink([signed("short"), result("a", words(900))], 100)!;
    expect(JSON.stringify(beside[0])).toContain("thoughtSignature");
    expect(JSON.stringify(toGemini([user("go"), cut!]))).toContain("skip_thought_signature_validator");
  });
});

describe("a shrinker", () => {
  it("counts each piece once, however often it is asked", () => {
    let characters = 0;
    const counting = {
      ...counter,
      text: (text: string) => {
        characters += text.length;
        return counter.text(text);
      },
    };
    const text = words(40_000);
    const shrinker = shrinkerOf([user(text)], counting, 40_004);
    shrinker.fit(100);
    shrinker.fit(90);
    expect(shrinker.least).toBeLessThan(10);
    expect(characters).toBeLessThan(text.length * 1.5);
  });
});
