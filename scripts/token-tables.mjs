// Packs the tokens of the encodings that are counted exactly into the files that the package carries; their format is
// written down in src/tokens/vocabulary.ts.
// Usage: node scripts/token-tables.mjs [FOLDER], assets unless given.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import cl100k from "gpt-tokenizer/bpeRanks/cl100k_base";
import o200k from "gpt-tokenizer/bpeRanks/o200k_base";

const [folder = "assets"] = process.argv.slice(2);

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/**
 * Tokens by rank; they are listed as text, or as bytes where they are no whole characters. Those that begin with a byte
 * order mark are left out: gpt-tokenizer never finds them, and a count must be no lower than that of programs that use
 * it. Only the order of ranks matters, so none is left free.
 */
const tokensOf = (ranked) =>
  ranked.map((token) => Buffer.from(token)).filter((token) => !token.subarray(0, 3).equals(BYTE_ORDER_MARK));

function pack(tokens) {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(tokens.length);
  return Buffer.concat([count, ...tokens.flatMap((token) => [Buffer.from([token.length]), token])]);
}

for (const [name, ranked] of Object.entries({ o200k, cl100k })) {
  const tokens = tokensOf(ranked);
  const file = pack(tokens);
  writeFileSync(join(folder, `${name}.bin`), file);
  console.log(`${name}.bin: ${tokens.length} tokens, ${file.length} bytes`);
}
