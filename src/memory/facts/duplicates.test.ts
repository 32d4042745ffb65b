import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordsOf } from "./duplicate-words.js";
import { areNearlyEqual, bandsOf, fingerprint, similarity } from "./duplicates.js";

const shareBand = (left: string, right: string): boolean => bandsOf(left).some((band) => bandsOf(right).includes(band));

describe("equal texts", () => {
  it.each([
    ["Ann likes tea.", "ann likes  tea"],
    ["“Use tabs”", "use tabs!"],
    ["It’s fine", "it's fine"],
    ["line one\nline two", "line one line two"],
  ])("share a fingerprint: %s", (left, right) => {
    expect(fingerprint(left)).toBe(fingerprint(right));
  });

  it.each([
    ["Use port 8080", "Use port 8081"],
    ["costs $5", "costs 5"],
    ["version 1.5", "version 15"],
    ["it is -5 outside", "it is 5 outside"],
    ["a < b", "a > b"],
    ["C++ it is", "C it is"],
    ["👍", "👎"],
    ["you like it?", "you like it"],
    ["!!!", "???"],
  ])("differ where a sign counts: %s", (left, right) => {
    expect(fingerprint(left)).not.toBe(fingerprint(right));
    expect(areNearlyEqual(left, right)).toBe(false);
  });
});

describe("nearly equal texts", () => {
  it.each([
    ["The user prefers dark mode.", "User prefers dark mode"],
    ["Please note that Ann likes the tea", "Ann likes tea"],
    ["I don't eat meat", "I do not eat meat"],
    ["Remember that Ann likes tea", "Note: Ann likes tea"],
  ])("are found: %s", (left, right) => {
    expect(areNearlyEqual(left, right)).toBe(true);
    expect(shareBand(left, right)).toBe(true);
  });

  it.each([
    ["Ann likes tea", "Ann does not like tea"],
    ["The news is good", "The new is good"],
    ["It's the US office", "It's the us office"],
    ["Call the client", "Call the clients"],
    ["Remember the Alamo", "The Alamo"],
    ["Ann likes tea", "Ann hates tea"],
    ["Ann likes Bob", "Bob likes Ann"],
    ["Ann lives in Lyon", "Ann lived in Lyon"],
    ["The light is red", "The light is green"],
    ["Plan A is off", "Plan is off"],
    ["Meet before noon", "Meet after noon"],
    ["Send it to Ann", "Send it to Bob"],
    ["enable the cache", "disable the cache"],
  ])("are not taken for it: %s", (left, right) => {
    expect(areNearlyEqual(left, right)).toBe(false);
  });

  const page = Array.from(
    { length: 300 },
    (_, at) =>
      `word${"abcdefghij"[at % 10]}${"klmnopqrst"[Math.floor(at / 10) % 10]}${"uvwxyzabcd"[Math.floor(at / 100)]}`,
  );

  it("may be long texts with a word changed", () => {
    const other = page.with(150, "another").join(" ");
    expect(areNearlyEqual(page.join(" "), other)).toBe(true);
    expect(shareBand(page.join(" "), other)).toBe(true);
  });

  it.each(["8081", "not", "Bob", "never"])("are not long texts that differ in %s", (word) => {
    expect(areNearlyEqual(page.join(" "), page.with(150, word).join(" "))).toBe(false);
  });
});

const word = fc.constantFrom(..."ann likes green tea with milk and old books about trains in the evening".split(" "));
const sentence = fc.array(word, { minLength: 1, maxLength: 60 }).map((words) => words.join(" "));

describe("for all texts", () => {
  it("a text is nearly equal to itself, and like itself", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(areNearlyEqual(text, text)).toBe(true);
        expect(similarity(text, text)).toBe(1);
      }),
    );
  });

  it("it does not matter which comes first", () => {
    fc.assert(
      fc.property(sentence, sentence, (left, right) => {
        expect(areNearlyEqual(left, right)).toBe(areNearlyEqual(right, left));
        expect(similarity(left, right)).toBe(similarity(right, left));
      }),
    );
  });

  it("equal texts are nearly equal and share a band", () => {
    fc.assert(
      fc.property(sentence, (text) => {
        const other = `${text.toUpperCase().toLowerCase()}.`;
        expect(fingerprint(other)).toBe(fingerprint(text));
        expect(areNearlyEqual(text, other)).toBe(true);
        expect(bandsOf(text)).toEqual(bandsOf(other));
      }),
    );
  });

  it("a number or a name put in makes another text", () => {
    fc.assert(
      fc.property(sentence, fc.nat({ max: 60 }), fc.constantFrom("42", "Zoe", "not"), (text, at, put) => {
        const words = text.split(" ");
        const other = [...words.slice(0, at + 1), put, ...words.slice(at + 1)].join(" ");
        expect(areNearlyEqual(text, other)).toBe(false);
        expect(fingerprint(text)).not.toBe(fingerprint(other));
      }),
    );
  });

  it.each([
    ["one word", "a".repeat(1_000_000)],
    ["words", "some words again ".repeat(60_000)],
    ["marks", "-.".repeat(500_000)],
    ["digits", "1.".repeat(500_000)],
  ])("a megabyte of %s takes little time", (_, text) => {
    const start = process.cpuUsage();
    bandsOf(text);
    fingerprint(text);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_500);
  });
});

it("plain text has the same words whichever way they are found", () => {
  const text = fc.string({ unit: "grapheme-ascii", maxLength: 80 });
  fc.assert(
    fc.property(text, (plain) => {
      // A letter that is not plain, set apart, turns the other way on and adds one word.
      expect(wordsOf(`${plain} é`).filter((word) => word !== "é")).toEqual(wordsOf(`${plain} e`).slice(0, -1));
    }),
  );
});
