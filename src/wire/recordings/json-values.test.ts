import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuTime } from "../../../test/support/cpu-time.js";
import { JSONValues } from "./json-values.js";
import { Notes } from "./notes.js";

function read(...chunks: string[]) {
  const notes = new Notes();
  const taken: [unknown, number][] = [];
  const values = new JSONValues((value, line) => taken.push([value, line]), notes);
  for (const chunk of chunks) values.push(chunk);
  values.end();
  return { taken, warnings: notes.list() };
}

const value = fc.oneof(
  fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }),
  fc.array(fc.jsonValue()),
);

describe("JSON values", () => {
  test("come with the line that they start on", () => {
    expect(read('{"a":1}\n\n{"b":2}').taken).toEqual([
      [{ a: 1 }, 1],
      [{ b: 2 }, 3],
    ]);
  });

  test("are found whether they take one line or many, one after the other", () => {
    const documents = fc.array(fc.tuple(value, fc.constantFrom(0, 2, "\t")), { maxLength: 5 });
    fc.assert(
      fc.property(documents, (written) => {
        const text = written.map(([one, indent]) => JSON.stringify(one, null, indent)).join("\n");
        const { taken, warnings } = read(text);
        expect(JSON.stringify(taken.map(([one]) => one))).toBe(JSON.stringify(written.map(([one]) => one)));
        expect(warnings).toEqual([]);
      }),
    );
  });

  test("do not depend on where the text is cut into pieces", () => {
    const text = '{"a":"{\\"\\\\"}\n{\n "b": [1,\n 2]\n}\n[{"c":1},\n{"d":2}]\n{"torn":"x\n{"e":3}\n';
    const whole = read(text);
    expect(whole.taken.map(([one]) => one)).toEqual([{ a: '{"\\' }, { b: [1, 2] }, [{ c: 1 }, { d: 2 }], { e: 3 }]);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const places = [0, ...cuts.toSorted((left, right) => left - right), text.length];
        const pieces = places.slice(1).map((end, at) => text.slice(places[at], end));
        expect(read(...pieces)).toEqual(whole);
      }),
    );
  });

  test("skip a line that is no JSON, and say which", () => {
    expect(read('{"a":1}\noops\n{"b":}\n{"c":2}\n')).toEqual({
      taken: [
        [{ a: 1 }, 1],
        [{ c: 2 }, 4],
      ],
      warnings: [
        { kind: "broken-line", message: "Line 2 is no JSON and was left out.", line: 2 },
        { kind: "broken-line", message: "Line 3 is no JSON and was left out.", line: 3 },
      ],
    });
  });

  test.each(['{"torn":"x', '{"torn":', '{"torn":1', '{"torn":1,', '{"torn":[', '{"torn":{'])(
    "are found after a line that is torn as %j",
    (torn) => {
      const { taken, warnings } = read(`{"a":1}\n${torn}\n{"b":2}\n\n{"c":3}\n`);
      expect(taken).toEqual([
        [{ a: 1 }, 1],
        [{ b: 2 }, 3],
        [{ c: 3 }, 5],
      ]);
      expect(warnings).toMatchObject([{ kind: "broken-line", line: 2 }]);
    },
  );

  test("end before a value that the text breaks off in", () => {
    expect(read('{"a":1}\n{"b":[1,').warnings).toMatchObject([{ kind: "cut-short", line: 2 }]);
    expect(read('{\n"a": [\n1,').warnings).toMatchObject([{ kind: "cut-short", line: 1 }]);
  });

  test("do not take longer for each character of a long line that comes in small pieces", async () => {
    const pieces = ['{"a":"', ...Array.from({ length: 32_000 }, () => "x".repeat(100)), '"}\n'];
    const time = await cpuTime(() => expect(read(...pieces).taken).toHaveLength(1));
    // Some milliseconds; joining the pieces anew at each of them would take half a minute.
    expect(time).toBeLessThan(2000);
  });
});
