import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calls, result, user } from "../../test/support/build.js";
import type { Message } from "../message/types.js";
import { toAnthropic } from "./anthropic.js";

interface Block {
  type: string;
  id?: string;
  tool_use_id?: string;
  content?: unknown;
}

const blocksOf = (messages: readonly Message[]): Block[] =>
  toAnthropic(messages).messages.flatMap(({ content }) => (typeof content === "string" ? [] : (content as Block[])));
const uses = (messages: readonly Message[]) => blocksOf(messages).flatMap(({ id }) => id ?? []);
const answers = (messages: readonly Message[]) => blocksOf(messages).flatMap(({ tool_use_id: id }) => id ?? []);

describe("ids of calls in Anthropic", () => {
  test("used again in a later turn get a number, and their results with them", () => {
    const messages = [user("a"), calls("x"), result("x", "one"), user("b"), calls("x"), result("x", "two")];
    expect(uses(messages)).toEqual(["x", "x_2"]);
    expect(blocksOf(messages).filter(({ type }) => type === "tool_result")).toMatchObject([
      { tool_use_id: "x", content: "one" },
      { tool_use_id: "x_2", content: "two" },
    ]);
  });

  test("that differ only in characters which the API refuses stay apart", () => {
    const messages = [user("a"), calls("f:0", "f.0"), result("f.0", "dot"), result("f:0", "colon")];
    expect(uses(messages)).toEqual(["f_0", "f_0_2"]);
    expect(blocksOf(messages)).toContainEqual({ type: "tool_result", tool_use_id: "f_0_2", content: "dot" });
    expect(blocksOf(messages)).toContainEqual({ type: "tool_result", tool_use_id: "f_0", content: "colon" });
  });

  test("keep out of the way of ids that look like renamed ones", () => {
    expect(uses([calls("x_2"), result("x_2"), calls("x"), result("x"), calls("x"), result("x")])).toEqual([
      "x_2",
      "x",
      "x_3",
    ]);
  });

  test("of one message that share an id are answered in their order", () => {
    expect(answers([calls("x", "x"), result("x"), result("x")])).toEqual(["x", "x_2"]);
  });

  const turns = fc.array(fc.uniqueArray(fc.constantFrom("a", "b", "a:1", "a.1", "a_1", ""), { minLength: 1 }));
  const conversation = turns.map((ids) =>
    ids.flatMap((batch) => [user("go"), calls(...batch), ...batch.map((id) => result(id))]),
  );

  test("are never there twice, and each has its result", () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const written = uses(messages);
        expect(new Set(written).size).toBe(written.length);
        expect(answers(messages)).toEqual(written);
      }),
    );
  });

  test("do not change when the conversation goes on", () => {
    fc.assert(
      fc.property(conversation, fc.nat(), (messages, length) => {
        const start = uses(messages.slice(0, length));
        expect(uses(messages).slice(0, start.length)).toEqual(start);
      }),
    );
  });

  test("are given in linear time", () => {
    const many = Array.from({ length: 20_000 }, () => [calls("x"), result("x")]).flat();
    expect(new Set(uses(many)).size).toBe(20_000);
  }, 2_000);
});
