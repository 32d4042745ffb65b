import { describe, expect, test } from "vitest";
import { messageProblem } from "../src/message/check-message.js";
import { repair } from "../src/message/repair.js";
import { type Provider, violations } from "../src/wire/legality/violations.js";

const user = (part: object) => ({ role: "user", content: [part] });
const result = (output: object) => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "a", toolName: "f", output }],
});
const approval = (part: object) => ({ role: "tool", content: [{ type: "tool-approval-response", ...part }] });
const file = { type: "file", data: "AAAA", mediaType: "image/png" };

describe("a message with a field of the wrong type", () => {
  test.each([
    user({ type: "image", image: "AAAA", mediaType: 5 }),
    user({ ...file, filename: 7 }),
    user({ ...file, data: { type: "data", data: null } }),
    user({ ...file, data: { type: "url", url: 5 } }),
    { role: "assistant", content: [{ ...file, filename: {} }] },
    { role: "assistant", content: [{ type: "tool-approval-request", approvalId: 1, toolCallId: "a" }] },
    result({ type: "execution-denied", reason: 5 }),
    approval({ approvalId: "p", approved: "yes" }),
    approval({ approvalId: "p", approved: false, reason: 5 }),
  ])("is refused: %j", (message) => {
    expect(messageProblem(message)).toContain("part 0");
  });

  test.each([
    user({ type: "image", image: "AAAA" }),
    user({ ...file, filename: null }),
    user({ ...file, data: { type: "data", data: new Uint8Array(2) } }),
    user({ ...file, data: { type: "url", url: new URL("https://a.example") } }),
    user({ ...file, data: { type: "text", text: "x" } }),
    user({ ...file, data: { anthropic: "file_1" } }),
    result({ type: "execution-denied" }),
    approval({ approvalId: "p", approved: true }),
  ])("is told from one that may lack it: %j", (message) => {
    expect(messageProblem(message)).toBeUndefined();
  });
});

describe("what is no message", () => {
  const wrong: unknown[] = [
    null,
    [null],
    [{ role: "user" }],
    [{ role: "wizard", content: "x" }],
    [{ role: "assistant", content: null, tool_calls: [] }],
    [{ role: "tool", tool_call_id: "a", content: "x" }],
    [{ role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "x" }] }],
  ];

  test("is refused with a reason and a hint", () => {
    for (const given of wrong) {
      const refusal = { code: "invalid-message", hint: expect.stringContaining("fromOpenAI") };
      expect(thrownBy(() => repair(given as never))).toMatchObject(refusal);
      expect(thrownBy(() => violations(given as never, "gemini"))).toMatchObject(refusal);
    }
  });

  test("is a provider's name that nobody has", () => {
    const error = thrownBy(() => violations([], "openai" as Provider));
    expect(error).toMatchObject({ code: "invalid-option", hint: expect.stringContaining("openai-chat") });
    expect(thrownBy(() => violations([], "toString" as Provider))).toMatchObject({ code: "invalid-option" });
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
