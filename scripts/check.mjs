// Runs every check of the repository, or those named as arguments, and shows the output of those that fail.
import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const COLOUR = Boolean(process.stdout.isTTY && !process.env.NO_COLOR);

const CHECKS = [
  { name: "lint", command: ["biome", "ci", "--error-on-warnings", `--colors=${COLOUR ? "force" : "off"}`, "."] },
  { name: "types", command: ["tsc", "--noEmit", "-p", ".", "--pretty", String(COLOUR)] },
  { name: "imports", command: ["vitest", "run", "test/architecture.test.ts"] },
  { name: "unused", command: ["knip", "--no-progress"] },
  { name: "build", command: ["npm", "run", "--silent", "build"] },
  { name: "package", command: ["node", "scripts/check-package.mjs"] },
];

function environment() {
  const { FORCE_COLOR, NO_COLOR, ...rest } = process.env;
  const path = [join(ROOT, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  return { ...rest, PATH: path, ...(COLOUR ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }) };
}

/** Runs a command to its end; a command that cannot start counts as failed. */
function run([program, ...parameters]) {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, {
      cwd: ROOT,
      env: environment(),
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    const output = [];
    child.stdout.on("data", (data) => output.push(data));
    child.stderr.on("data", (data) => output.push(data));
    child.on("error", (error) => resolve({ ok: false, output: String(error) }));
    child.on("close", (code) => resolve({ ok: code === 0, output: Buffer.concat(output).toString() }));
  });
}

function paint(ok, text) {
  return COLOUR ? `\u001b[${ok ? 32 : 31}m${text}\u001b[0m` : text;
}

async function runCheck({ name, command }) {
  const start = performance.now();
  const { ok, output } = await run(command);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${name.padEnd(8)} ${paint(ok, ok ? "ok    " : "failed")} ${seconds.padStart(6)} s`);
  if (!ok) console.log(`\n$ ${command.join(" ")}\n${output.trimEnd()}\n`);
  return ok;
}

function chosen(names) {
  const unknown = names.filter((name) => !CHECKS.some((check) => check.name === name));
  if (unknown.length > 0) {
    console.error(`No check ${unknown.join(", ")}; there are: ${CHECKS.map((check) => check.name).join(", ")}`);
    process.exit(2);
  }
  return names.length > 0 ? CHECKS.filter((check) => names.includes(check.name)) : CHECKS;
}

const failed = [];
const checks = chosen(process.argv.slice(2));
for (const check of checks) if (!(await runCheck(check))) failed.push(check.name);
console.log(
  failed.length > 0
    ? paint(false, `failed: ${failed.join(", ")}`)
    : paint(true, `ok: ${checks.map((check) => check.name).join(", ")}`),
);
process.exitCode = failed.length > 0 ? 1 : 0;
