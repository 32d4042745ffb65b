import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromAnthropic, toAnthropic } from "./anthropic.js";
import { cacheMarks, markedPrompt } from "./anthropic.test-helpers.js";

const cache_control = { type: "ephemeral" } as const;
const text = (words: string, isMarked = true) => ({ type: "text", text: words, ...(isMarked && { cache_control }) });
const marked = (text: string) => ({ role: "user", content: [{ type: "text", text, cache_control }] });
const turns = (count: number) =>
  Array.from({ length: count }, (_, at) => [marked(`u${at}`), { role: "assistant", content: `a${at}` }]).flat();

/** The texts of the blocks that have a mark. */
const markedTexts = (value: unknown): string[] => {
  const found: string[] = [];
  JSON.stringify(value, (_key, field) => {
    if (field?.cache_control && typeof field.text === "string") found.push(field.text);
    return field;
  });
  return found;
};

describe("cache marks", () => {
  test("that every turn was sent with end at the newest four", () => {
    expect(markedTexts(toAnthropic(fromAnthropic(turns(9))))).toEqual(["u5", "u6", "u7", "u8"]);
  });

  test("of the system prompt come before those of the messages", () => {
    const prompt = { system: [text("tools"), text("rules")], messages: turns(9) };
    expect(markedTexts(toAnthropic(fromAnthropic(prompt)))).toEqual(["tools", "rules", "u7", "u8"]);
  });

  test("of the system prompt leave the newest message its own, and the first stays", () => {
    const system = ["a", "b", "c", "d", "e"].map((words) => text(words));
    expect(markedTexts(toAnthropic(fromAnthropic({ system, messages: turns(2) })))).toEqual(["a", "d", "e", "u1"]);
    const quiet = [{ role: "user", content: "hi" }];
    expect(markedTexts(toAnthropic(fromAnthropic({ system, messages: quiet })))).toEqual(["a", "c", "d", "e"]);
  });

  test("inside a tool's output count as well", () => {
    const answer = {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content: [text("old"), text("page")], cache_control },
        text("x"),
        text("y"),
      ],
    };
    const call = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] };
    const encoded = toAnthropic(fromAnthropic([{ role: "user", content: "go" }, call, answer]));
    expect(markedTexts(encoded)).toEqual(["page", "x", "y"]);
    expect(cacheMarks(encoded)).toBe(4);
  });

  test("that stand on whole messages count as well", () => {
    const providerOptions = { anthropic: { cacheControl: cache_control } };
    const messages = Array.from({ length: 6 }, (_, at) => [
      { role: "user" as const, content: `u${at}`, providerOptions },
      { role: "assistant" as const, content: "ok" },
    ]).flat();
    expect(markedTexts(toAnthropic(messages))).toEqual(["u2", "u3", "u4", "u5"]);
  });

  test("are four at most, and as they came where they are", () => {
    fc.assert(
      fc.property(markedPrompt, (prompt) => {
        const encoded = toAnthropic(fromAnthropic(prompt));
        expect(cacheMarks(encoded)).toBe(Math.min(4, cacheMarks(prompt)));
      }),
    );
  });
});
