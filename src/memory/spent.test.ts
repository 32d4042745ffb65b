import { describe, expect, it } from "vitest";
import { factsOf } from "./facts/facts-of.js";
import type { MemoryFact } from "./memory.js";
import { isSpent } from "./spent.js";

const ended = (content: string): MemoryFact[] =>
  factsOf(content, { source: "user" }).map((fact) =>
    fact.slot === undefined ? fact : { ...fact, validUntil: "2026-01-01T00:00:00.000Z" },
  );

describe("a memory whose values have ended", () => {
  it.each([
    "I live in Paris",
    "I live in Paris, France.",
    "I work at Acme as an engineer",
    "I work at Acme since 2019.",
    "The deploy port is 8080. I live in Paris.",
    "Reminder: the deploy port is 8080.",
  ])("ends with them where it says nothing else: %s", (content) => {
    expect(isSpent(content, ended(content))).toBe(true);
  });

  it.each([
    "I live in Paris and I am allergic to penicillin",
    "I live in Paris, my sister in Rome.",
    "The deploy port is 8080. Never deploy on Fridays, the on-call is Bo.",
    "The deploy port is 8080; ask Bo before you change it.",
    "I live in Paris. Ann has three cats.",
    "I live in Paris.\n> The door code is 4711",
    "Nothing of this is a value",
  ])("stays where it says more: %s", (content) => {
    expect(isSpent(content, ended(content))).toBe(false);
  });

  it("stays as long as one of them holds", () => {
    const content = "The deploy port is 8080. I live in Paris.";
    const [one, ...others] = factsOf(content, { source: "user" });
    const facts = [one!, ...others.map((fact) => ({ ...fact, validUntil: "2026-01-01T00:00:00.000Z" }))];
    expect(isSpent(content, facts)).toBe(false);
  });
});
