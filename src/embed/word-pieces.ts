import { ownText } from "../tokens/own-text.js";
import { bertWords } from "./bert-words.js";
import { type PieceIds, PieceTrie } from "./piece-trie.js";

/** Turns a text into the ids of its pieces, without marks for its begin and end. */
export type WordPieces = (text: string) => readonly number[];

const LONGEST_WORD = 100;
const CACHED_WORDS = 50_000;
const CACHED_LENGTH = 32;

/**
 * BERT's WordPiece: each word is cut from the left into the longest pieces that are known. A word with a rest that is not,
 * and one of more than 100 characters, is the unknown token. Names of special tokens in a text are plain words.
 */
export function createWordPieces(ids: PieceIds, unknown: number): WordPieces {
  const trie = new PieceTrie(ids);
  let cache = new Map<string, readonly number[]>();
  const piecesOf = (word: string): readonly number[] => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const found = (hasTooMany(word) ? undefined : trie.cut(word)) ?? [unknown];
    if (cache.size >= CACHED_WORDS) cache = new Map();
    if (word.length <= CACHED_LENGTH) cache.set(ownText(word), found);
    return found;
  };
  return (text) => {
    const found: number[] = [];
    const words = bertWords(text);
    for (let at = 0; at < words.length; at++) {
      const pieces = piecesOf(words[at]!);
      for (let piece = 0; piece < pieces.length; piece++) found.push(pieces[piece]!);
    }
    return found;
  };
}

/** Characters are counted, not the units of UTF-16. */
const hasTooMany = (word: string): boolean => word.length > LONGEST_WORD && [...word].length > LONGEST_WORD;
