import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createWordPieces } from "../src/embed/word-pieces.js";
import { termsOf } from "../src/memory/text/terms.js";
import { countO200k } from "../src/tokens/o200k.js";
import { ownText } from "../src/tokens/own-text.js";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const TEXTS = 100;
const LENGTH = 200_000;

/** Megabytes that are left of many long texts, each with a long word of its own, after they were read and dropped. */
function leftAfter(read: (text: string) => unknown): number {
  read("warm up");
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < TEXTS; at++) read(`${"so it is ".repeat(LENGTH / 9)} ${lettersOf(at)}abcdefghijklmnop`);
  collect();
  return (process.memoryUsage().heapUsed - before) / 1e6;
}

const lettersOf = (number: number): string => [...String(number)].map((digit) => "qrstuvwxyz"[Number(digit)]).join("");

test.each([
  ["counting", countO200k],
  ["finding terms", termsOf],
  ["cutting into pieces", createWordPieces(new Map([["abc", 1]]), 0)],
])("%s keeps nothing of the texts but the words", (_, read) => {
  expect(leftAfter(read)).toBeLessThan((TEXTS * LENGTH) / 1e6 / 2);
});

test("an own text says the same, half pairs included", () => {
  for (const text of ["", "short", "longer than twelve", "ünïcödé text of its own", "a half pair \ud83d in the middle"])
    expect(ownText(text)).toBe(text);
});
