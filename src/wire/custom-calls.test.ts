import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test/support/runs.js";
import { membersOf, toExchanges } from "../message/exchanges.js";
import { repair } from "../message/repair.js";
import type { Message } from "../message/types.js";
import { violations } from "../wire/legality/violations.js";
import { fromAnthropic, toAnthropic } from "./anthropic.js";
import { fromOpenAIResponses } from "./openai-responses.js";

const user = (text: string) => ({ role: "user", content: text });
const speaks = (...content: object[]) => ({ role: "assistant", content });
const text = (said: string) => ({ type: "text", text: said });
const serves = (id: string) => ({ type: "server_tool_use", id, name: "code_execution", input: {} });
const served = (id: string) => ({ type: "code_execution_tool_result", tool_use_id: id, content: [] });
const use = (id: string, program?: string) => ({
  type: "tool_use",
  id,
  name: "query",
  input: {},
  ...(program !== undefined && { caller: { type: "code_execution_20250825", tool_id: program } }),
});
const result = (id: string) => ({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "x" }] });

const shape = (messages: readonly Message[]) =>
  toExchanges(messages).map((exchange) => [exchange.kind, membersOf(exchange)]);
const kinds = (messages: readonly Message[]) => repair(messages).repairs.map(({ kind, at }) => `${kind}@${at}`);
const broken = (messages: readonly Message[]) => violations(messages, "anthropic");

describe("a custom call", () => {
  it("is one exchange with the message that answers it, and with all that its program calls till then", () => {
    const messages = fromAnthropic([
      user("go"),
      speaks(serves("s"), use("a", "s")),
      result("a"),
      speaks(use("b", "s")),
      result("b"),
      speaks(served("s"), text("done")),
      speaks(text("more")),
    ]);
    expect(shape(messages)).toEqual([
      ["user", [0]],
      ["calls", [1, 2, 3, 4, 5]],
      ["assistant", [6]],
    ]);
    const legal = repair(messages);
    expect(legal.repairs).toEqual([]);
    expect(legal.messages).toEqual(messages);
  });

  it("is answered across what the user says, and its answer moves up to it", () => {
    const messages = fromAnthropic([
      user("go"),
      speaks(text("I look"), serves("s")),
      user("well?"),
      speaks(served("s")),
    ]);
    expect(shape(messages)).toEqual([
      ["user", [0]],
      ["calls", [1, 3]],
      ["user", [2]],
    ]);
    expect(kinds(messages)).toEqual(["late-result@3"]);
    expect(repair(messages).messages).toEqual([messages[0], messages[1], messages[3], messages[2]]);
  });

  it("keeps the results of other calls of its message right behind that", () => {
    const messages = fromAnthropic([user("go"), speaks(serves("s"), use("a")), speaks(served("s")), result("a")]);
    expect(shape(messages)[1]).toEqual(["calls", [1, 2, 3]]);
    const legal = repair(messages).messages;
    expect(legal.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(broken(legal)).toEqual([]);
  });

  it("waits for nothing where its own message answers it", () => {
    const messages = fromAnthropic([user("go"), speaks(serves("s"), served("s"), text("so")), speaks(text("more"))]);
    expect(shape(messages).map(([kind]) => kind)).toEqual(["user", "assistant", "assistant"]);
  });

  it("closes the calls of each of its messages that nobody answered", () => {
    const messages = fromAnthropic([
      user("go"),
      speaks(serves("s"), use("a", "s")),
      speaks(use("b", "s")),
      result("b"),
      speaks(served("s"), text("done")),
    ]);
    const { messages: legal, repairs } = repair(messages);
    expect(repairs).toEqual([{ kind: "unanswered-call", at: 1, call: "a" }]);
    expect(legal.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "tool", "assistant"]);
    expect(broken(legal)).toEqual([]);
  });

  it("of Responses is answered by its approval or its output", () => {
    const messages = fromOpenAIResponses([
      user("go"),
      { type: "mcp_approval_request", id: "r" },
      user("hold on"),
      { type: "mcp_approval_response", approval_request_id: "r", approve: true },
      { type: "program", call_id: "p" },
      { type: "function_call", call_id: "f", name: "g", arguments: "{}", caller: { type: "program", caller_id: "p" } },
      { type: "function_call_output", call_id: "f", output: "x" },
      { type: "program_output", call_id: "p", result: "1" },
    ]);
    expect(shape(messages)).toEqual([
      ["user", [0]],
      ["calls", [1, 3]],
      ["user", [2]],
      ["calls", [4, 5, 6]],
    ]);
  });
});

describe("an answer to a custom call that nobody made", () => {
  it("is left out alone, and named", () => {
    const messages = fromAnthropic([user("go"), speaks(served("s"), text("so")), speaks(served("s"))]);
    expect(broken(messages)).toEqual([
      { rule: "orphan-result", at: 1 },
      { rule: "orphan-result", at: 2 },
    ]);
    expect(violations(messages, "openai-responses")).toEqual([]);
    const { messages: legal, repairs } = repair(messages);
    expect(repairs).toEqual([
      { kind: "orphan-result", at: 1, call: "s" },
      { kind: "orphan-result", at: 2 },
    ]);
    expect(toAnthropic(legal).messages).toEqual([user("go"), speaks(text("so"))]);
  });

  it("of Responses is left out too", () => {
    const messages = fromOpenAIResponses([user("go"), { type: "program_output", call_id: "p", result: "1" }]);
    expect(violations(messages, "openai-responses")).toEqual([{ rule: "orphan-result", at: 1 }]);
    expect(kinds(messages)).toEqual(["orphan-result@1"]);
  });

  const id = fc.constantFrom("a", "b", "c");
  const history = (used: fc.Arbitrary<object>) => {
    const block = fc.oneof(id.map(serves), id.map(served), used, fc.constant(text("said")));
    const spoken = fc.array(block, { minLength: 1, maxLength: 4 }).map((blocks) => speaks(...blocks));
    const message = fc.oneof({ weight: 3, arbitrary: spoken }, fc.constant(result("t")), fc.constant(user("next")));
    return fc.array(message, { maxLength: 9 }).map((wire) => fromAnthropic([user("go"), ...wire]));
  };

  it("never stays, whatever calls and answers there are", () => {
    fc.assert(
      fc.property(history(id.map((program) => use("t", program))), (messages) => {
        const { messages: legal, repairs } = repair(messages);
        expect(broken(legal)).toEqual([]);
        if (broken(messages).length > 0) expect(repairs).not.toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });

  it("is repaired at once", () => {
    fc.assert(
      fc.property(history(fc.constant(use("t"))), (messages) => {
        const once = repair(messages).messages;
        expect(repair(once)).toEqual({ messages: once, repairs: [] });
      }),
      { numRuns: runs(300) },
    );
  });
});
