import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeyIndex } from "./key-index.js";

/** Keys that share a place, neighbours, and those that differ in their upper half alone. */
const key = fc.oneof(
  fc.integer({ min: -8, max: 40 }),
  fc.integer({ min: 0, max: 40 }).map((each) => each * 2 ** 32),
  fc.maxSafeInteger(),
);

describe("an index of keys", () => {
  test("holds what a map holds after any changes", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.boolean()), { maxLength: 300, size: "max" }), (changes) => {
        const keys: number[] = [];
        const expected = new Map<number, number>();
        const index = new KeyIndex((slot) => keys[slot]!);
        for (const [each, added] of changes) {
          if (added) {
            expected.set(each, keys.push(each) - 1);
            index.set(each, keys.length - 1);
          } else {
            expected.delete(each);
            index.delete(each);
          }
        }
        for (const [each] of changes) expect(index.get(each)).toBe(expected.get(each));
      }),
    );
  });

  test("takes some bytes a key, and gives them back", () => {
    const index = new KeyIndex((slot) => slot * 3);
    const empty = index.bytes;
    for (let slot = 0; slot < 100_000; slot++) index.set(slot * 3, slot);
    expect(index.bytes).toBeLessThanOrEqual(1_600_000);
    for (let slot = 0; slot < 100_000; slot++) index.delete(slot * 3);
    expect(index.bytes).toBe(empty);
  });
});
