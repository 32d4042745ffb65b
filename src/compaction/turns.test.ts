import { describe, expect, it } from "vitest";
import { calls, result, says, system, user } from "../../test/support/build.js";
import { OPENER } from "../message/repair.js";
import { splitByTurns, takeLastTurns } from "./turns.js";

describe("splitByTurns", () => {
  const messages = [system("s"), says("welcome"), user("a"), says("b"), user("c"), calls("1"), result("1"), user("d")];

  it("splits at the user message that opens the last turns", () => {
    expect(splitByTurns(messages, 2)).toEqual({
      system: [messages[0]],
      old: messages.slice(1, 4),
      recent: messages.slice(4),
    });
  });

  it("finds nothing old where there are no more turns than kept", () => {
    expect(splitByTurns(messages, 3)).toEqual({ system: [messages[0]], old: [], recent: messages.slice(1) });
    expect(splitByTurns([], 3)).toEqual({ system: [], old: [], recent: [] });
    expect(splitByTurns([system("s")], 1)).toEqual({ system: [system("s")], old: [], recent: [] });
  });

  it("keeps a result that came after the next user message with its call", () => {
    const late = [user("a"), calls("1"), user("b"), result("1"), says("c")];
    expect(splitByTurns(late, 1)).toEqual({
      system: [],
      old: [user("a"), calls("1"), result("1")],
      recent: [user("b"), says("c")],
    });
  });

  const openers = [OPENER, { ...OPENER }, user("[The user has not spoken yet.]")];
  it.each(openers)("takes neither a blank message nor the stand-in opener for a turn: $content", (opener) => {
    const odd = [opener, says("hello"), user("a"), user("  "), says("b")];
    expect(splitByTurns(odd, 1)).toEqual({ system: [], old: [], recent: [says("hello"), user("a"), says("b")] });
  });
});

describe("takeLastTurns", () => {
  it("keeps the leading system messages and the last turns", () => {
    const messages = [system("s"), user("a"), says("b"), user("c"), says("d")];
    expect(takeLastTurns(messages, 1)).toEqual([system("s"), user("c"), says("d")]);
  });
});
