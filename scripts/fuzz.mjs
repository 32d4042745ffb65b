// Looks for what no test knows yet: the view fuzzer over all strategies and providers, and all properties of the tests
// for longer than usual, both with a fresh seed, which is printed. npm run fuzz -- --help tells the rest.
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const HOOKS = new URL("../test/support/typescript-hooks.mjs", import.meta.url).href;

const HELP = `npm run fuzz -- [options]
  --seed S        draws the same cases again; VARVE_SEED does too
  --views N       views of the view fuzzer; 20000 unless given, 0 for none
  --provider P    checks as P alone: anthropic, openai-chat, openai-responses, gemini, ai-sdk; may be repeated
  --strategy T    plays T alone: sliding-window, summarization, importance, hierarchical, entities; may be repeated
  --scenario N    plays the one scenario that a finding names
  --runs N        tries each property N times as often as \`npm test\`; 10 unless given, 0 for none
  --property-seconds N  goes on to the next property after so long; 20 unless given`;

const { values } = parseArgs({
  options: {
    help: { type: "boolean" },
    seed: { type: "string", default: process.env.VARVE_SEED ?? String(randomInt(2 ** 31)) },
    views: { type: "string", default: "20000" },
    provider: { type: "string", multiple: true, default: [] },
    strategy: { type: "string", multiple: true, default: [] },
    scenario: { type: "string" },
    runs: { type: "string", default: "10" },
    "property-seconds": { type: "string", default: "20" },
  },
});

const wrong = ["seed", "views", "scenario", "runs", "property-seconds"].find(
  (name) => !(Number(values[name] ?? 0) >= 0),
);
if (values.help || wrong) {
  console.log(wrong ? `--${wrong} is a number from 0, not "${values[wrong]}".\n${HELP}` : HELP);
  process.exit(wrong ? 2 : 0);
}
const { seed } = values;

/** Runs a program to its end and shows all that it said at once, since others run beside it. */
function run(parameters, environment = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, parameters, {
      cwd: ROOT,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = [];
    child.stdout.on("data", (data) => output.push(data));
    child.stderr.on("data", (data) => output.push(data));
    child.on("close", (code) => {
      console.log(Buffer.concat(output).toString().trimEnd());
      resolve(code === 0);
    });
  });
}

function fuzzViews() {
  const chosen = ["provider", "strategy"].flatMap((name) => values[name].flatMap((value) => [`--${name}`, value]));
  const one = values.scenario === undefined ? [] : ["--scenario", values.scenario];
  const main = ["--disable-warning=ExperimentalWarning", "--import", HOOKS, "test/fuzz/main.ts"];
  return run([...main, "--seed", seed, "--views", values.views, ...chosen, ...one]);
}

/** The files of tests with properties, of their own or through helpers. */
function propertyFiles() {
  const tests = ["src", "test"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  return tests.filter(
    (name) => name.endsWith(".test.ts") && /fast-check|\.test-helpers\.js/.test(readFileSync(join(ROOT, name), "utf8")),
  );
}

function fuzzProperties() {
  const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
  const environment = { VARVE_SEED: seed, VARVE_RUNS: values.runs, VARVE_PROPERTY_SECONDS: values["property-seconds"] };
  return run([vitest, "run", "--reporter=dot", "--maxWorkers=1", ...propertyFiles()], environment);
}

console.log(`seed ${seed}: npm run fuzz -- --seed ${seed} draws the same cases again`);
const hasScenario = values.scenario !== undefined;
const work = [];
if (hasScenario || Number(values.views) > 0) work.push(fuzzViews());
if (!hasScenario && Number(values.runs) > 0) work.push(fuzzProperties());
const ok = await Promise.all(work);
process.exitCode = ok.every(Boolean) ? 0 : 1;
