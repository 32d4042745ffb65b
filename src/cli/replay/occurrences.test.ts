import fc from "fast-check";
import { expect, it } from "vitest";
import { findOccurrences } from "./occurrences.js";

const sign = fc.constantFrom("a", "b", "1", "/", ".", "_");
const word = fc.string({ unit: sign, minLength: 6, maxLength: 8 });
const text = fc
  .array(fc.oneof(word, fc.constantFrom(" ", "\n", "é", "prose ")), { maxLength: 8 })
  .map((parts) => parts.join(""));

/** The slow way: look for each word in each text. */
function slowly(texts: readonly string[], each: string) {
  return texts.flatMap((held, message) => {
    const at = held.lastIndexOf(each);
    return at < 0 ? [] : [{ message, end: at + each.length }];
  });
}

it("finds what looking for each word in each text finds", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), fc.array(word, { maxLength: 5 }), (texts, extra) => {
      const words = new Set([
        ...extra,
        ...texts.map((held) => held.slice(1, 8)).filter((part) => /^[ab1/._]{6,}$/.test(part)),
      ]);
      const found = findOccurrences(texts, words);
      for (const each of words) expect(found.get(each)).toEqual(slowly(texts, each));
    }),
  );
});
