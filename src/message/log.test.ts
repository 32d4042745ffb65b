import { expect, it } from "vitest";
import { says, system, user } from "../../test/support/build.js";
import { logOf } from "./log.js";

it("counts a system message that comes while nobody has spoken to the start, though exchanges were asked for before", () => {
  const { entries } = logOf([system("A"), system("B"), user("Hi."), says("Hello.")]);
  const log = logOf([]);
  for (const entry of entries) {
    log.push(entry);
    log.visibleBefore(log.entries.length);
  }
  expect([log.start, log.exchanges.map(({ first }) => first)]).toEqual([2, [2, 3]]);
});
