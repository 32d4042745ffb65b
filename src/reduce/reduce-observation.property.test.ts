import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test/support/runs.js";
import { countO200k } from "../tokens/o200k.js";
import { reduceObservation } from "./reduce-observation.js";

const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

const line = fc.oneof(
  fc.constantFrom(
    "E       assert 1 == 2",
    "FAILED a.py::test_x - boom",
    "2024-01-01 10:00:00 ERROR db: timeout after 30 s",
    "2024-01-01 10:00:01 INFO web: GET /users/17 200",
    "diff --git a/x b/x",
    "@@ -1,3 +1,4 @@",
    "+added",
    "src/a.ts(3,4): error TS2322: no",
    "./src/deep/path/file.ts",
    "a,b,c",
    "    at run (/app/x.js:3:4)",
    "<div>text</div>",
    "# Heading",
    "def f(x):",
    '{"level":"warn","n":1}',
    "├── src",
    "",
    "\u001b[31mred\u001b[0m",
    "1 %\r2 %\r3 %",
    "漢字かな交じり文😀👨‍👩‍👧",
    "<|endoftext|>",
    "A".repeat(700),
  ),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);
const anyText = fc.oneof(
  fc.array(line, { maxLength: 120 }).map((lines) => lines.join("\n")),
  fc.tuple(line, fc.nat(300)).map(([repeated, times]) => `${repeated}\n`.repeat(times)),
  fc.json({ depthSize: "large", maxDepth: 6 }),
  fc.string({ unit: "binary", maxLength: 600 }),
);
const budget = fc.oneof(fc.nat(40), fc.integer({ min: 16, max: 400 }));

describe("reduceObservation, for any text and budget", () => {
  it("fits, stays well-formed, and changes nothing that fits", () => {
    fc.assert(
      fc.property(anyText, budget, (text, maxTokens) => {
        const result = reduceObservation(text, { maxTokens });
        expect(countO200k(result.text)).toBeLessThanOrEqual(maxTokens);
        expect(result.tokensAfter).toBe(countO200k(result.text));
        expect(!isWellFormed(text) || isWellFormed(result.text)).toBe(true);
        expect(result.reduced).toBe(countO200k(text) > maxTokens);
        if (!result.reduced) expect(result.text).toBe(text);
      }),
      { numRuns: runs(400) },
    );
  });

  it("fits under a counter that charges by the character", () => {
    fc.assert(
      fc.property(anyText, budget, (text, maxTokens) => {
        const counter = (part: string) => Math.ceil(part.length / 3);
        expect(counter(reduceObservation(text, { maxTokens, counter }).text)).toBeLessThanOrEqual(maxTokens);
      }),
      { numRuns: runs(300) },
    );
  });

  it("returns its own result unchanged when asked again", () => {
    fc.assert(
      fc.property(anyText, budget, (text, maxTokens) => {
        const once = reduceObservation(text, { maxTokens }).text;
        expect(reduceObservation(once, { maxTokens }).text).toBe(once);
      }),
    );
  });

  it("shows lines of the source in their order, each either whole or marked as cut", () => {
    const excerpted = fc.array(
      line.filter((text) => !/[\r<{"]|^\d{4}-/.test(text) && !text.includes("\u001b") && text.trim() !== ""),
      { minLength: 40, maxLength: 200 },
    );
    const EXCERPTS = new Set([
      "text",
      "test-run",
      "diff",
      "compiler",
      "stack-trace",
      "table",
      "source",
      "prose",
      "tree",
    ]);
    fc.assert(
      fc.property(excerpted, fc.integer({ min: 130, max: 400 }), (source, maxTokens) => {
        const { text, kind, reduced } = reduceObservation(source.join("\n"), { maxTokens });
        fc.pre(reduced && EXCERPTS.has(kind) && !text.split("\n")[0]!.includes("line: file or change"));
        const numbered = source.join("\n").split("\n");
        let next = 0;
        for (const shown of text.split("\n").slice(1)) {
          const gap = /^\.\.\. \((\d+) lines? omitted: (\d+)(?:-(\d+))?\) \.\.\.$/.exec(shown);
          if (gap === null) {
            if (!shown.includes("chars omitted")) expect(shown).toBe(numbered[next]);
            next++;
          } else {
            expect(Number(gap[2])).toBe(next + 1);
            next += Number(gap[1]);
          }
        }
        expect(next).toBe(numbered.length);
      }),
    );
  });
});
