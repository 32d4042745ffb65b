import { describe, expect, it } from "vitest";
import { readAsset } from "../assets.js";
import { Vocabulary } from "./vocabulary.js";

const BYTES = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]));
const WORDS = ["ab", " ab", "\u00e9", "x".repeat(128)].map((text) => Buffer.from(text));
const TOKENS = [...BYTES, ...WORDS];

function fileOf(tokens: readonly Buffer[], count = tokens.length): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(count);
  return Buffer.concat([head, ...tokens.flatMap((token) => [Buffer.from([token.length]), token])]);
}

const open = (file: Uint8Array) => new Vocabulary(file, "tokens.bin");

describe("Vocabulary", () => {
  const vocabulary = open(fileOf(TOKENS));

  it("finds each token by its bytes, wherever they stand", () => {
    const text = Buffer.concat([Buffer.from("<"), ...TOKENS, Buffer.from(">")]);
    let at = 1;
    for (const [rank, token] of TOKENS.entries()) {
      expect(vocabulary.rankOf(text, at, at + token.length)).toBe(rank);
      at += token.length;
    }
  });

  it("knows no other", () => {
    for (const text of ["ba", "abab", "x".repeat(129), "x".repeat(127), "e\u0301"])
      expect(vocabulary.rankOf(Buffer.from(text), 0, Buffer.byteLength(text))).toBe(-1);
  });

  it.each([
    ["cut short", fileOf(TOKENS).subarray(0, -1)],
    ["longer than it says", fileOf(TOKENS, TOKENS.length - 1)],
    ["shorter than it says", fileOf(TOKENS, 4_000_000_000)],
    ["without a count", Buffer.from("ver")],
    ["empty", Buffer.alloc(0)],
    ["nothing but zeros", Buffer.alloc(64)],
    ["without all bytes", fileOf(TOKENS.slice(1))],
    ["a pointer to a file", Buffer.from("version https://git-lfs.github.com/spec/v1")],
  ])("refuses a file that is %s", (_, file) => {
    const refusal = { code: "invalid-document", message: expect.stringContaining("tokens.bin") };
    expect(() => open(file)).toThrow(expect.objectContaining(refusal));
  });
});

describe("readAsset", () => {
  it("says which file of the package is missing, and what to do", () => {
    const read = () => readAsset("nothing.bin");
    expect(read).toThrow(expect.objectContaining({ code: "not-found", hint: expect.stringContaining("bundler") }));
    expect(read).toThrow(/nothing\.bin/);
  });
});
