import { assetPath, readAsset } from "../assets.js";
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

type Count = (text: string) => number;

/** Pieces come again and again: those of late are kept. */
const CACHED_PIECES = 20_000;
const CACHED_PIECE_LENGTH = 64;

/**
 * A counter of one byte-pair encoding. Its tokens are read by the first count: a program that never counts exactly does
 * not pay for them.
 */
export function createByteCounter(source: EncodingSource): Count {
  let count: Count | undefined;
  return (text) => {
    if (text === "") return 0;
    count ??= createTextCounter(source);
    return count(text);
  };
}

function createTextCounter({ table, pieces, pieceEnd }: EncodingSource): Count {
  const count = createPieceCounter(new Vocabulary(readAsset(table), assetPath(table)));
  const countKept = createKept(count);
  const endOf = (text: string, start: number): number => {
    pieces.lastIndex = start;
    return pieces.test(text) ? pieces.lastIndex : text.length;
  };
  if (pieceEnd === undefined) return (text) => countByExpression(text, endOf, countKept);
  const walk = new PieceWalk({ endOf, pieceEnd, count, countKept });
  return (text) => walk.count(text);
}

function countByExpression(text: string, endOf: (text: string, start: number) => number, count: Count): number {
  let total = 0;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = endOf(text, start);
    total += count(text.slice(start, end));
  }
  return total;
}

const createPieceCounter =
  (vocabulary: Vocabulary): Count =>
  (piece) => {
    const bytes = Buffer.from(piece);
    return vocabulary.rankOf(bytes, 0, bytes.length) < 0 ? countMerged(bytes, vocabulary) : 1;
  };

function createKept(count: Count): Count {
  let kept = new Map<string, number>();
  const countNew = (piece: string): number => {
    const tokens = count(piece);
    if (kept.size >= CACHED_PIECES) kept = new Map();
    if (piece.length <= CACHED_PIECE_LENGTH) kept.set(ownText(piece), tokens);
    return tokens;
  };
  return (piece) => kept.get(piece) ?? countNew(piece);
}
