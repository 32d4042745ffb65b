import { z } from "zod";
import { VarveError } from "../errors.js";
import { createWordPieces, type WordPieces } from "./word-pieces.js";

/** What an encoder is fed with. */
export interface OnnxTokenizer {
  readonly pieces: WordPieces;
  readonly begin: number;
  readonly end: number;
  readonly padding: number;
}

/** The parts of a `tokenizer.json` that tell BERT uncased from others; a field that is absent has its usual value. */
const schema = z.object({
  normalizer: z.object({
    type: z.literal("BertNormalizer"),
    lowercase: z.literal(true).default(true),
    strip_accents: z.literal(true).nullish(),
    clean_text: z.literal(true).default(true),
    handle_chinese_chars: z.literal(true).default(true),
  }),
  pre_tokenizer: z.object({ type: z.literal("BertPreTokenizer") }),
  model: z.object({
    type: z.literal("WordPiece").default("WordPiece"),
    continuing_subword_prefix: z.literal("##").default("##"),
    max_input_chars_per_word: z.literal(100).default(100),
    unk_token: z.literal("[UNK]").default("[UNK]"),
    vocab: z.record(z.string(), z.int().nonnegative()),
  }),
});
const SPECIAL = ["[UNK]", "[CLS]", "[SEP]", "[PAD]"];

/** Reads a `tokenizer.json`; any tokenizer but BERT uncased is refused, as its words would be others. */
export function readOnnxTokenizer(text: string, path: string): OnnxTokenizer {
  const parsed = schema.safeParse(parse(text));
  if (!parsed.success) throw unknownTokenizer(path, parsed.error);
  const ids = new Map(Object.entries(parsed.data.model.vocab));
  const [unknown, begin, end, padding] = SPECIAL.map((token) => ids.get(token));
  if (unknown === undefined || begin === undefined || end === undefined || padding === undefined) {
    throw unknownTokenizer(path, `one of ${SPECIAL.join(", ")} is missing`);
  }
  return { pieces: createWordPieces(ids, unknown), begin, end, padding };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unknownTokenizer = (path: string, cause: unknown): VarveError =>
  new VarveError({
    code: "embedder-unavailable",
    message: `${path} does not describe the tokenizer of BERT uncased.`,
    hint: "Take a model with that tokenizer: all-MiniLM, bge, gte, e5 and arctic-embed have it in their English versions.",
    cause,
    details: { path },
  });
