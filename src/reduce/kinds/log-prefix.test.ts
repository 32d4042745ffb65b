import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";
import { sourceLines } from "../source-lines.js";
import { findLogPrefix, splitPrefix } from "./log-prefix.js";

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join("\n");
const clock = (index: number) =>
  `10:${String(Math.floor(index / 60) % 60).padStart(2, "0")}:${String(index % 60).padStart(2, "0")}`;
const WORDS = ["amber", "birch", "cedar", "dune"];
const word = (index: number) => WORDS[(index * index) % WORDS.length]!;

function messagesOf(row: (index: number) => string): string[] {
  const lines = sourceLines(rows(100, row));
  const prefix = findLogPrefix(lines);
  return [0, 1, 2].map((index) => lines.at(index).slice(splitPrefix(lines.at(index), prefix).start));
}

describe("the prefix of a log", () => {
  it.each<[string, (index: number) => string]>([
    ["date, time, level", (i) => `2026-01-01 ${clock(i)} INFO `],
    ["time, numbers, level, logger", (i) => `01-17 ${clock(i)}.811  17${i}  2395 D Window${i % 3}: `],
    ["month, day, time, host, process", (i) => `Jun  1 ${clock(i)} combo ${word(i)}[${i}]: `],
    ["seconds since the start", (i) => `[ ${i}.120933] `],
    ["level with date, process and place", (i) => `I0102 ${clock(i)}.6789   12345 server.go:${i}] `],
    ["time and level between brackets", (i) => `[2026-01-01T${clock(i)}Z INFO  app::server] `],
    ["level, thread, logger in columns", (i) => `${clock(i)} INFO [exec-${i % 8}] c.a.Control${i % 2}: `],
    ["bars between the columns", (i) => `20261223-${clock(i)}:606|Step_${word(i)}|30002312|`],
  ])("is %s", (_, prefix) => {
    const message = (index: number) => `served ${word(index)} in ${index} ms`;
    expect(messagesOf((index) => prefix(index) + message(index))).toEqual([0, 1, 2].map(message));
  });

  it.each<[string, (index: number) => string]>([
    ["words before a number", (i) => `task ${i} done in ${i} ms`],
    ["a command", (i) => `npm warn deprecated pkg${i}@1.0.${i}: use something else`],
    ["a sign, words and numbers", (i) => `✔ task ${i} done in ${i}ms`],
    ["a flag that holds a digit", (i) => `cc -O2 -c -o build/f${i}.o src/f${i}.c`],
    ["a percentage", (i) => `[ ${i}%] Building C object f${i}.o`],
  ])("is not %s", (_, opening) => {
    const line = (index: number) => `${opening(index)} ${word(index)}`;
    expect(messagesOf(line)).toEqual([0, 1, 2].map(line));
  });

  it("ends before the words of the message, be they the same in all lines", () => {
    expect(messagesOf((i) => `${clock(i)} processing order: ${i} for customer ${i * 7}`)[1]).toBe(
      "processing order: 1 for customer 7",
    );
  });

  it("keeps a word of trouble that stands where the logger does", () => {
    const lines = sourceLines(
      `${rows(100, (i) => `${clock(i)} INFO web: item ${word(i)}`)}\n${clock(7)} INFO error: no disk`,
    );
    const last = lines.at(lines.count - 1);
    expect(last.slice(splitPrefix(last, findLogPrefix(lines)).start)).toBe("error: no disk");
  });
});

describe("a log without its prefix", () => {
  it("leaves commands as they are", () => {
    const warnings = rows(100, (i) => `npm warn deprecated pkg${i}@1.0.${i}: use something else`);
    const source = `${warnings}\n\nTo address all issues, run:\n  npm audit fix`;
    const { text } = reduceObservation(source, { maxTokens: 200 });
    expect(text).toContain("103:   npm audit fix");
    expect(text).toContain("1 ×100: npm warn deprecated pkg0@1.0.0: use something else");
  });

  it("shows a line whole where its columns are no prefix, colours or not", () => {
    const done = (i: number) => `\u001b[1m\u001b[32m✔\u001b[39m\u001b[22m task ${i} done in ${i}ms`;
    const source = `${rows(300, done)}\n✖ task 300 failed: no space left on device\n${rows(100, (i) => `✔ task ${i} done`)}`;
    const { text } = reduceObservation(source, { maxTokens: 250 });
    expect(text).toContain("1 ×300: ✔ task 0 done in 0ms");
    expect(text).toContain("301: ✖ task 300 failed: no space left on device");
  });

  it.each<[string, (time: string, level: string) => string]>([
    ["level and words", (time, level) => `2026-01-01 ${time} ${level} payment done order`],
    ["level between brackets", (time, level) => `[2026-01-01T${time}Z ${level} app] payment done order`],
  ])("tells when an error happened: %s", (_, opening) => {
    const line = (i: number) => `${opening(clock(i), "INFO")} path=/items/${i}`;
    const error = `${opening("10:07:33", "ERROR")} 8812 failed`;
    const source = `${rows(200, line)}\n${error}\n${rows(200, (i) => line(i + 500))}`;
    const { text } = reduceObservation(source, { maxTokens: 300 });
    expect(text).toContain(`201: ${error}`);
    expect(text).toContain("×400: payment done order");
  });

  it("tells when a line like no other came, before it repeats the others", () => {
    const line = (i: number) => `${clock(i)} INFO request handled path=/items/${i}`;
    const source = `${rows(200, line)}\n10:07:33 INFO configuration read again\n${rows(200, line)}`;
    expect(reduceObservation(source, { maxTokens: 200 }).text).toContain("201: 10:07:33 INFO configuration read again");
  });
});
