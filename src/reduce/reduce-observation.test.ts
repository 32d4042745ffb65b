import { describe, expect, it } from "vitest";
import { VarveError } from "../errors.js";
import { countO200k } from "../tokens/o200k.js";
import { reduceObservation } from "./reduce-observation.js";

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");
const WORDS = ["amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "islet", "juniper", "knoll"];
/** Lines that no two are alike, so that they are of no kind. */
const wordy = (index: number) => [1, 3, 7, 11].map((step) => WORDS[Math.floor(index / step) % WORDS.length]).join(" ");

describe("reduceObservation", () => {
  it("returns a text within its budget byte for byte", () => {
    const text = "\u001b[32mok\u001b[0m\r\n10 %\r20 %\r\n";
    expect(reduceObservation(text, { maxTokens: 100 })).toEqual({
      text,
      reduced: false,
      kind: "whole",
      tokensBefore: countO200k(text),
      tokensAfter: countO200k(text),
      linesOmitted: 0,
    });
  });

  it("marks what it leaves out, with the numbers of the lines", () => {
    const text = lines(900, wordy);
    const { text: short, linesOmitted } = reduceObservation(text, { maxTokens: 300 });
    const [head, ...body] = short.split("\n");
    expect(head).toBe("[Data Truncated: text, 900 lines]");
    const gap = body.findIndex((line) => line.startsWith("... ("));
    const [, count, from, to] = /^\.\.\. \((\d+) lines omitted: (\d+)-(\d+)\) \.\.\.$/.exec(body[gap]!)!;
    expect(Number(count)).toBe(linesOmitted);
    expect(Number(to) - Number(from) + 1).toBe(linesOmitted);
    expect(body[gap - 1]).toBe(wordy(Number(from) - 2));
    expect(body[gap + 1]).toBe(wordy(Number(to)));
  });

  it("keeps trouble in the middle of an unknown text", () => {
    const text = lines(2_000, (i) => (i === 777 ? "ld: cannot find -lfoo: No such file" : wordy(i)));
    expect(reduceObservation(text, { maxTokens: 200 }).text).toContain("ld: cannot find -lfoo");
  });

  it("cuts a single long line in its middle", () => {
    const text = `BEGIN${"abc,".repeat(20_000)}FINISH`;
    const { text: short } = reduceObservation(text, { maxTokens: 100 });
    expect(short).toMatch(/^BEGIN.*\.\.\. \(\d+ chars omitted\) \.\.\..*FINISH$/);
  });

  it("strips terminal codes before it leaves anything out", () => {
    const coloured = lines(40, (i) => `\u001b[38;5;${i}mword ${i}\u001b[0m`);
    const { text, reduced, linesOmitted } = reduceObservation(coloured, { maxTokens: 200 });
    expect(text).toBe(lines(40, (i) => `word ${i}`));
    expect({ reduced, linesOmitted }).toEqual({ reduced: true, linesOmitted: 0 });
  });

  it("shows a progress bar in its last state only", () => {
    const bar = lines(400, (i) => `${i} %\r`).replaceAll("\n", "");
    const { text } = reduceObservation(`${lines(900, wordy)}\n${bar}100 %\nend`, { maxTokens: 200 });
    expect(text).toMatch(/\n100 %\nend$/);
  });

  it("says so where states of a rewritten line are all that it leaves out", () => {
    const bar = lines(400, (i) => `${i / 4} %`).replaceAll("\n", "\r");
    const { text, linesOmitted } = reduceObservation(`start\n${bar}\nend`, { maxTokens: 200 });
    expect(text).toBe("[Data Truncated: text, 399 rewritten states omitted]\nstart\n99.75 %\nend");
    expect(linesOmitted).toBe(0);
  });

  it("reads a text whose lines end in carriage returns line by line", () => {
    const text = lines(900, wordy).replaceAll("\n", "\r");
    expect(reduceObservation(text, { maxTokens: 300 }).text).toBe(
      reduceObservation(lines(900, wordy), { maxTokens: 300 }).text,
    );
  });

  it("knows JSON behind a byte order mark", () => {
    const json = JSON.stringify({ items: Array.from({ length: 400 }, (_, id) => ({ id, status: "ok" })) });
    const { text, kind } = reduceObservation(`\ufeff${json}`, { maxTokens: 200 });
    expect({ text, kind }).toEqual({ text: reduceObservation(json, { maxTokens: 200 }).text, kind: "json" });
  });

  it("uses a tool's name only where the text itself says nothing", () => {
    const odd = lines(600, (i) => `${wordy(i)} ~`);
    expect(reduceObservation(odd, { maxTokens: 200, hint: { toolName: "read_file" } }).kind).toBe("source");
    expect(reduceObservation(odd, { maxTokens: 200 }).kind).toBe("text");
  });

  it("estimates the size of a large text within a tenth", () => {
    const text = lines(20_000, wordy);
    const { tokensBefore } = reduceObservation(text, { maxTokens: 100 });
    expect(Math.abs(tokensBefore / countO200k(text) - 1)).toBeLessThan(0.1);
  });

  it("gives the same output for the same input", () => {
    const text = lines(3_000, (i) => `${i} ${wordy(i)}`);
    expect(reduceObservation(text, { maxTokens: 300 })).toEqual(reduceObservation(text, { maxTokens: 300 }));
  });

  it("gives up whole lines where the whole costs more than its parts", () => {
    const counter = (text: string) => text.length + 9 * (text.split("\n").length - 1);
    const { text, tokensAfter } = reduceObservation(lines(500, wordy), { maxTokens: 900, counter });
    expect(tokensAfter).toBeLessThanOrEqual(900);
    expect(text).not.toContain("chars omitted");
    expect(text).toContain(wordy(499));
  });

  it("refuses a budget that is no number", () => {
    expect(() => reduceObservation("a", { maxTokens: Number.NaN })).toThrow(VarveError);
    expect(() => reduceObservation("a", { maxTokens: -1 })).toThrow(VarveError);
  });

  it.each<[string, unknown[]]>([
    ["text that is none", [5, { maxTokens: 5 }]],
    ["no options", ["a"]],
    ["a budget as text", ["a", { maxTokens: "5" }]],
    ["a counter that is none", ["a", { maxTokens: 5, counter: {} }]],
  ])("refuses %s", (_name, given) => {
    expect(() => Reflect.apply(reduceObservation, undefined, given)).toThrow(VarveError);
  });

  it("takes a hint of null for none, and names one that is no object", () => {
    const reduce = (hint: unknown) => Reflect.apply(reduceObservation, undefined, ["a", { maxTokens: 5, hint }]);
    expect(reduce(null)).toMatchObject({ text: "a", reduced: false });
    expect(() => reduce("bash")).toThrow(/\bhint\b/);
  });

  it("shows the last states whole where their mark would not fit", () => {
    const source = `${Array.from({ length: 30 }, (_, i) => `${i} %`).join("\r")}\rinstalled\nall done\n`;
    const plain = "installed\nall done\n";
    expect(reduceObservation(source, { maxTokens: countO200k(plain) }).text).toBe(plain);
    expect(reduceObservation(source, { maxTokens: 40 }).text).toMatch(new RegExp(`30.*\n${plain}$`));
  });

  it("speaks of one kind of line as one", () => {
    const log = lines(3_000, (i) => `12:00:01 INFO request ${i} served in ${i % 90} ms`);
    expect(reduceObservation(log, { maxTokens: 200 }).text).toContain("3000 lines, 1 kind,");
  });
});
