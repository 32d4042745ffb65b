// Compiles scan.wat into src/store/vectors/scan-module.ts; with --check, only says whether that file is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import loadCompiler from "wabt";

const SOURCE = new URL("scan.wat", import.meta.url);
const TARGET = new URL("../../src/store/vectors/scan-module.ts", import.meta.url);

const compiler = await loadCompiler();
const module = compiler.parseWat("scan.wat", readFileSync(SOURCE));
module.validate();
const base64 = Buffer.from(module.toBinary({}).buffer).toString("base64");
const text = `/** scripts/vector-scan/scan.wat, compiled by build.mjs beside it. */
export const SCAN_MODULE =
  "${base64}";
`;

if (!process.argv.includes("--check")) {
  writeFileSync(TARGET, text);
} else if (readFileSync(TARGET, "utf8") !== text) {
  console.error(
    "src/store/vectors/scan-module.ts is not what scan.wat compiles to: run scripts/vector-scan/build.mjs",
  );
  process.exitCode = 1;
}
