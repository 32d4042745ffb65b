import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/support/runs.js";
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

  const users = JSON.stringify(
    Array.from({ length: 70 }, (_, id) => ({ id, name: `user ${id}` })),
    null,
    1,
  );
  const steps = Array.from({ length: 20 }, (_, i) => `step ${i} loading module m${i} done`);
  const cases = Array.from({ length: 30 }, (_, i) => `${i === 9 ? "not ok" : "ok"} ${i + 1} - case ${i + 1}`);
  const frames = Array.from({ length: 12 }, (_, i) => `  File "/app/m${i}.py", line ${i + 3}, in f${i}`);
  const stops = steps.map((_, i) => `stopping worker ${i}`);
  it.each([
    { what: "a log", lines: steps.with(10, "ERROR db: connection refused"), telling: "connection refused" },
    { what: "tests", lines: ["TAP version 13", ...cases, "1..30"], telling: "not ok 10 - case 10" },
    {
      what: "a stack trace",
      lines: ["Traceback (most recent call last):", ...frames, "ValueError: bad literal", ...stops],
      telling: "ValueError: bad literal",
    },
  ])("hides nothing that matters of $what above or below it", ({ lines, telling }) => {
    const around = lines.join("\n");
    for (const source of [`${users}\n${around}`, `${around}\n${users}`]) {
      for (const maxTokens of [128, 256, 512]) {
        expect(reduceObservation(source, { maxTokens }).text).toContain(telling);
      }
    }
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

  it("show the one that failed where there is room for one alone", () => {
    const source = Array.from({ length: 60 }, (_, id) =>
      JSON.stringify({ id, x: { y: [1, 2, id] }, state: id === 51 ? "FAILED" : "ok" }, null, 2),
    );
    const { text } = reduceObservation(source.join("\n"), { maxTokens: 64 });
    expect(text).toContain('{"id":51,');
    expect(text).toContain('"state":"FAILED"}');
    expect(text.split("\n")[0]).toBe('"... (51 items omitted: 0-50) ..."');
  });

  it("stay a log of JSON where they are many short lines", () => {
    const source = Array.from({ length: 500 }, (_, id) => JSON.stringify({ id, msg: "served" })).join("\n");
    expect(reduceObservation(source, { maxTokens: 256 }).text).toMatch(/^\[Data Truncated: json-lines, 500 lines/);
  });

  it.each([
    [5, 256],
    [6, 256],
    [10, 512],
    [20, 1024],
  ])("are a log of JSON from the first on, where %i lines are too many for %i tokens", (lines, maxTokens) => {
    const pad = "lorem ipsum dolor sit amet ".repeat(12);
    const served = (id: number) => JSON.stringify({ level: "info", msg: `ok ${id}`, pad });
    const source = Array.from({ length: lines }, (_, id) => served(id)).with(
      1,
      JSON.stringify({ level: "error", msg: "disk failed on node 7", pad }),
    );
    const { text, kind } = reduceObservation(source.join("\n"), { maxTokens });
    expect(kind).toBe("json-lines");
    expect(text).toMatch(new RegExp(`^\\[Data Truncated: json-lines, ${lines} lines`));
    expect(text).toContain("disk failed on node 7");
  });

  const fields = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`field${i}`, `value ${i}`]));
  const span = (id: number) => ({
    id,
    scope: { name: "web" },
    span: { status: id === 2 ? { code: "ERROR", message: "upstream timed out" } : { code: "OK", message: "" }, fields },
  });
  const wide = (id: number) => ({
    ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`field${i}`, i % 2 === 0 ? id : `value ${i}`])),
    message: id === 2 ? "upstream timed out" : "",
  });
  it.each([
    { what: "deep", record: span },
    { what: "wide", record: wide },
  ])("show what a $what one of few tells", ({ record }) => {
    const source = Array.from({ length: 4 }, (_, id) => JSON.stringify(record(id))).join("\n");
    for (const maxTokens of [192, 256]) {
      expect(reduceObservation(source, { maxTokens }).text).toContain("upstream timed out");
    }
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
      { numRuns: runs(60) },
    );
  });
});
