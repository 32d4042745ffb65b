#!/usr/bin/env node
// The rest is imported after the check, since an old Node may fail on its very syntax.
import { unsupportedNode } from "./node-version.js";

const UNSUPPORTED = 3;

const problem = unsupportedNode(process.versions.node);
if (problem === undefined) {
  const { runProgram } = await import("./program.js");
  process.exitCode = await runProgram(process.argv.slice(2));
} else {
  console.error(problem);
  process.exitCode = UNSUPPORTED;
}
