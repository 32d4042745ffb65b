import { describe, expect, it, test } from "vitest";
import { factTexts } from "./fact-text.js";
import { factsOf } from "./facts-of.js";
import { supersede } from "./supersede.js";

/** What is over once all of these were said, one after the other. */
function endedBy(...said: readonly string[]): string[] {
  const values = said.flatMap((text, at) =>
    factsOf(text, { source: "user" }).flatMap(({ slot, ...fact }) =>
      slot === undefined ? [] : [{ ...fact, slot, at, row: text }],
    ),
  );
  return supersede([], values).closings.map(({ value }) => value.row);
}

test("likings and habits are found by the words that they were told in", () => {
  const said = "I like coffee. We deploy on Fridays. I live in Paris.";
  expect(factTexts(factsOf(said, { source: "user" }))).toEqual(["user home city: Paris"]);
});

describe("a change", () => {
  it.each([
    ["Our CI is GitHub Actions", "Our CI is now Buildkite"],
    ["We use Jenkins for CI", "Our CI is Buildkite"],
    ["We deploy on Fridays", "We deploy on Mondays now"],
    ["We deploy on Fridays", "We no longer deploy on Fridays"],
    ["I am vegetarian", "I am no longer vegetarian"],
    ["I'm a vegan", "I'm not vegan anymore"],
    ["I like coffee", "I don't like coffee anymore"],
    ["I love green tea", "I no longer like green tea"],
    ["I always drink green tea", "I stopped drinking green tea"],
    ["I always use Vim", "I don't use Vim anymore"],
    ["We use Jenkins for CI", "Our CI is now Dagger"],
    ["I live in Paris", "I moved to Nice this week"],
  ])("%s / %s: the first one is over", (before, after) => {
    expect(endedBy(before, after)).toEqual([before]);
  });

  it.each([
    ["I live in Berlin", "I live in Rome this week"],
    ["I work at Acme", "I work for Globex this summer"],
    ["I swim on Mondays", "I swim on Thursdays"],
    ["We deploy on Fridays", "We meet on Mondays now"],
    ["I like coffee", "I like tea now"],
    ["I hate coffee", "I don't like coffee anymore"],
    ["I am vegetarian", "I am not vegan"],
    ["Our CI is GitHub Actions", "Our CI is green now"],
    ["We use Buildkite for CI", "The CI is Red again"],
    ["We use Buildkite for CI", "Our CI is Broken"],
    ["We use Buildkite for CI", "The CI is Green now"],
    ["We use Buildkite for CI", "Our CI is TypeScript"],
    ["We deploy on Fridays", "We now also deploy on Mondays"],
    ["We deploy on Fridays", "We deploy on Mondays now too"],
    ["We deploy on Fridays", "Now we deploy on Mondays, as well"],
    ["I love chocolate", "I stopped eating chocolate"],
    ["I like wine", "I don't drink wine anymore"],
    ["I like Python", "I don't use Python anymore"],
    ["I love green tea", "I no longer drink green tea"],
  ])("%s / %s: both hold", (before, after) => {
    expect(endedBy(before, after)).toEqual([]);
  });
});
