import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";

test("properties draw the same cases in every run, whatever runs before them", () => {
  const draw = () => fc.sample(fc.integer(), { numRuns: 5 });
  const first = draw();
  fc.assert(fc.property(fc.string(), () => true));
  expect(draw()).toEqual(first);
  expect(fc.sample(fc.integer(), { numRuns: 5, seed: 1 })).not.toEqual(first);
});

const sources = ["src", "test"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
);

test("no property counts its runs by itself, so that one setting makes all of them long", () => {
  const bare = sources.filter(
    (name) => name.endsWith(".ts") && /numRuns: \d+[\d_]*\b/.test(readFileSync(name, "utf8")),
  );
  expect(bare.filter((name) => name !== "test/properties.test.ts")).toEqual([]);
});
