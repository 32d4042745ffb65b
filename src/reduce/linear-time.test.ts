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
  "log of states": (size) =>
    grow(size, (i) => `12:00:01 "GET /${"abcdefghij"[i % 10]}/${i} HTTP/1.1" ${i % 997 ? 200 : 500} ${i}\n`),
  "JSON below a line": (size) => `$ curl\n[${grow(size, (i) => `{"id":${i}},\n`)}0]`,
  "values one after another": (size) => grow(size, (i) => `{\n"id":${i}\n}\n`),
  "frames everywhere": (size) => grow(size, (i) => `Failed ${i}\n    at f${i} (/app/a.js:${i})\n`),
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
  "bare signs in a page": (size) => `<html><body><p>x</p>\n${"a < b\n".repeat(size / 6)}`,
  "elements that never end": (size) => `<html><body>${"<script>x <!-- y ".repeat(size / 17)}`,
  "tags that never end": (size) => `<html><body>${'<a href="x'.repeat(size / 10)}`,
  "ends that never end": (size) => `<html><script>${"</script ".repeat(size / 9)}`,
  "entities without an end": (size) => `<html><body>\n${"&amp ".repeat(size / 5)}`,
  "elements on one line": (size) => `<?xml version="1.0"?><r>${grow(size, (i) => `<a>${i}</a>`)}</r>`,
  "states of one line": (size) =>
    `end\n${grow(size, (i) => `file ${"abcdefg"[i % 7]}${i} % \rat ${i.toString(26)}\r`)}`,
  diff: (size) => `diff --git a/x b/x\n@@ -1 +1 @@\n${grow(size, (i) => `${"-+ "[i % 3]}line ${i}\n`)}@@ -2 +2 @@\n`,
  "one hunk": (size) => `--- a/x\n+++ b/x\n@@ -1 +1 @@\n${"-x\n".repeat(size / 6)}${"+y\n".repeat(size / 6)}`,
  commits: (size) => grow(size, (i) => `commit ${(i + 4096).toString(16)}0f1e2d3c\nAuthor: a\n\n    subject ${i}\n\n`),
  linter: (size) => grow(size, (i) => `/src/a${i}.ts\n  1:${i}  error  no ${i}\n  2:${i}  warning  none\n\n`),
  "search with context": (size) => grow(size, (i) => `a/f${i % 999}.ts:${i}:x\na/f${i % 999}.ts-${i}-y\n--\n`),
  "blocks of a linter": (size) => grow(size, (i) => `a${i}.js:1:${i} lint/a/b ━━━━━\n\n  × wrong ${i}\n\n`),
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
