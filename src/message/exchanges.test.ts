import { describe, expect, it } from "vitest";
import { calls, result, says, system, user } from "../../test/support/build.js";
import { ExchangeIndex, membersOf, toExchanges } from "./exchanges.js";
import type { Message } from "./types.js";

const shape = (messages: Parameters<typeof toExchanges>[0]) =>
  toExchanges(messages).map((exchange) => [exchange.kind, membersOf(exchange)]);

const named = (id: string, toolName: string): Message => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId: id, toolName, input: {} }],
});
const blank = (toolName: string): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "", toolName, output: { type: "text", value: toolName } }],
});
const answers = (messages: readonly Message[]) =>
  toExchanges(messages).flatMap(({ calls }) => calls.map((call) => call.answerMessage));

describe("toExchanges", () => {
  it("keeps a call with its results, and everything else alone", () => {
    expect(shape([system("s"), user("u"), calls("a", "b"), result("b"), result("a"), says("done")])).toEqual([
      ["system", [0]],
      ["user", [1]],
      ["calls", [2, 3, 4]],
      ["assistant", [5]],
    ]);
  });

  it("takes a result that came after other messages to the call it answers", () => {
    expect(shape([user("u"), calls("a"), user("v"), result("a")])).toEqual([
      ["user", [0]],
      ["calls", [1, 3]],
      ["user", [2]],
    ]);
  });

  it("gives a result to the latest of two calls with one id", () => {
    const exchanges = toExchanges([user("u"), calls("a"), calls("a"), result("a")]);
    expect(exchanges.map((exchange) => exchange.waiting)).toEqual([0, 1, 0]);
  });

  it("leaves a result without a call alone, and a second answer with its call", () => {
    const exchanges = toExchanges([user("u"), calls("a"), result("a"), result("a"), result("z")]);
    expect(exchanges.map((exchange) => exchange.kind)).toEqual(["user", "calls", "orphan"]);
    expect(exchanges[1]).toMatchObject({ clean: false, waiting: 0 });
  });

  it("numbers turns by the user's messages that say something", () => {
    const index = new ExchangeIndex();
    const messages = [says("hello"), user("one"), says("a"), user("  "), says("b"), user("two")];
    for (const [at, message] of messages.entries()) index.push(message, at);
    expect(index.exchanges.map((exchange) => exchange.turn)).toEqual([0, 1, 1, 1, 1, 2]);
    expect(index.turnHeads).toEqual([-1, 1, 5]);
  });

  it("counts no call that the provider answered itself", () => {
    const exchanges = toExchanges([
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "a", toolName: "search", input: {}, providerExecuted: true },
          { type: "tool-result", toolCallId: "a", toolName: "search", output: { type: "json", value: [] } },
        ],
      },
    ]);
    expect(exchanges[0]).toMatchObject({ kind: "assistant", waiting: 0 });
  });

  it("gives a result with a blank id to the first call of its tool that waits in the turn", () => {
    expect(answers([user("u"), named("a", "f"), named("b", "g"), blank("f"), blank("g")])).toEqual([3, 4]);
    expect(answers([user("u"), named("a", "f"), named("b", "f"), blank("f"), blank("")])).toEqual([3, 4]);
    expect(answers([user("u"), named("a", "f"), named("b", "g"), blank("g"), named("c", "f"), blank("f")])).toEqual([
      -1, 3, 5,
    ]);
    expect(answers([user("u"), named("a", "f"), user("v"), named("b", "g"), blank("f")])).toEqual([-1, -1]);
    expect(answers([user("u"), named("a", "f"), named("b", "g"), blank("f"), result("a")])).toEqual([3, -1]);
  });

  it("gives a result with a blank id and the name of no tool to the only call that waits", () => {
    expect(answers([user("u"), named("a", "f"), blank("g")])).toEqual([2]);
    expect(answers([user("u"), named("a", "f"), named("b", "g"), blank("h")])).toEqual([-1, -1]);
    expect(answers([user("u"), named("a", "f"), named("b", "g"), blank("g"), blank("h")])).toEqual([4, 3]);
    expect(answers([user("u"), named("a", "f"), named("b", "g"), blank("g"), named("c", "f"), blank("h")])).toEqual([
      -1, 3, 5,
    ]);
    expect(answers([user("u"), named("a", "x.f"), named("b", "x.g"), blank("g"), blank("f")])).toEqual([4, 3]);
  });

  it("takes a result with the id of the call rather than one that only may be meant", () => {
    const messages = [user("u"), named("a", "f"), blank("g"), result("a"), result("a")];
    expect(answers(messages)).toEqual([3]);
    expect(toExchanges(messages)[1]).toMatchObject({ waiting: 0, calls: [{ surplus: [2, 4] }] });
  });

  it("marks a message whose results belong to two exchanges as one to be taken apart", () => {
    const both = { role: "tool" as const, content: [...result("a").content, ...result("b").content] as never[] };
    const exchanges = toExchanges([user("u"), calls("a"), calls("b"), both]);
    expect(exchanges.slice(1).map((exchange) => [exchange.clean, exchange.waiting])).toEqual([
      [false, 0],
      [false, 0],
    ]);
  });
});
