import { createRequire } from "node:module";
import { countMerged, type Vocabulary } from "./merge-pairs.js";
import { ownText } from "./own-text.js";
import { PieceWalk } from "./piece-walk.js";
import type { PieceEnd } from "./plain-pieces.js";

/** A token as gpt-tokenizer lists it, at the index of its rank: text, or bytes where they are no whole characters. */
type RankedToken = string | readonly number[];

export interface EncodingSource {
  /** Name of the module that exports the ranked tokens. */
  readonly ranksModule: string;
  /** Cuts a text into the pieces that are merged one by one. Matches must leave no gap. */
  readonly pieces: RegExp;
  /** Finds the same pieces faster, where it can. */
  readonly pieceEnd?: PieceEnd;
}

/** Pieces come again and again: a small table of those of late is faster than the one of all tokens. */
const CACHED_PIECES = 20_000;
const CACHED_PIECE_LENGTH = 64;

/**
 * A counter of one byte-pair encoding. The tables (megabytes of source) are loaded by the first count, so that a
 * program that never counts exactly does not pay for them; `require` is the only synchronous way to load that late.
 */
export function createByteCounter(source: EncodingSource): (text: string) => number {
  let walk: PieceWalk | undefined;
  return (text) => {
    if (text === "") return 0;
    walk ??= new PieceWalk({ ...source, count: createPieceCounter(loadVocabulary(source.ranksModule)) });
    return walk.count(text);
  };
}

function createPieceCounter(vocabulary: Vocabulary): (piece: string) => number {
  const { ranks } = vocabulary;
  let cache = new Map<string, number>();
  const countNew = (piece: string): number => {
    const count = ranks.has(piece) ? 1 : countMerged(piece, vocabulary);
    if (cache.size >= CACHED_PIECES) cache = new Map();
    if (piece.length <= CACHED_PIECE_LENGTH) cache.set(ownText(piece), count);
    return count;
  };
  return (piece) => cache.get(piece) ?? countNew(piece);
}

function loadVocabulary(ranksModule: string): Vocabulary {
  const loaded: { default: readonly RankedToken[] } = createRequire(import.meta.url)(ranksModule);
  const ranks = new Map<string, number>();
  const partialRanks = new Map<string, number>();
  loaded.default.forEach((token, rank) => {
    if (typeof token === "string") ranks.set(token, rank);
    else partialRanks.set(String.fromCharCode(...token), rank);
  });
  return { ranks, partialRanks };
}
