import { describe, expect, it } from "vitest";
import { entryOf } from "../src/message/entry.js";
import { Log } from "../src/message/log.js";
import { packMessage } from "../src/message/packed-message.js";
import { NO_RESULT, repair } from "../src/message/repair.js";
import type { Message } from "../src/message/types.js";
import { PROVIDERS, violations } from "../src/wire/legality/violations.js";
import { call, calls, result, says, system, user } from "./support/build.js";

const asks = (...ids: string[]): Message => ({
  role: "assistant",
  content: [
    ...ids.map((id) => call(id)),
    ...ids.map((id) => ({ type: "tool-approval-request" as const, approvalId: `ask ${id}`, toolCallId: id })),
  ],
});
const answers = (...given: [id: string, approved: boolean, reason?: string][]): Message => ({
  role: "tool",
  content: given.map(([id, approved, reason]) => ({
    type: "tool-approval-response",
    approvalId: `ask ${id}`,
    approved,
    ...(reason !== undefined && { reason }),
  })),
});
const legal = (messages: readonly Message[]) =>
  PROVIDERS.flatMap((provider) => violations(messages, provider).map(({ rule }) => `${provider}: ${rule}`));

describe("a call that was approved", () => {
  it("stays open at the end of the log, whatever stands beside it", () => {
    const messages = [user("go"), asks("a", "b"), answers(["a", true], ["b", false, "no"])];
    expect(repair(messages)).toEqual({ messages, repairs: [] });
    expect(legal(messages)).toEqual([]);
  });

  it("stays last where calls beside it are closed", () => {
    const asked = asks("a");
    const both = { ...asked, content: [call("b"), ...(asked.content as never[])] } as Message;
    const { messages, repairs } = repair([user("go"), both, answers(["a", true])]);
    expect(repairs).toEqual([{ kind: "unanswered-call", at: 1, call: "b" }]);
    expect(messages.at(-1)).toEqual(answers(["a", true]));
    expect(legal(messages)).toEqual([]);
  });

  it("stays open behind an interruption that says nothing", () => {
    const { messages } = repair([system("s"), user("go"), asks("a"), answers(["a", true]), user(" ")]);
    expect(messages.at(-1)).toEqual(answers(["a", true]));
  });

  it.each([user("next"), system("A reminder.")])(
    "is closed once the conversation went on without its result",
    (next) => {
      const { messages, repairs } = repair([user("go"), asks("a"), answers(["a", true]), next]);
      expect(repairs).toEqual([{ kind: "unanswered-call", at: 1, call: "a" }]);
      expect(JSON.stringify(messages[3])).toContain(NO_RESULT);
    },
  );

  it("is closed in a log as soon as the next message comes", () => {
    const log = new Log();
    const push = (message: Message, at: number) =>
      log.push(entryOf(packMessage(message, at), at, { first: at, after: at - 1, time: 0 }));
    for (const [at, message] of [user("go"), asks("a"), answers(["a", true])].entries()) push(message, at);
    expect(log.legal(log.holding(1)!)).toHaveLength(2);
    push(user("next"), 3);
    expect(JSON.stringify(log.legal(log.holding(1)!))).toContain(NO_RESULT);
  });

  it("takes its result behind the answer", () => {
    const messages = [user("go"), asks("a"), answers(["a", true]), result("a"), says("done")];
    expect(repair(messages)).toEqual({ messages, repairs: [] });
    expect(legal(messages)).toEqual([]);
  });
});

describe("an answer to a request", () => {
  it("stands last where its call is open, and behind the request where it is not", () => {
    const given = [user("go"), asks("a", "b"), answers(["b", true], ["a", true]), result("a")];
    const ending = [user("go"), asks("a", "b"), answers(["a", true]), result("a"), answers(["b", true])];
    expect(repair(given).messages).toEqual(ending);
    expect(repair([...given, result("a")]).messages).toEqual(ending);
    expect(repair(ending)).toEqual({ messages: ending, repairs: [] });
  });

  it("does not stand last where the result came before it", () => {
    const { messages } = repair([user("go"), asks("a"), result("a"), answers(["a", true])]);
    expect(messages).toEqual([user("go"), asks("a"), answers(["a", true]), result("a")]);
  });

  it("stays with the older exchange that asked", () => {
    const between = [user("hm"), calls("b"), result("b")];
    const { messages } = repair([user("go"), asks("a"), ...between, answers(["a", false, "no"])]);
    expect(messages.slice(2, 4)).toMatchObject([
      answers(["a", false, "no"]),
      { content: [{ toolCallId: "a", output: { type: "execution-denied", reason: "no" } }] },
    ]);
    expect(messages.slice(4)).toEqual(between);
  });

  it("leaves an older exchange whole that has its results", () => {
    const messages = [user("go"), asks("a"), result("a"), user("hm"), calls("b"), result("b")];
    const shown = repair([...messages, answers(["a", true])]).messages;
    expect(shown).toEqual([...messages.slice(0, 2), answers(["a", true]), ...messages.slice(2)]);
  });

  it("is left out where nobody asked", () => {
    const messages = [user("go"), asks("a"), answers(["a", true]), result("a")];
    const { messages: shown, repairs } = repair([...messages, answers(["z", true])]);
    expect(shown).toEqual(messages);
    expect(repairs).toEqual([{ kind: "orphan-result", at: 4 }]);
  });
});

describe("a call that was denied", () => {
  it("is closed with the denial and its reason", () => {
    for (const rest of [[], [user("ok")]]) {
      const { messages, repairs } = repair([user("go"), asks("a"), answers(["a", false, "too dear"]), ...rest]);
      expect(repairs).toEqual([{ kind: "denied-call", at: 1, call: "a" }]);
      expect(messages[3]).toMatchObject({
        role: "tool",
        content: [{ toolCallId: "a", output: { type: "execution-denied", reason: "too dear" } }],
      });
      expect(legal(messages)).toEqual([]);
    }
  });
});

describe("an answer to a request about a call of the provider", () => {
  it("stays with the message that asked", () => {
    const asked: Message = {
      role: "assistant",
      content: [
        { ...call("m"), providerExecuted: true },
        { type: "tool-approval-request", approvalId: "ask m", toolCallId: "m" },
      ],
    };
    const messages = [user("go"), calls("a"), result("a"), asked, answers(["m", true])];
    expect(repair(messages)).toEqual({ messages, repairs: [] });
  });
});

describe("a result inside the message of its call", () => {
  const inside = (value: string) => (result("a", value).content as never[])[0]!;

  it("is moved behind it, and the rest of the message stays", () => {
    const own: Message = { role: "assistant", content: [{ type: "text", text: "I look" }, call("a"), inside("R")] };
    expect(legal([user("x"), own, user("y")])).toContain("anthropic: unanswered-call");
    const { messages, repairs } = repair([user("x"), own, user("y")]);
    expect(repairs).toEqual([{ kind: "inline-result", at: 1, call: "a" }]);
    expect(messages[1]).toEqual({ role: "assistant", content: [{ type: "text", text: "I look" }, call("a")] });
    expect(messages[2]).toEqual(result("a", "R"));
    expect(legal(messages)).toEqual([]);
  });

  it("counts before one that comes later", () => {
    const own: Message = { role: "assistant", content: [call("a"), inside("first"), call("b")] };
    const { messages, repairs } = repair([user("x"), own, result("b"), result("a", "second")]);
    expect(repairs.map(({ kind }) => kind)).toEqual(["inline-result", "surplus-result"]);
    expect(JSON.stringify(messages)).not.toContain("second");
    expect(legal(messages)).toEqual([]);
  });
});
