import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { entities, hierarchical, importance, slidingWindow, summarization, VarveError } from "../src/index.js";

const PAGE = readFileSync(new URL("../docs/strategies.md", import.meta.url), "utf8");
/** What all of them take is told once. */
const COMMON = ["window", "model", "reserve", "trigger", "target", "maxSpend", "counter", "archive"];

/** The options that the page tells of in the table behind the strategy's name. */
function documented(strategy: string): string[] {
  const table = new RegExp(`^\`${strategy}\`:\\n\\n((?:\\|.*\\n)+)`, "m").exec(PAGE)?.[1] ?? "";
  return [...table.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]!);
}

/** The options that a strategy takes, as its refusal of another one lists them. */
function taken(create: (options: never) => unknown): string[] {
  try {
    create({ none: true } as never);
  } catch (error) {
    if (VarveError.isInstance(error)) return String(error.details.allowed).split(", ");
  }
  return [];
}

test.each([
  ["sliding-window", slidingWindow],
  ["summarization", summarization],
  ["hierarchical", hierarchical],
  ["importance", importance],
  ["entities", entities],
])("the page of the strategies tells of every option of %s, and of no other", (name, create) => {
  const own = taken(create).filter((option) => !COMMON.includes(option));
  expect(own.length).toBeGreaterThan(3);
  expect(documented(name).toSorted()).toEqual(own.toSorted());
});
