import { describe, expect, test } from "vitest";
import { call, calls, result, says, system, user } from "../../test/support/build.js";
import type { Message } from "../message/types.js";
import { fromGemini, toGemini } from "./gemini.js";
import { fromOpenAI } from "./openai-chat.js";

const SKIPPED = "skip_thought_signature_validator";

/** The signature of each call, content by content. */
const signatures = (messages: readonly Message[]) =>
  toGemini(messages)
    .contents.map(({ parts }) => parts.filter((part) => "functionCall" in part).map((part) => part.thoughtSignature))
    .filter((list) => list.length > 0);

const signed = (id: string): Message => ({
  role: "assistant",
  content: [{ ...call(id), providerOptions: { google: { thoughtSignature: "c2ln" } } }],
});

describe("calls that Gemini did not sign", () => {
  test("say so where they stand first in a step", () => {
    const messages = [user("go"), calls("a", "b"), result("a"), result("b"), calls("c"), result("c")];
    expect(signatures(messages)).toEqual([[SKIPPED, undefined], [SKIPPED]]);
  });

  test("of another provider are written so", () => {
    const messages = fromOpenAI([
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: "Let me see",
        tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "a", content: "ok" },
    ]);
    expect(signatures(messages)).toEqual([[SKIPPED]]);
  });

  test("stay as they were when the user speaks again", () => {
    const past = [user("go"), calls("a", "b"), result("a"), result("b"), says("done")];
    const { contents } = toGemini(past);
    for (const next of [user("on"), system("hurry")]) {
      const messages = [...past, next, calls("c"), result("c")];
      expect(toGemini(messages).contents.slice(0, contents.length)).toEqual(contents);
      expect(signatures(messages)).toEqual([[SKIPPED, undefined], [SKIPPED]]);
    }
  });

  test("are one step where two messages of the model stand together", () => {
    expect(signatures([user("go"), calls("a"), calls("b"), result("a"), result("b")])).toEqual([[SKIPPED, undefined]]);
  });

  test("keep a signature that is there", () => {
    expect(signatures([user("go"), signed("a"), result("a"), calls("b"), result("b")])).toEqual([["c2ln"], [SKIPPED]]);
  });

  test("go back as they came in Gemini's own format", () => {
    const contents = [
      { role: "user", parts: [{ text: "go" }] },
      { role: "model", parts: ["a", "b"].map((id) => ({ functionCall: { id, name: "f", args: {} } })) },
      { role: "user", parts: ["a", "b"].map((id) => ({ functionResponse: { id, name: "f", response: {} } })) },
    ];
    expect(toGemini(fromGemini(contents))).toEqual({ contents });
  });
});
