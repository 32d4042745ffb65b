// Compiles the .wat files beside it into modules of the source; with --check, only says whether those are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import loadCompiler from "wabt";

const TARGETS = [
  ["scan.wat", "src/store/vectors/scan-module.ts", "SCAN_MODULE"],
  ["sum.wat", "src/embed/sum-module.ts", "SUM_MODULE"],
];

const compiler = await loadCompiler();

function compiled(source, name) {
  const module = compiler.parseWat(source, readFileSync(new URL(source, import.meta.url), "utf8"));
  module.validate();
  const base64 = Buffer.from(module.toBinary({}).buffer).toString("base64");
  return `/** scripts/simd/${source}, compiled by build.mjs beside it. */
export const ${name} =
  "${base64}";
`;
}

for (const [source, path, name] of TARGETS) {
  const target = new URL(`../../${path}`, import.meta.url);
  const text = compiled(source, name);
  if (!process.argv.includes("--check")) {
    writeFileSync(target, text);
  } else if (readFileSync(target, "utf8") !== text) {
    console.error(`${path} is not what ${source} compiles to: run scripts/simd/build.mjs`);
    process.exitCode = 1;
  }
}
