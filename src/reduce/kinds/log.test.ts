import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const stamp = (index: number) =>
  `2024-05-01 12:${String(Math.floor(index / 60) % 60).padStart(2, "0")}:${String(index % 60).padStart(2, "0")},017`;
const MESSAGES = [
  "Accepted connection from 10.0.0.7",
  "Served page in 12 ms",
  "Cache holds 99 entries",
  "Wrote checkpoint 4711 to disk",
  "Rotated key 0xdeadbeef",
  "Queue drained after 3 retries",
] as const;
const log = (count: number, odd: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, i) => {
    const message = MESSAGES[(i * i) % MESSAGES.length]!.replace(/\d+(?= |$)/, String(i));
    return odd[i] ?? `${stamp(i)} INFO  [worker-${i % 7}] ${message}`;
  }).join("\n");
const words = (text: string) => text.replace(/\d+/g, "#");

describe("a log", () => {
  it("shows each kind of line once, with its number and count, in order", () => {
    const { text, kind } = reduceObservation(log(3_000), { maxTokens: 256 });
    expect(kind).toBe("log");
    expect(text.split("\n")[0]).toMatch(
      /^\[Data Truncated: log, 3000 lines, \d kinds, line ×count: text without prefix\]$/,
    );
    const rows = text
      .split("\n")
      .slice(1)
      .map((row) => /^(\d+)(?: ×(\d+))?: (.*)$/.exec(row)!);
    const numbers = rows.map((row) => Number(row[1]));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const shown = new Set(rows.map((row) => words(row[3]!)));
    for (const message of new Set(
      log(3_000)
        .split("\n")
        .map((line) => words(line.slice(line.indexOf("] ") + 2))),
    )) {
      expect(shown).toContain(message);
    }
  });

  it("says how many lines a row stands for", () => {
    const { text } = reduceObservation(log(600, { 300: `${stamp(300)} INFO  [worker-1] Something rare` }), {
      maxTokens: 200,
    });
    expect(text).toMatch(/^301: .*Something rare$/m);
    const total = [...text.matchAll(/ ×(\d+): /g)].reduce((sum, [, count]) => sum + Number(count), 0);
    expect(total).toBe(599);
  });

  it("prefers an error to a plain line of the same length, and names its level", () => {
    const odd: Record<number, string> = { 500: `${stamp(500)} ERROR [worker-3] disk quota of volume alpha is used up` };
    for (let i = 0; i < 26; i++) {
      const letter = String.fromCharCode(97 + i).repeat(5);
      odd[600 + i] = `${stamp(600 + i)} INFO  [worker-2] ${letter} moved on to volume ${letter} as was planned`;
    }
    const { text } = reduceObservation(log(2_000, odd), { maxTokens: 200 });
    expect(text).toMatch(/^501: .*ERROR \[worker-3\] disk quota of volume alpha is used up$/m);
  });

  it("shows the first and the last line whole where there is room", () => {
    const source = log(2_000);
    const rows = reduceObservation(source, { maxTokens: 600 }).text.split("\n");
    expect(rows[1]!.replace(/ ×\d+/, "")).toBe(`1: ${source.split("\n")[0]}`);
    expect(rows[1]).toMatch(/^1 ×\d+: /);
    expect(rows.at(-1)).toBe(`2000: ${source.split("\n").at(-1)}`);
  });

  it("keeps a message whole where a line lacks part of the prefix", () => {
    const { text } = reduceObservation(log(900, { 450: "continuation without any prefix" }), { maxTokens: 256 });
    expect(text).toContain("451: continuation without any prefix");
  });

  it("leaves out the rest of long ids", () => {
    const ids = Array.from(
      { length: 400 },
      (_, i) => `${stamp(i)} INFO req 38101a0b-2096-447d-96ea-${String(i).padStart(12, "0")} done`,
    );
    expect(reduceObservation(ids.join("\n"), { maxTokens: 100 }).text).toContain("req 3810… done");
  });

  it("is also known by JSON on every line", () => {
    const entry = (i: number) =>
      `{"level":"${i === 77 ? "error" : "info"}","msg":"${i % 2 ? "cache miss" : "page served"}","ms":${i}}`;
    const { text, kind } = reduceObservation(Array.from({ length: 900 }, (_, i) => entry(i)).join("\n"), {
      maxTokens: 160,
    });
    expect(kind).toBe("json-lines");
    expect(text).toContain('78: {"level":"error","msg":"cache miss","ms":77}');
    expect(text).toMatch(/×\d+: \{"level":"info","msg":"page served"/);
  });
});
