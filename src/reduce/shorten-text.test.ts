import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test/support/runs.js";
import { VarveError } from "../errors.js";
import { countO200k } from "../tokens/o200k.js";
import { shortenText } from "./shorten-text.js";

const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

const MARK = /\.\.\. \((\d+) chars omitted\) \.\.\./;

describe("shortenText", () => {
  it("returns a text that fits as it is, terminal codes included", () => {
    expect(shortenText("\u001b[31mred\u001b[0m\r\n", { maxTokens: 50 })).toBe("\u001b[31mred\u001b[0m\r\n");
  });

  it("keeps head and tail around one mark that counts what is gone", () => {
    const text = Array.from({ length: 900 }, (_, i) => `word${i}`).join(" ");
    const short = shortenText(text, { maxTokens: 60 });
    const [head, gone, tail] = short.split(MARK);
    expect(text.startsWith(head!.trimEnd())).toBe(true);
    expect(text.endsWith(tail!.trimStart())).toBe(true);
    expect(head!.length + tail!.length - 2 + Number(gone)).toBe(text.length);
  });

  it("uses most of its budget", () => {
    const text = "The quick brown fox jumps over the lazy dog. ".repeat(400);
    expect(countO200k(shortenText(text, { maxTokens: 200 }))).toBeGreaterThan(170);
  });

  it("keeps words in front of a long blank, though the mark takes most of the room", () => {
    const text = `포트를 8443으로 바꾸고 서비스를 다시 시작하세요.${" ".repeat(3_000)}`;
    expect(shortenText(text, { maxTokens: 22, headShare: 1 })).toMatch(/^포트를 8443.*omitted/);
  });

  it("puts the mark on its own line between whole lines", () => {
    const text = Array.from({ length: 300 }, (_, i) => `line ${i}`).join("\n");
    const short = shortenText(text, { maxTokens: 100 }).split("\n");
    expect(short.filter((line) => MARK.test(line))).toEqual([expect.stringMatching(/^\.\.\. .* \.\.\.$/)]);
    expect(short.filter((line) => !MARK.test(line)).every((line) => text.split("\n").includes(line))).toBe(true);
  });

  it("fits any text into any budget, with no new lone surrogate", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 400 }),
      fc.string({ unit: "binary", maxLength: 400 }),
      fc
        .array(fc.constantFrom("😀", "a ", "\n", "漢字", "<|endoftext|>", "    "), { maxLength: 300 })
        .map((p) => p.join("")),
    );
    fc.assert(
      fc.property(text, fc.nat(80), (source, maxTokens) => {
        const short = shortenText(source, { maxTokens });
        expect(countO200k(short)).toBeLessThanOrEqual(maxTokens);
        expect(!isWellFormed(source) || isWellFormed(short)).toBe(true);
        if (countO200k(source) <= maxTokens) expect(short).toBe(source);
      }),
      { numRuns: runs(300) },
    );
  });

  it("obeys the counter it is given", () => {
    const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
    const short = shortenText("one two three ".repeat(100), { maxTokens: 25, counter: words });
    expect(words(short)).toBeLessThanOrEqual(25);
    expect(words(short)).toBeGreaterThan(15);
  });

  it("refuses a budget that is no number", () => {
    expect(() => shortenText("a", { maxTokens: Number.NaN })).toThrow(VarveError);
  });
});
