import { describe, expect, it } from "vitest";
import { readAsset } from "../assets.js";
import { Vocabulary } from "./vocabulary.js";

const TOKENS = ["a", "b", "ab", " ab", "\u00e9", "x".repeat(128)];

function fileOf(tokens: readonly string[], count = tokens.length): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(count);
  const parts = tokens.map((token) => Buffer.from(token)).flatMap((bytes) => [Buffer.from([bytes.length]), bytes]);
  return Buffer.concat([head, ...parts]);
}

describe("Vocabulary", () => {
  const vocabulary = new Vocabulary(fileOf(TOKENS));

  it("finds each token by its bytes, wherever they stand", () => {
    const text = Buffer.from(`<${TOKENS.join("")}>`);
    let at = 1;
    for (const [rank, token] of TOKENS.entries()) {
      const end = at + Buffer.byteLength(token);
      expect(vocabulary.rankOf(text, at, end)).toBe(rank);
      at = end;
    }
  });

  it("knows no other", () => {
    for (const text of ["c", "ba", "abab", "x".repeat(129), "x".repeat(127), "e"])
      expect(vocabulary.rankOf(Buffer.from(text), 0, Buffer.byteLength(text))).toBe(-1);
  });

  it("refuses a file that is not whole", () => {
    expect(() => new Vocabulary(fileOf(TOKENS).subarray(0, -1))).toThrow();
    expect(() => new Vocabulary(fileOf(TOKENS, TOKENS.length - 1))).toThrow();
    expect(() => new Vocabulary(fileOf(TOKENS, 4_000_000_000))).toThrow();
    expect(() => new Vocabulary(Buffer.from("ver"))).toThrow();
    expect(() => new Vocabulary(Buffer.from("version https://git-lfs.github.com/spec/v1"))).toThrow();
  });
});

describe("readAsset", () => {
  it("says which file of the package is missing, and what to do", () => {
    const read = () => readAsset("nothing.bin", (file) => new Vocabulary(file));
    expect(read).toThrow(expect.objectContaining({ code: "not-found", hint: expect.stringContaining("bundler") }));
    expect(read).toThrow(/nothing\.bin/);
  });
});
