import { VarveError } from "../errors.js";
import type { PieceIds } from "./piece-trie.js";
import { type TokenSum, tokenSum } from "./token-sum.js";
import { createWordPieces, type WordPieces } from "./word-pieces.js";

/**
 * A table with a vector for each token, as one file:
 *
 * | bytes | what |
 * |---|---|
 * | 8 | `VARVEEMB` |
 * | 4 | length of the header, little-endian |
 * | so many | the header: JSON with `version` (1), `name`, `dimensions` (a multiple of 4), `tokens`, `vocabularyBytes`, `source`, `licence` |
 * | 4 × tokens | the scale of each row, float32, little-endian |
 * | dimensions × tokens | the rows, int8; a token's vector is its row times its scale |
 * | vocabularyBytes | the tokens in the order of their rows, UTF-8, a line each |
 */
export interface TokenTable {
  readonly name: string;
  readonly dimensions: number;
  readonly pieces: WordPieces;
  /** The row that stands for a text without tokens. */
  readonly padding: number;
  readonly sum: TokenSum;
}

interface Header {
  readonly version: number;
  readonly name: string;
  readonly dimensions: number;
  readonly tokens: number;
  readonly vocabularyBytes: number;
}

const MARK = "VARVEEMB";
const HEADER_START = 12;

/** Reads a file of the format above; throws where it is not one, or not all of one. */
export function readTokenTable(bytes: Uint8Array, place: string): TokenTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const body = HEADER_START + headerLength(view, place);
  const header = readHeader(bytes.subarray(HEADER_START, body), place);
  const { name, dimensions, tokens, vocabularyBytes } = header;
  const rowsAt = body + 4 * tokens;
  const vocabularyAt = rowsAt + dimensions * tokens;
  const size = vocabularyAt + vocabularyBytes;
  if (size !== bytes.length) throw damaged(place, `it has ${bytes.length} bytes in place of ${size}`);
  const ids = readVocabulary(bytes.subarray(vocabularyAt), tokens, place);
  const scales = Float32Array.from({ length: tokens }, (_, at) => view.getFloat32(body + 4 * at, true));
  const rows = new Int8Array(bytes.buffer, bytes.byteOffset + rowsAt, dimensions * tokens);
  return {
    name,
    dimensions,
    pieces: createWordPieces(ids, ids.get("[UNK]")!),
    padding: ids.get("[PAD]")!,
    sum: tokenSum({ dimensions, scales, rows }),
  };
}

function headerLength(view: DataView, place: string): number {
  const isMarked = [...MARK].every((letter, at) => at < view.byteLength && view.getUint8(at) === letter.charCodeAt(0));
  if (!isMarked || view.byteLength < HEADER_START) throw damaged(place, "it does not begin as one");
  return view.getUint32(MARK.length, true);
}

function readHeader(bytes: Uint8Array, place: string): Header {
  const header = parse(bytes);
  const counts = [header?.version, header?.dimensions, header?.tokens, header?.vocabularyBytes];
  if (!counts.every(Number.isSafeInteger) || typeof header?.name !== "string") {
    throw damaged(place, "its header cannot be read");
  }
  if (header.version !== 1) throw damaged(place, `it has the format ${header.version}, and 1 can be read`);
  if (header.dimensions! % 4 !== 0) throw damaged(place, `${header.dimensions} dimensions are no multiple of 4`);
  return header as Header;
}

function parse(bytes: Uint8Array): Partial<Header> | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Partial<Header>;
  } catch {
    return undefined;
  }
}

function readVocabulary(bytes: Uint8Array, tokens: number, place: string): PieceIds {
  const ids = new Map(
    new TextDecoder()
      .decode(bytes)
      .split("\n")
      .map((token, id) => [token, id]),
  );
  if (ids.size !== tokens || !ids.has("[UNK]") || !ids.has("[PAD]"))
    throw damaged(place, "its vocabulary is not whole");
  return ids;
}

const damaged = (place: string, why: string): VarveError =>
  new VarveError({
    code: "embedder-unavailable",
    message: `${place} is not a table of token vectors: ${why}.`,
    hint: "Install the package again; a checkout needs the file itself, not a pointer to it.",
    details: { path: place },
  });
