import { describe, expect, it } from "vitest";
import { calls, result, says, system, user } from "../../../test/support/build.js";
import type { Message } from "../../message/types.js";
import { type Provider, violations } from "./violations.js";

const rules = (messages: readonly Message[], provider: Provider) =>
  violations(messages, provider).map(({ rule, at }) => `${rule}@${at}`);
const ALL: Provider[] = ["openai-chat", "openai-responses", "anthropic", "gemini"];

describe("violations", () => {
  it("finds none in a plain tool loop", () => {
    const messages = [system("s"), user("u"), calls("a", "b"), result("b"), result("a"), says("done")];
    for (const provider of ALL) expect(rules(messages, provider)).toEqual([]);
  });

  it.each(ALL)("%s: names broken pairs of calls and results, and where they stand", (provider) => {
    expect(rules([user("u"), result("a")], provider)).toContain("orphan-result@1");
    expect(rules([user("u"), calls("a"), user("v")], provider)).toContain("unanswered-call@1");
    expect(rules([user("u"), calls("a")], provider)).toContain("unanswered-call@1");
    const twice = provider === "gemini" ? "orphan-result@3" : "answered-twice@3";
    expect(rules([user("u"), calls("a"), result("a"), result("a")], provider)).toContain(twice);
    expect(rules([], provider)).toContain("no-messages@0");
  });

  it("finds none in what the encoders mend", () => {
    const shared = [user("u"), calls("a", "a"), result("a"), result("a")];
    expect(rules(shared, "anthropic")).toEqual([]);
    expect(rules(shared, "openai-responses")).toEqual([]);
    expect(rules(shared, "openai-chat")).toContain("duplicate-call-id@1");
    for (const provider of ALL) expect(rules([user("u"), says(" "), user("v")], provider)).toEqual([]);
  });

  it("lets the assistant speak first only where the provider does", () => {
    const messages = [system("s"), says("hello"), user("u")];
    expect(rules(messages, "openai-chat")).toEqual([]);
    expect(rules(messages, "anthropic")).toEqual(["first-not-user@1"]);
    expect(rules(messages, "gemini")).toEqual(["first-not-user@1"]);
  });

  it("lets a system message stand later only where the provider does", () => {
    const messages = [user("u"), system("late"), says("yes")];
    expect(rules(messages, "openai-chat")).toEqual([]);
    expect(rules(messages, "anthropic")).toEqual([]);
  });

  it("wants Gemini's function calls after the user or after function responses", () => {
    expect(rules([calls("a"), result("a"), user("u")], "gemini")).toContain("call-out-of-turn@0");
    expect(rules([user("u"), says("first this"), calls("a"), result("a")], "gemini")).toEqual([]);
  });
});
