import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBlank } from "../src/message/content.js";
import { NO_RESULT, repair } from "../src/message/repair.js";
import type { Message, ToolCallPart, ToolResultPart } from "../src/message/types.js";
import { PROVIDERS, violations } from "../src/wire/legality/violations.js";
import { unusualHistory, history as usualHistory } from "./support/histories.js";
import { runs } from "./support/runs.js";

const history = fc.oneof(usualHistory, unusualHistory);
const user = (content: string): Message => ({ role: "user", content });
const calls = (...ids: string[]): Message => ({
  role: "assistant",
  content: ids.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "read", input: {} })),
});
const result = (toolCallId: string, value = "ok"): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: "read", output: { type: "text", value } }],
});

describe("repair", () => {
  it("makes any history legal for every provider", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const { messages: legal } = repair(messages);
        if (legal.every((message) => message.role === "system")) return;
        for (const provider of PROVIDERS) expect(violations(legal, provider)).toEqual([]);
      }),
      { numRuns: runs(400) },
    );
  });

  it("keeps the order of what it keeps, and every message that is not blank, surplus or orphaned", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const { messages: legal } = repair(messages);
        const kept = legal.filter((message) => message.role === "user" || message.role === "assistant");
        const spoken = messages.filter(
          (message) => (message.role === "user" || message.role === "assistant") && !isBlank(message),
        );
        const roles = kept.map((message) => message.role);
        expect(roles.slice(-spoken.length || roles.length)).toEqual(spoken.map((message) => message.role));
      }),
    );
  });

  it("does not touch its input, and repairs a repaired history no further", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const before = JSON.stringify(messages);
        const once = repair(messages).messages;
        expect(JSON.stringify(messages)).toBe(before);
        expect(repair(once).repairs).toEqual([]);
        expect(JSON.stringify(repair(once).messages)).toBe(JSON.stringify(once));
      }),
    );
  });

  it("returns the very messages of a history that is legal already", () => {
    const messages = [user("go"), calls("a", "b"), result("b"), result("a"), user("thanks")];
    const { messages: legal, repairs } = repair(messages);
    expect(repairs).toEqual([]);
    for (const [at, message] of legal.entries()) expect(message).toBe(messages[at]);
  });

  it("closes an unanswered call with a stated result", () => {
    const { messages, repairs } = repair([user("go"), calls("a", "b"), result("a"), user("next")]);
    expect(repairs).toEqual([{ kind: "unanswered-call", at: 1, call: "b" }]);
    expect(JSON.stringify(messages[3])).toContain(NO_RESULT);
  });

  it("leaves out a second answer and an answer nobody asked for", () => {
    const { messages, repairs } = repair([
      user("go"),
      calls("a"),
      result("a", "first"),
      result("a", "second"),
      result("z"),
    ]);
    expect(repairs.map((each) => each.kind)).toEqual(["surplus-result", "orphan-result"]);
    expect(messages).toHaveLength(3);
    expect(JSON.stringify(messages[2])).toContain("first");
  });

  it("shows a result with a blank id under the id and the name of its call", () => {
    const both = ["", ""].map((toolCallId, at) => ({
      ...(result(toolCallId, `of ${at}`).content[0] as ToolResultPart),
      toolName: "",
    }));
    const { messages, repairs } = repair([user("go"), calls("a", "b"), { role: "tool", content: both }]);
    expect(repairs).toEqual([]);
    expect(messages[2]?.content).toMatchObject([
      { toolCallId: "a", toolName: "read", output: { value: "of 0" } },
      { toolCallId: "b", toolName: "read", output: { value: "of 1" } },
    ]);
    const late = repair([user("go"), calls("a"), user("hurry"), { role: "tool", content: [both[0]!] }]);
    expect(late.repairs).toEqual([{ kind: "late-result", at: 3, call: "a" }]);
    expect(late.messages[2]?.content).toMatchObject([{ toolCallId: "a", toolName: "read" }]);
  });

  it("leaves out signed reasoning that led to nothing, behind words and behind calls", () => {
    const signed = { type: "reasoning" as const, text: "", providerOptions: { openai: { itemId: "rs" } } };
    const plain = { type: "reasoning" as const, text: "hm" };
    const said = { type: "text" as const, text: "said" };
    const [call] = calls("a").content as [ToolCallPart];
    const spoken: Message = { role: "assistant", content: [signed, said, signed, plain] };
    const called: Message = { role: "assistant", content: [call, signed] };
    const inside: Message = { role: "assistant", content: [call, signed, result("a").content[0] as ToolResultPart] };
    const history = [user("go"), spoken, user("on"), called, result("a"), user("on"), inside, user("stop")];
    const { messages, repairs } = repair(history);
    expect(repairs).toEqual([
      { kind: "trailing-reasoning", at: 1 },
      { kind: "trailing-reasoning", at: 3 },
      { kind: "trailing-reasoning", at: 6 },
      { kind: "inline-result", at: 6, call: "a" },
    ]);
    expect(messages[1]?.content).toEqual([signed, said, plain]);
    expect(messages[3]?.content).toEqual([call]);
    for (const provider of PROVIDERS) expect(violations(messages, provider)).toEqual([]);
  });

  it("moves a late result up to its call", () => {
    const { messages, repairs } = repair([user("go"), calls("a"), user("hurry"), result("a", "late")]);
    expect(repairs).toEqual([{ kind: "late-result", at: 3, call: "a" }]);
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "tool", "user"]);
  });

  it("pairs a reused id with the call it stands behind", () => {
    const { messages, repairs } = repair([user("go"), calls("a"), result("a", "one"), calls("a"), result("a", "two")]);
    expect(repairs).toEqual([]);
    expect(JSON.stringify(messages[2])).toContain("one");
    expect(JSON.stringify(messages[4])).toContain("two");
  });

  it("gives calls that share an id ids of their own", () => {
    const { messages, repairs } = repair([user("go"), calls("a", "a"), result("a", "one"), result("a", "two")]);
    expect(repairs).toEqual([{ kind: "renamed-call", at: 1, call: "a" }]);
    for (const provider of PROVIDERS) expect(violations(messages, provider)).toEqual([]);
    expect(JSON.stringify(messages)).toContain("two");
  });

  it("does not let an older unanswered call block the pairing of the next", () => {
    const { messages } = repair([user("go"), calls("a"), calls("b"), result("b", "second"), result("a", "first")]);
    const results = messages.filter((message) => message.role === "tool").map((message) => JSON.stringify(message));
    expect(results[0]).toContain("first");
    expect(results[1]).toContain("second");
  });
});
