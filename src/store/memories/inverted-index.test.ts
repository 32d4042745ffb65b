import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvertedIndex } from "./inverted-index.js";

interface Passage {
  readonly shelf: number;
  readonly terms: readonly string[];
}

const term = fc.constantFrom<string[]>("a", "b", "c", "d", "constructor", "__proto__");
const passage = fc.record({ shelf: fc.nat(3), terms: fc.array(term, { maxLength: 12 }) });
/** What happens to the passages of each number: they are added, or removed again. */
const history = fc.array(fc.tuple(fc.nat(1_500), fc.option(passage)), { maxLength: 60 });

/** BM25 by its definition, over the passages of the open shelves. */
function plainScore(terms: readonly string[], passage: Passage, among: readonly Passage[]): number {
  const average = among.reduce((sum, each) => sum + each.terms.length, 0) / among.length;
  return terms.reduce((sum, wanted) => {
    const holding = among.filter((each) => each.terms.includes(wanted)).length;
    const weight = Math.log(1 + (among.length - holding + 0.5) / (holding + 0.5));
    const count = passage.terms.filter((each) => each === wanted).length;
    return sum + (weight * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * passage.terms.length) / average));
  }, 0);
}

function fill(changes: readonly (readonly [number, Passage | null])[]) {
  const index = new InvertedIndex();
  const kept = new Map<number, Passage>();
  for (const [number, passage] of changes) {
    if (kept.delete(number)) index.remove(number);
    if (passage === null) continue;
    kept.set(number, passage);
    index.add(number, passage.shelf, passage.terms);
  }
  return { index, kept };
}

describe("an inverted index", () => {
  it("scores as BM25 says, over what is there on the open shelves", () => {
    const question = fc.uniqueArray(term, { maxLength: 4 });
    const shelves = fc.uniqueArray(fc.nat(3));
    fc.assert(
      fc.property(history, question, shelves, (changes, terms, open) => {
        const { index, kept } = fill(changes);
        const among = [...kept].filter(([, { shelf }]) => open.includes(shelf));
        const length = among.reduce((sum, [, passage]) => sum + passage.terms.length, 0);
        const isOpen = Uint8Array.from([0, 1, 2, 3], (shelf) => (open.includes(shelf) ? 1 : 0));
        const found = index.score(terms, { open: isOpen, passages: among.length, length }, ({ scores, touched }) =>
          touched.map((number) => [number, scores[number]!] as const),
        );
        const matching = among.filter(([, passage]) => passage.terms.some((each) => terms.includes(each)));
        expect(found.map(([number]) => number).sort()).toEqual(matching.map(([number]) => number).sort());
        const all = among.map(([, passage]) => passage);
        for (const [number, score] of found) expect(score).toBeCloseTo(plainScore(terms, kept.get(number)!, all), 9);
      }),
    );
  });

  it("gives back the terms of each passage as often as they occur", () => {
    fc.assert(
      fc.property(history, (changes) => {
        const { index, kept } = fill(changes);
        for (const [number, { terms }] of kept) {
          expect(index.termsOf(number).sort()).toEqual([...terms].sort());
          expect(index.lengthOf(number)).toBe(terms.length);
        }
      }),
    );
  });

  it("has nothing left of a question when the next one is asked", () => {
    const { index } = fill([[1, { shelf: 0, terms: ["a", "b"] }]]);
    const shelves = { open: Uint8Array.of(1), passages: 1, length: 2 };
    const ask = () => index.score(["a"], shelves, ({ scores }) => scores[1]);
    expect(() =>
      index.score(["a", "b"], shelves, () => {
        throw new Error("while it was looked at");
      }),
    ).toThrow();
    expect(ask()).toBe(ask());
  });
});
