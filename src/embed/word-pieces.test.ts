import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../test/support/runs.js";
import { assetPath } from "../assets.js";
import { createWordPieces } from "./word-pieces.js";

/** The vocabulary of BERT uncased, from the end of the built-in embedder's file. */
function bertVocabulary(): string[] {
  const file = readFileSync(assetPath("embedder.bin"));
  const header = JSON.parse(file.toString("utf8", 12, 12 + file.readUInt32LE(8))) as { vocabularyBytes: number };
  return file.toString("utf8", file.length - header.vocabularyBytes).split("\n");
}

const idsOf = (vocabulary: readonly string[]): Map<string, number> =>
  new Map(vocabulary.map((token, id) => [token, id]));

describe("the pieces of BERT uncased", () => {
  const vocabulary = bertVocabulary();
  const pieces = createWordPieces(idsOf(vocabulary), vocabulary.indexOf("[UNK]"));
  const tokensOf = (text: string): string =>
    pieces(text)
      .map((id) => vocabulary[id])
      .join(" ");

  // The right-hand side is what the tokenizers library of Hugging Face gives for all-MiniLM-L6-v2.
  test.each([
    ["words and rests of words", "Where is the retry logic?", "where is the re ##try logic ?"],
    ["rare words", "unaffable embeddings", "una ##ffa ##ble em ##bed ##ding ##s"],
    ["accents", "Café CRÈME, déjà-vu", "cafe cr ##eme , de ##ja - vu"],
    ["a sigma at the end of a word", "ΟΔΥΣΣΕΥΣ", "ο ##δ ##υ ##σ ##σ ##ε ##υ ##σ"],
    ["ideographs one by one", "東京へ行く", "東 京 へ 行 く"],
    ["hangul letter by letter", "한국어", "ᄒ ##ᅡ ##ᆫ ##ᄀ ##ᅮ ##ᆨ ##ᄋ ##ᅥ"],
    ["cyrillic", "ок Москва", "о ##к м ##о ##с ##к ##в ##а"],
    ["marks within words", "don't e-mail foo_bar@x.io", "don ' t e - mail foo _ bar @ x . io"],
    ["marks beyond ASCII", "“quoted” – dash…", "“ quoted ” – dash …"],
    ["amounts", "1,234.50 €", "1 , 234 . 50 €"],
    ["any white space", "tab\there\u00a0and\u2028there", "tab here and there"],
    ["control characters", "zero\u200bwidth\u00adsoft \x07bell\ufffd\ud800", "zero ##wi ##dt ##hs ##oft bell"],
    ["a dotted capital and a ligature", "İstanbul ﬁn Straße", "istanbul ﬁ ##n st ##raße"],
    ["what it does not know", "👩‍💻 works", "[UNK] works"],
    ["names of special tokens", "[SEP] [PAD]", "[ sep ] [ pad ]"],
    ["nothing", " \n", ""],
  ])("are found in %s", (_, text, tokens) => {
    expect(tokensOf(text)).toBe(tokens);
  });

  test("give up words of more than 100 characters", () => {
    expect(tokensOf("é".repeat(100))).toBe(["ee", ...Array.from({ length: 49 }, () => "##ee")].join(" "));
    expect(tokensOf("a".repeat(101))).toBe("[UNK]");
    expect(pieces("😀".repeat(100))).toHaveLength(1);
  });

  test("are the same for plain letters on the short way and on the long way", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 60 }), (text) => {
        expect(tokensOf(`${text} “`)).toBe(`${tokensOf(text)} “`.trim());
      }),
    );
  });
});

test("the longest piece wins at every place, in any vocabulary", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "ç"), minLength: 1, maxLength: 5 });
  const piece = fc.tuple(fc.boolean(), letters).map(([goesOn, text]) => `${goesOn ? "##" : ""}${text}`);
  fc.assert(
    fc.property(
      fc.uniqueArray(piece, { maxLength: 25 }),
      fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1 }),
      (known, word) => {
        const ids = idsOf(["[UNK]", ...known]);
        expect(createWordPieces(ids, 0)(word)).toEqual(longestFirst(word, ids) ?? [0]);
      },
    ),
    { numRuns: runs(500) },
  );
});

/** The rule as it is written down: try all lengths, the longest first. */
function longestFirst(word: string, ids: ReadonlyMap<string, number>): number[] | undefined {
  const found: number[] = [];
  for (let start = 0; start < word.length; ) {
    const ends = Array.from({ length: word.length - start }, (_, at) => word.length - at);
    const end = ends.find((each) => ids.has(`${start > 0 ? "##" : ""}${word.slice(start, each)}`));
    if (end === undefined) return undefined;
    found.push(ids.get(`${start > 0 ? "##" : ""}${word.slice(start, end)}`)!);
    start = end;
  }
  return found;
}
