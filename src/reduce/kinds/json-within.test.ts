import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countO200k } from "../../tokens/o200k.js";
import { reduceObservation } from "../reduce-observation.js";

const items = Array.from({ length: 400 }, (_, id) => ({
  id,
  name: `widget ${id}`,
  status: id === 211 ? "error" : "ok",
}));
const JSON_TEXT = JSON.stringify({ items });
const PRETTY = JSON.stringify({ items }, null, 2);
const HEADERS = "HTTP/1.1 200 OK\ncontent-type: application/json\n\n";

describe("JSON with text around it", () => {
  it.each([
    { place: "above the line that tells how a command ended", before: "", json: JSON_TEXT, after: "\nexit code 3" },
    { place: "below the headers of an answer", before: HEADERS, json: JSON_TEXT, after: "" },
    { place: "below the command, on many lines", before: "$ curl http://x\n", json: PRETTY, after: "\n" },
    { place: "behind a word on its own line", before: "Response: ", json: JSON_TEXT, after: "\n\ndone" },
  ])("is reduced as JSON $place", ({ before, json, after }) => {
    for (const maxTokens of [256, 1024, 2048]) {
      const { text, kind, tokensAfter } = reduceObservation(before + json + after, { maxTokens });
      expect(kind).toBe("text");
      expect(text.startsWith(before) && text.endsWith(after)).toBe(true);
      const inner: unknown = JSON.parse(text.slice(before.length, text.length - after.length));
      expect(inner).toEqual({ items: expect.arrayContaining([items[0], items[211], items[399]]) });
      expect(tokensAfter).toBeGreaterThan(maxTokens * 0.8);
    }
  });

  it("marks what it leaves out of a long text above", () => {
    const log = Array.from({ length: 80 }, (_, i) => `step ${i}`).join("\n");
    const { text } = reduceObservation(`Result: ${JSON_TEXT}\n${log}`, { maxTokens: 256 });
    expect(text).toContain("chars omitted");
    expect(text).toContain('"status":"error"');
    expect(text.endsWith("step 79")).toBe(true);
  });

  it("is left alone where it is the lesser part", () => {
    const log = Array.from({ length: 900 }, (_, i) => `2024-01-01 10:00:00 INFO step ${i} done`).join("\n");
    expect(reduceObservation(`${log}\n{"a":1}\n${log}`, { maxTokens: 256 }).kind).toBe("log");
  });
});

describe("JSON values that follow one another", () => {
  it.each([2, 3])("are each reduced, where %i are long", (times) => {
    const source = Array.from({ length: times }, () => JSON_TEXT).join("\n");
    for (const maxTokens of [256, 1024]) {
      const { text, kind, tokensAfter } = reduceObservation(source, { maxTokens });
      expect(kind).toBe("json-lines");
      const values = text.split("\n").map((line) => JSON.parse(line) as unknown);
      expect(values).toHaveLength(times);
      for (const value of values) expect(value).toEqual({ items: expect.arrayContaining([items[211]]) });
      expect(tokensAfter).toBeGreaterThan(maxTokens * 0.8);
    }
  });

  it("show the odd one of many that are written on several lines", () => {
    const source = Array.from({ length: 90 }, (_, id) =>
      JSON.stringify({ id, state: id === 41 ? "gone" : "ok" }, null, 2),
    );
    const { text } = reduceObservation(source.join("\n"), { maxTokens: 256 });
    const values = text.split("\n").map((line) => JSON.parse(line) as unknown);
    expect(values).toContainEqual({ id: 41, state: "gone" });
    expect(values).toContainEqual(expect.stringMatching(/^\.\.\. \(\d+ items omitted: \d+-40\) \.\.\.$/));
  });

  it("stay a log of JSON where they are many short lines", () => {
    const source = Array.from({ length: 500 }, (_, id) => JSON.stringify({ id, msg: "served" })).join("\n");
    expect(reduceObservation(source, { maxTokens: 256 }).text).toMatch(/^\[Data Truncated: json-lines, 500 lines/);
  });

  it("fit, whatever they and the text around them are", () => {
    const part = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.string({ maxLength: 30 }),
      fc.constant(JSON_TEXT.slice(0, 3_000)),
    );
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 8, max: 200 }),
        (parts, maxTokens) => {
          const { text } = reduceObservation([...parts, JSON.stringify(items.slice(0, 60))].join("\n"), { maxTokens });
          expect(countO200k(text)).toBeLessThanOrEqual(maxTokens);
        },
      ),
      { numRuns: 60 },
    );
  });
});
