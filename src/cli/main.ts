#!/usr/bin/env node
// The rest is imported after the check, since an old Node may fail on its very syntax.
import { unsupportedNode } from "./node-version.js";

const UNSUPPORTED = 3;

const parameters = process.argv.slice(2);
const problem = unsupportedNode(process.versions.node);
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = UNSUPPORTED;
} else if (parameters.length === 1 && (parameters[0] === "--version" || parameters[0] === "-V")) {
  const { endOnFailedOutput } = await import("./failed-output.js");
  endOnFailedOutput();
  const { packageVersion } = await import("./package-version.js");
  process.stdout.write(`${packageVersion()}\n`);
} else {
  const { enableCompileCache } = await import("node:module");
  enableCompileCache();
  const { wordWarnings } = await import("./warnings.js");
  wordWarnings();
  const { runProgram } = await import("./program.js");
  process.exitCode = await runProgram(parameters);
}
