import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";
import { scanJson } from "./json-scan.js";

const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

const reduce = (value: unknown, maxTokens = 256) => reduceObservation(JSON.stringify(value, null, 1), { maxTokens });
const users = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `user ${id}`, status: "ok" }));

describe("JSON", () => {
  it("stays valid, with marks for the items left out", () => {
    const { text, kind } = reduce(users(900));
    expect(kind).toBe("json");
    const items = JSON.parse(text);
    expect(items[0]).toEqual({ id: 0, name: "user 0", status: "ok" });
    expect(items.at(-1)).toEqual({ id: 899, name: "user 899", status: "ok" });
    expect(items).toContainEqual(expect.stringMatching(/^\.\.\. \(\d+ items omitted: \d+-\d+\) \.\.\.$/));
  });

  it("shows items of another shape and items that tell of a failure", () => {
    const items: object[] = users(900);
    items[400] = { id: 400, reason: "unlike the others" };
    items[700] = { id: 700, name: "user 700", status: "failed" };
    const { text } = reduce(items);
    expect(text).toContain("unlike the others");
    expect(text).toContain('"failed"');
  });

  it("keeps all keys of a record and few of a large map", () => {
    const map = Object.fromEntries(users(500).map((user) => [`key${user.id}`, user]));
    const { text } = reduce({ total: 500, page: 1, map, next: null });
    const { map: shown, ...rest } = JSON.parse(text);
    expect(rest).toEqual({ total: 500, page: 1, next: null });
    expect(shown.key0).toEqual({ id: 0, name: "user 0", status: "ok" });
    expect(shown["..."]).toMatch(/^\(\d+ keys omitted\)$/);
  });

  it("shows numbers as they were written", () => {
    const text = `{"big":12345678901234567890,"small":1.50,"list":[${"7,".repeat(3_000)}8]}`;
    expect(reduceObservation(text, { maxTokens: 100 }).text).toContain('"big":12345678901234567890,\n"small":1.50');
  });

  it("cuts a long string in its middle, not in an escape", () => {
    for (let shift = 0; shift < 24; shift++) {
      const text = `{"a":"${"x".repeat(shift)}${'\\ud83d\\ude00\\n\\"'.repeat(400)}","b":[${"1,".repeat(2_000)}2]}`;
      const shown: { a: string } = JSON.parse(reduceObservation(text, { maxTokens: 300 }).text);
      expect(shown.a).toContain("chars omitted");
      expect(isWellFormed(shown.a)).toBe(true);
    }
  });

  it("of any value reduces to valid JSON, or is treated as text", () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: "large", maxDepth: 5 }), (value) => {
        const source = JSON.stringify([value, value, value]);
        const { text, kind } = reduceObservation(source, { maxTokens: 60 });
        if (kind === "json") expect(() => JSON.parse(text)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  it("is told from what only begins like it", () => {
    expect(scanJson('{"a":1} and more')).toBeUndefined();
    expect(scanJson('{"a":1,}')).toBeUndefined();
    expect(scanJson("[1,2")).toBeUndefined();
    expect(scanJson("[1 2]")).toBeUndefined();
    expect(scanJson('{"a" 1}')).toBeUndefined();
    expect(scanJson("[012]")).toBeUndefined();
    expect(scanJson("[]")).toMatchObject({ type: "array", count: 0 });
  });

  it("is scanned wherever JSON.parse accepts it", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(scanJson(text)).toBeDefined();
      }),
    );
  });
});
