import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MemoryHit } from "../../store/memories/memories.js";
import { askedSpeaker } from "./asked-speaker.js";
import { type Preferences, rank } from "./rank.js";

const NONE: Preferences = { speaker: () => 1, time: () => 1 };
const hit = (place: number, fields: Partial<MemoryHit> = {}): MemoryHit => ({
  id: `m${place}`,
  scope: "s",
  thread: "t",
  place,
  time: 0,
  until: undefined,
  speaker: "user",
  words: 0,
  cosines: {},
  passage: 0,
  passages: 1,
  ...fields,
});

describe("the order of candidates", () => {
  test("words and meaning together beat either alone", () => {
    const both = hit(0, { words: 8, cosines: { e: 0.7 } });
    const words = hit(10, { words: 10 });
    const meaning = hit(20, { cosines: { e: 0.8 } });
    expect(rank([words, meaning, both], NONE)[0]!.hit).toBe(both);
  });

  test("in a conversation the answer beside the question is found, though it shares no word with it", () => {
    const ranked = rank([hit(5, { words: 10 })], NONE);
    expect(ranked.map(({ place }) => place)).toEqual([5, 4, 6, 3, 7]);
    expect(ranked[1]!.hit).toBeUndefined();
  });

  test("texts that are part of no conversation have no neighbours", () => {
    expect(rank([hit(5, { words: 10, thread: "" })], NONE)).toHaveLength(1);
  });

  test("a long text is not first for having many passages", () => {
    const long = hit(0, { words: 10, cosines: { e: 0.72 }, passages: 12 });
    const short = hit(10, { words: 9, cosines: { e: 0.68 } });
    expect(rank([long, short], NONE)[0]!.hit).toBe(short);
    expect(rank([{ ...long, words: 25 }, short], NONE)[0]!.hit).toMatchObject({ place: 0 });
  });

  test("vectors of two embedders are each measured by their own best", () => {
    const ranked = rank([hit(0, { cosines: { a: 0.3 } }), hit(10, { cosines: { b: 0.9 } })], NONE);
    expect(ranked.filter((one) => one.hit).map(({ evidence }) => evidence.meaning)).toEqual([1, 1]);
  });

  test("the score is what its explanation says, and the order is by it", () => {
    const hits = fc.uniqueArray(
      fc.record({ place: fc.nat(50), words: fc.nat(20), cosine: fc.double({ min: -1, max: 1, noNaN: true }) }),
      { selector: ({ place }) => place, maxLength: 20 },
    );
    fc.assert(
      fc.property(hits, (given) => {
        const ranked = rank(
          given.map(({ place, words, cosine }) => hit(place, { words, cosines: { e: cosine } })),
          { speaker: () => 1.5, time: () => 1 },
        );
        for (const { evidence } of ranked) {
          const { words, meaning, neighbours, speaker, time, score } = evidence;
          expect(score).toBeCloseTo(((1.3 * words + meaning + neighbours) / 2.3) * speaker * time);
        }
        const scores = ranked.map(({ evidence }) => evidence.score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      }),
    );
  });
});

test("a question in the first person prefers the user's words, one about you the agent's", () => {
  expect(askedSpeaker("What is my dog's name?")("user")).toBeGreaterThan(1);
  expect(askedSpeaker("What is my dog's name?")("assistant")).toBe(1);
  expect(askedSpeaker("What did you recommend?")("assistant")).toBeGreaterThan(1);
  expect(askedSpeaker("Can you list my pets?")("user")).toBeGreaterThan(1);
  expect(askedSpeaker("What is Ann's dog called?")("user")).toBe(1);
});
