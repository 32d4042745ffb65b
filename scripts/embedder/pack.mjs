// Packs what train.py wrote into the one file that the package carries; the format is written down in
// src/embed/token-table.ts.
// Usage: node scripts/embedder/pack.mjs FOLDER OUT NAME, where FOLDER holds vectors.i8, scales.f32 and vocab.txt.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, out, name] = process.argv.slice(2);
if (!name) {
  console.error("usage: node scripts/embedder/pack.mjs FOLDER OUT NAME");
  process.exit(2);
}

const [rows, scales, vocabulary] = ["vectors.i8", "scales.f32", "vocab.txt"].map((file) =>
  readFileSync(join(folder, file)),
);
const tokens = scales.length / 4;
const header = Buffer.from(
  JSON.stringify({
    version: 1,
    name,
    dimensions: rows.length / tokens,
    tokens,
    vocabularyBytes: vocabulary.length,
    source: "learnt from sentence-transformers/all-MiniLM-L6-v2",
    licence: "Apache-2.0",
  }),
);
const length = Buffer.alloc(4);
length.writeUInt32LE(header.length);
const file = Buffer.concat([Buffer.from("VARVEEMB"), length, header, scales, rows, vocabulary]);
writeFileSync(out, file);
console.log(`${name}: ${tokens} tokens, ${rows.length / tokens} dimensions, ${file.length} bytes`);
