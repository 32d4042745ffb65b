import { readAsset } from "../assets.js";
import { countMerged } from "./merge-pairs.js";
import { ownText } from "./own-text.js";
import { PieceWalk } from "./piece-walk.js";
import type { PieceEnd } from "./plain-pieces.js";
import { Vocabulary } from "./vocabulary.js";

export interface EncodingSource {
  /** The file with its tokens. */
  readonly table: string;
  /** Cuts a text into the pieces that are merged one by one. Matches must leave no gap. */
  readonly pieces: RegExp;
  /** Finds the same pieces faster, where it can. */
  readonly pieceEnd?: PieceEnd;
}

/** Pieces come again and again: a small table of those of late is faster than the one of all tokens. */
const CACHED_PIECES = 20_000;
const CACHED_PIECE_LENGTH = 64;

/**
 * A counter of one byte-pair encoding. Its tokens are read by the first count: a program that never counts exactly does
 * not pay for them.
 */
export function createByteCounter({ table, pieces, pieceEnd }: EncodingSource): (text: string) => number {
  let walk: PieceWalk | undefined;
  return (text) => {
    if (text === "") return 0;
    walk ??= new PieceWalk({ pieces, pieceEnd, count: readAsset(table, createPieceCounter) });
    return walk.count(text);
  };
}

function createPieceCounter(file: Uint8Array): (piece: string) => number {
  const vocabulary = new Vocabulary(file);
  let cache = new Map<string, number>();
  const countNew = (piece: string): number => {
    const bytes = Buffer.from(piece);
    const count = vocabulary.rankOf(bytes, 0, bytes.length) < 0 ? countMerged(bytes, vocabulary) : 1;
    if (cache.size >= CACHED_PIECES) cache = new Map();
    if (piece.length <= CACHED_PIECE_LENGTH) cache.set(ownText(piece), count);
    return count;
  };
  return (piece) => cache.get(piece) ?? countNew(piece);
}
