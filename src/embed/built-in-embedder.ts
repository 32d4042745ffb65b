import { assetPath } from "../assets.js";
import { VarveError } from "../errors.js";
import { checkAborted, type Embedder, toUnitLength } from "./embedder.js";
import { readModelFile } from "./model-files.js";
import { readTokenTable, type TokenTable } from "./token-table.js";

/** Which table of token vectors, and what is known of it before it is read. */
export interface TableSource {
  readonly path: string;
  readonly name: string;
  readonly dimensions: number;
}

const BUILT_IN = { name: "built-in:minilm-256:1", dimensions: 256 };

/** Characters after which others get a turn: some 20 ms. */
const TURN = 200_000;

let builtIn: Embedder | undefined;

/**
 * The embedder that comes with the package: no key, no server, no network. It is a table of token vectors that was learnt
 * from all-MiniLM-L6-v2; the vector of a text is the mean of its tokens' vectors. It knows English best, and of the
 * order of words nothing. Its file of 8 MB is read by the first call.
 *
 * @example
 * ```ts
 * const embedder = builtInEmbedder();
 * const [dog, puppy, tax] = await embedder.embed(["a dog", "a puppy", "the tax return"]);
 * ```
 */
export function builtInEmbedder(): Embedder {
  builtIn ??= tableEmbedder({ ...BUILT_IN, path: assetPath("embedder.bin") });
  return builtIn;
}

/** An embedder over a table of token vectors, which is read by the first call. A failed reading is tried again. */
export function tableEmbedder(source: TableSource): Embedder {
  let loading: Promise<TokenTable> | undefined;
  const load = (): Promise<TokenTable> => {
    loading ??= loadTable(source).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    name: source.name,
    dimensions: source.dimensions,
    embed: async (texts, { signal } = {}) => {
      checkAborted(signal);
      return embedInTurns(await load(), texts, signal);
    },
  };
}

async function loadTable({ path, name, dimensions }: TableSource): Promise<TokenTable> {
  const { bytes } = await readModelFile([path], "Install the package again: the file is part of it.");
  const table = readTokenTable(bytes, path);
  if (table.name === name && table.dimensions === dimensions) return table;
  throw new VarveError({
    code: "embedder-unavailable",
    message: `${path} holds ${table.name} with ${table.dimensions} dimensions in place of ${name} with ${dimensions}.`,
    hint: "Install the package again: the file is of another version.",
    details: { path, name: table.name },
  });
}

async function embedInTurns(
  table: TokenTable,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  let characters = 0;
  for (const text of texts) {
    vectors.push(vectorOf(table, table.pieces(text)) ?? vectorOf(table, [table.padding])!);
    characters += text.length;
    if (characters < TURN) continue;
    characters = 0;
    await new Promise((resolve) => setImmediate(resolve));
    checkAborted(signal);
  }
  return vectors;
}

/** The mean of the tokens' vectors, as far as its direction goes; undefined where there are no tokens. */
function vectorOf({ sum }: TokenTable, tokens: readonly number[]): Float32Array | undefined {
  const vector = new Float32Array(sum(tokens));
  return toUnitLength(vector) ? vector : undefined;
}
