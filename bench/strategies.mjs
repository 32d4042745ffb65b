// Plays recorded conversations through every strategy and prints what the judge measures, beside the same for others:
//   node bench/strategies.mjs [--eval DIR] [--data DIR] [--write]
// The judge and the recordings are no part of this repository; without them there is nothing to play. With --write the
// tables go into bench/STRATEGIES.md.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { formatTable } from "./support/table.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OUTPUT = new URL("STRATEGIES.md", import.meta.url);
const OURS = ["varve:sliding-window", "varve:summarization", "varve:importance", "varve:hierarchical"];
/** The peers that keep most of what lies far back, each with the package that it needs. */
const PEERS = { "cline-basic": "@cline/core", "ai-prune": "ai" };
const CLOCK = "cline-basic";

const { values } = parseArgs({
  options: {
    eval: { type: "string", default: join(ROOT, "..", "shared", "eval") },
    data: { type: "string", default: join(ROOT, "..", "shared", "data") },
    write: { type: "boolean", default: false },
  },
});

/** The judge needs its packages beside it: where it has none, a copy of it borrows those of this repository. */
function prepareJudge(folder) {
  const home = resolve(values.eval);
  if (existsSync(join(home, "node_modules"))) return home;
  cpSync(home, folder, { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  return folder;
}

function installedPeers(judge) {
  return Object.keys(PEERS).filter((name) => {
    const found = existsSync(join(judge, "node_modules", PEERS[name]));
    if (!found) console.error(`left out ${name}: ${PEERS[name]} is not installed beside the judge`);
    return found;
  });
}

function play(judge, output) {
  const contestants = ["tail-safe", ...installedPeers(judge), ...OURS].join(",");
  const script = join(judge, "judge", "replay.mjs");
  const parameters = ["--data", resolve(values.data), "--no-scaling", "--contestants", contestants, "--json", output];
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [script, ...parameters], {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "inherit"],
    });
    child.on("error", fail);
    child.on("close", (code) => (code === 0 ? done() : fail(new Error(`the judge ended with ${code}`))));
  });
}

const percent = (value) => (value === null ? "-" : (100 * value).toFixed(1));
const ratio = (value) => (Number.isFinite(value) ? value.toFixed(2) : "-");

const HEAD = [
  ...["", "over %", "illegal %", "Anthropic %", "system lost %", "recall %", "far %", "far in context %"],
  ...["tokens", "cached %", "cost/cached", "time"],
];

function rowOf(row, clock) {
  const rates = [row.overRate, row.illegalRate, row.anthropicIllegalRate, row.systemLostRate];
  const shares = [row.recall, row.farRecall, row.farInContext];
  const time = ratio(row.msP50 / clock);
  return [
    row.contestant,
    ...[...rates, ...shares].map(percent),
    ...[row.meanTokens.toFixed(0), percent(row.cachedShare), ratio(row.costVsCachedFull), time],
  ];
}

function tableOf(rows, window) {
  const here = rows.filter((row) => row.window === window);
  const clock = here.find(({ contestant }) => contestant === CLOCK)?.msP50;
  const { conversations, views, farLiterals } = here[0];
  const title = `## Window ${window}: ${conversations} conversations, ${views} views, ${farLiterals} identifiers from far back`;
  return `${title}\n\n${formatTable(
    HEAD,
    here.map((row) => rowOf(row, clock)),
  )}`;
}

const NOTES = `- **over, illegal, Anthropic, system lost**: views beyond the window, views that OpenAI or Anthropic refuse, and views
  without the system prompt. They must be 0.
- **recall**: identifiers that the agent used next and that stand in the view; **far**: those whose last occurrence lies
  more than a window back; **far in context**: those that stand there with the words around them.
- **cached, cost/cached**: tokens that the provider's prompt cache holds, and the price of all views over that of the whole
  history, append-only and cached.
- **time**: median time of a view over that of \`${CLOCK}\` in the same run.

\`entities\` has no row: it needs a schema of what is to be known, and keeps nothing else.`;

function page({ rows, date }) {
  const windows = [...new Set(rows.map(({ window }) => window))];
  return [
    "# All strategies on recorded conversations",
    `Made ${date.slice(0, 10)} by \`npm run bench:strategies -- --write\`, with no model: digests are made of the conversation's own
words. \`tail-safe\` is a plain window that keeps exchanges whole, the others beside it are libraries.`,
    ...windows.map((window) => tableOf(rows, window)),
    "## What the columns say",
    NOTES,
    "",
  ].join("\n\n");
}

if (!existsSync(values.eval) || !existsSync(values.data)) {
  console.error(`There is no judge at ${values.eval}, or no data at ${values.data}: give --eval and --data.`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "varve-judge-"));
try {
  const output = join(folder, "replay.json");
  await play(prepareJudge(join(folder, "eval")), output);
  const text = page(JSON.parse(readFileSync(output, "utf8")));
  if (values.write) writeFileSync(OUTPUT, `${text.trimEnd()}\n`);
  console.log(text.trimEnd());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
