import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuTime } from "../../../test/support/cpu-time.js";
import { passagesOf } from "./passages.js";
import { searchPassages } from "./search-text.js";
import { questionTerms, termsOf } from "./terms.js";

describe("terms", () => {
  test("forms of one word are one term", () => {
    expect(new Set(["move", "moved", "moving", "moves"].flatMap(termsOf)).size).toBe(1);
    expect(termsOf("companies")).toEqual(termsOf("company"));
  });

  test("case, width and accents do not matter", () => {
    expect(termsOf("Ｃafé CAFÉ cafe\u0301 cafe")).toEqual(Array(4).fill(termsOf("cafe")[0]));
  });

  test("words that stand everywhere are left out, unless a text has no other sense for a question", () => {
    expect(termsOf("the cat and the hat")).toEqual(["cat", "hat"]);
    expect(questionTerms("What is it that she has?")).toEqual([]);
  });

  test("scripts without spaces are found by pairs of characters", () => {
    const terms = termsOf("我住在里昂");
    expect(questionTerms("里昂").every((term) => terms.includes(term))).toBe(true);
  });

  test("a question's terms are among those of a text with the same words", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const terms = new Set(termsOf(text));
        expect(questionTerms(text).filter((term) => !terms.has(term))).toEqual([]);
      }),
    );
  });
});

describe("passages", () => {
  test("a short text is one passage", () => {
    expect(passagesOf("One. Two.")).toEqual(["One. Two."]);
  });

  test("together they are the text, none is long, no character is split", () => {
    const unit = fc.constantFrom("word ", "Sentence. ", "\n", "a", "長い文。", "😀", "?!", "x".repeat(300));
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 400 }), (parts) => {
        const text = parts.join("");
        const passages = passagesOf(text);
        expect(passages.join("")).toBe(text);
        expect(Math.max(...passages.map(({ length }) => length))).toBeLessThanOrEqual(800);
        expect(passages.every((passage) => passage.isWellFormed())).toBe(true);
      }),
    );
  });

  test("a megabyte without an end of sentence takes no long time", async () => {
    const text = "x".repeat(1_000_000);
    expect(await cpuTime(() => expect(passagesOf(text).length).toBeGreaterThan(1_000))).toBeLessThan(2_000);
  });
});

describe("what a memory is found by", () => {
  const time = Date.parse("2023-05-08T13:56:00Z");

  test("its words, its speaker and its date", () => {
    const [passage] = searchPassages({ content: "I moved", speaker: "Ann", time, facts: [] });
    expect(passage!.text).toBe("Ann: I moved");
    expect(questionTerms("Ann moved May 2023").filter((term) => !passage!.terms.includes(term))).toEqual([]);
  });

  test("a speaker that the text names already is not named twice", () => {
    expect(searchPassages({ content: "Ann: I moved", speaker: "Ann", time, facts: [] })[0]!.text).toBe("Ann: I moved");
  });

  test("facts in their own words", () => {
    const passages = searchPassages({ content: "I work at Acme", speaker: "", time, facts: ["user employer: Acme"] });
    expect(passages.map(({ text }) => text)).toEqual(["I work at Acme", "user employer: Acme"]);
  });
});
