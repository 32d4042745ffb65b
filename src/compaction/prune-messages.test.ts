import { describe, expect, it } from "vitest";
import { call, calls, result, says, user } from "../../test/support/build.js";
import type { AssistantPart, Message } from "../message/types.js";
import { pruneMessages } from "./prune-messages.js";

const assistant = (...content: AssistantPart[]): Message => ({ role: "assistant", content });
const thought = (text: string): AssistantPart => ({ type: "reasoning", text });
const signed: AssistantPart = {
  type: "reasoning",
  text: "",
  providerOptions: { anthropic: { redactedData: "sealed" } },
};
const text = (words: string): AssistantPart => ({ type: "text", text: words });

describe("pruneMessages", () => {
  it("returns messages with nothing to clean as they are", () => {
    const messages = [user("a"), assistant(thought("so"), text("b")), calls("1"), result("1")];
    const pruned = pruneMessages(messages);
    expect(pruned).toEqual(messages);
    for (const [at, message] of pruned.entries()) expect(message).toBe(messages[at]);
  });

  it("leaves out blank messages, blank texts and empty reasoning", () => {
    const messages = [user("a"), says(" "), assistant(thought(""), text(""), text("b")), assistant(thought("\n"))];
    expect(pruneMessages(messages)).toEqual([user("a"), assistant(text("b"))]);
  });

  it("keeps signed reasoning that shows no text", () => {
    const messages = [user("a"), assistant(signed, text(""), text("b"))];
    expect(pruneMessages(messages)).toEqual([user("a"), assistant(signed, text("b"))]);
  });

  it("leaves out calls that nobody answered, with the reasoning that led to nothing else", () => {
    const messages = [user("a"), assistant(thought("why"), text("b"), signed, call("1")), user("c"), calls("2")];
    expect(pruneMessages(messages)).toEqual([user("a"), assistant(thought("why"), text("b")), user("c"), calls("2")]);
  });

  it("keeps the answered calls of a batch", () => {
    const messages = [user("a"), calls("1", "2"), result("2"), user("b")];
    expect(pruneMessages(messages)).toEqual([user("a"), calls("2"), result("2"), user("b")]);
  });

  it("leaves out results that nobody asked for", () => {
    expect(pruneMessages([user("a"), result("stray"), says("b")])).toEqual([user("a"), says("b")]);
  });

  it("changes nothing in what it was given", () => {
    const messages = [user("a"), assistant(thought(""), text("b"), call("1")), user("c")];
    const before = structuredClone(messages);
    pruneMessages(messages);
    expect(messages).toEqual(before);
  });
});
