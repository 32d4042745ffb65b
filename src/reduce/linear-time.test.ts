import { describe, expect, it } from "vitest";
import { cpuTime } from "../../test/support/cpu-time.js";
import { reduceObservation } from "./reduce-observation.js";

const MB = 1_000_000;

/** A text of about so many characters, made of numbered parts. */
function grow(size: number, part: (index: number) => string): string {
  const parts: string[] = [];
  for (let length = 0, index = 0; length < size; index++) length += parts[parts.push(part(index)) - 1]!.length;
  return parts.join("");
}

const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  log: (size) => grow(size, (i) => `2024-05-01 12:00:${i % 60} INFO web-${i % 9}: item ${i} took ${i % 77} ms\n`),
  "errors everywhere": (size) => grow(size, (i) => `step ${i} failed > error: value ${i} > not found\n`),
  "test run": (size) => `${grow(size, (i) => `E    assert ${i} > a > b\n`)}Ran 3 tests in 1s\n`,
  JSON: (size) => `[${grow(size, (i) => `{"id":${i},"tags":["a","b"],"text":"item ${i}"},`)}0]`,
  "JSON map of lists": (size) => `{${grow(size, (i) => `"k${i}":[${i},1,2,3,4,5,6,7,8,9,10],`)}"z":0}`,
  table: (size) => `id,name,state,sum\n${grow(size, (i) => `${i},"user, ${i}",ok,${(i * 7919) % 1009}\n`)}`,
  "table of spaces": (size) => `NAME  READY  AGE\n${grow(size, (i) => `web-${i}  1/1  ${i % 9}d\n`)}`,
  "directory listing": (size) => grow(size, (i) => `./dir${i}:\na${i}.ts\nb.ts\n\n`),
  "JSON that breaks off": (size) => `[${grow(size, (i) => `{"id":${i}},`)}`,
  "one line": (size) => "x".repeat(size),
  "one line of words": (size) => grow(size, (i) => `word${i} `),
  backslashes: (size) => `{"a":"${"\\".repeat(size)}`,
  "carriage returns": (size) => grow(size, (i) => `${i} %\r`),
  "escape signs": (size) => "\u001b[".repeat(size / 2),
  "open tags": (size) => `<html>${"<script ".repeat(size / 8)}`,
  diff: (size) => `diff --git a/x b/x\n@@ -1 +1 @@\n${grow(size, (i) => `${"-+ "[i % 3]}line ${i}\n`)}@@ -2 +2 @@\n`,
  "one hunk": (size) => `--- a/x\n+++ b/x\n@@ -1 +1 @@\n${"-x\n".repeat(size / 6)}${"+y\n".repeat(size / 6)}`,
  commits: (size) => grow(size, (i) => `commit ${(i + 4096).toString(16)}0f1e2d3c\nAuthor: a\n\n    subject ${i}\n\n`),
  linter: (size) => grow(size, (i) => `/src/a${i}.ts\n  1:${i}  error  no ${i}\n  2:${i}  warning  none\n\n`),
  "open square brackets": (size) => grow(size, (i) => `12:00:01 [[[[[ ${i}\n`),
  "deep brackets": (size) => "[".repeat(size),
};

const timeOf = (text: string) => cpuTime(() => reduceObservation(text, { maxTokens: 512 }), 2);

describe("reduceObservation takes time in proportion to the text", () => {
  reduceObservation(SHAPES.log!(10_000), { maxTokens: 100 });

  it.each(Object.entries(SHAPES))("%s", async (_, shape) => {
    const small = await timeOf(shape(MB / 4));
    const large = await timeOf(shape(MB));
    // A fixed share makes up for noise where both are short; a quadratic scan of 1 MB would take minutes.
    expect(large).toBeLessThan(6 * small + 150);
  });
});
