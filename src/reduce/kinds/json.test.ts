import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/support/runs.js";
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

  it.each([250, 500, 1_024, 2_048])("shows the one item with a rare value, in its place, in %i tokens", (maxTokens) => {
    const items = users(300).map((user) => ({ ...user, status: user.id === 171 ? "degraded" : "healthy" }));
    const shown = JSON.parse(reduce(items, maxTokens).text);
    const at = shown.findIndex((item: { id?: number }) => item.id === 171);
    expect(shown[at]).toEqual(items[171]);
    expect(shown[at - 1]).toMatch(/items omitted: \d+-170\)/);
    expect(shown[at + 1]).toMatch(/items omitted: 172-\d+\)/);
  });

  it.each([250, 500, 1_024, 2_048])("shows the one item with a number far off, and uses its %i tokens", (maxTokens) => {
    const items = users(300).map(({ id }) => ({
      id,
      path: `/api/${id}`,
      latency: id === 211 ? 99_999 : 20 + (id % 5),
    }));
    const { text, tokensAfter } = reduce(items, maxTokens);
    expect(text).toContain('{"id":211,"path":"/api/211","latency":99999}');
    expect(tokensAfter).toBeGreaterThan(maxTokens * 0.9);
  });

  it("finds an odd item by what is inside it, and beyond those that are kept from the start", () => {
    const items = users(9_000).map(({ id }) => ({
      name: `pod ${id}`,
      status: {
        phase: "Running",
        containers: [{ restarts: id === 7_777 ? 41 : 0 }],
        events: id === 5_555 ? ["x"] : [],
      },
    }));
    const { text } = reduce({ kind: "List", items }, 600);
    expect(text).toContain('"pod 7777"');
    expect(text).toContain('"pod 5555"');
  });

  it("finds the odd value of a large map and of a list of numbers", () => {
    const map = Object.fromEntries(users(500).map(({ id }) => [`key${id}`, { ok: id !== 333 }]));
    expect(reduce(map).text).toContain('"key333":{"ok":false}');
    const numbers = users(3_000).map(({ id }) => (id === 1_500 ? -4_000_000 : (id * 7919) % 101));
    expect(reduce(numbers).text).toContain("-4000000");
  });

  it("shows the rarest of many odd items, and leaves half of the room to the others", () => {
    const state = (id: number) => (id === 611 ? "dead" : id % 40 === 7 ? "slow" : "fine");
    const { text } = reduce(
      users(1_000).map(({ id }) => ({ id, state: state(id) })),
      400,
    );
    const states: string[] = JSON.parse(text).map((item: { state?: string }) => item.state);
    expect(states).toContain("dead");
    const shown = (word: string) => states.filter((one) => one === word).length;
    expect(shown("slow")).toBeGreaterThan(1);
    expect(shown("slow")).toBeLessThan(shown("fine") + 2);
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
      { numRuns: runs(300) },
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
