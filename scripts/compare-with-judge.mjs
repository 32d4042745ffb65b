// Holds what `varve replay --compare` prints against the judge's figures for the same recordings:
//   node scripts/compare-with-judge.mjs REPLAY.json DATA [--windows 16000] [--strategies hierarchical,sliding-window]
// REPLAY.json is what the judge wrote, DATA the folder that it read. The package is built by then. Every figure has to
// agree within 1 %.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const PROGRAM = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const TOLERANCE = 0.01;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: "string", default: PROGRAM },
    windows: { type: "string", default: "16000" },
    strategies: { type: "string", default: "hierarchical,sliding-window" },
  },
});

// figure, the judge's part and whole, ours; the costs are those of its own rates
const FIGURES = [
  ["views", (all) => all("views"), (all) => all("views")],
  ["tokens", (all) => all("tokens"), (all) => all("tokens")],
  ["over", (all) => all("over"), (all) => all("over")],
  ["illegal", (all) => all("illegal"), (all) => all("illegal")],
  ["identifiers", (all) => all("lits"), (all) => all("needed")],
  ["recall", (all) => all("hits") / all("lits"), (all) => all("found") / all("needed")],
  ["far recall", (all) => all("farHits") / all("farLits"), (all) => all("farFound") / all("far")],
  ["far in context", (all) => all("farContext") / all("farLits"), (all) => all("farInContext") / all("far")],
  ["cached share", (all) => all("prefix") / all("tokens"), (all) => all("cachedTokens") / all("tokens")],
  ["cost", (all) => all("cost") / all("costCached"), (all) => all("cost", "cached") / all("fullCost", "cached")],
];

const sumsOf = (rows) => (name, part) =>
  rows.reduce((sum, row) => sum + (part === undefined ? row[name] : row[name][part]), 0);

const agree = (a, b) => a === b || (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= TOLERANCE * Math.abs(a);

function replay(data) {
  const folder = join(data, "conversations");
  const files = readdirSync(folder).map((file) => join(folder, file));
  const wishes = ["--windows", values.windows, "--strategies", values.strategies, "--thresholds", "default"];
  const output = execFileSync(
    process.execPath,
    [values.program, "replay", ...files, "--compare", ...wishes, "--json"],
    {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  // A comparison also holds the present setting and the full window, which the judge does not know.
  const windows = values.windows.split(",").map(Number);
  const strategies = values.strategies.split(",");
  const isWished = ({ strategy, window }) => windows.includes(window) && strategies.includes(strategy);
  return JSON.parse(output).runs.filter(isWished);
}

/** The same conversations on both sides: the judge leaves out those that fit the window. */
function compare(run, judged) {
  const theirs = judged.filter(
    ({ contestant, window }) => contestant === `varve:${run.strategy}` && window === run.window,
  );
  const ids = new Set(theirs.map(({ id }) => id));
  const ours = run.conversations.filter(({ id }) => ids.has(id));
  const name = `${run.strategy} ${run.window}`;
  if (theirs.length === 0 || ours.length !== theirs.length)
    return [{ ok: false, text: `${name}: ${theirs.length} conversations of the judge, ${ours.length} of ours` }];
  return FIGURES.map(([figure, their, our]) => {
    const [expected, found] = [their(sumsOf(theirs)), our(sumsOf(ours))];
    return { ok: agree(expected, found), text: `${name} ${figure}: judge ${expected}, replay ${found}` };
  });
}

const [replayFile, data] = positionals;
if (!data) {
  console.error("usage: node scripts/compare-with-judge.mjs REPLAY.json DATA [--windows …] [--strategies …]");
  process.exit(2);
}
const { conversations } = JSON.parse(readFileSync(replayFile, "utf8"));
const results = replay(data).flatMap((run) => compare(run, conversations));
for (const { ok, text } of results) console.log(`${ok ? "ok    " : "FAILED"} ${text}`);
const failed = results.filter(({ ok }) => !ok).length;
console.log(
  failed > 0 ? `${failed} of ${results.length} figures differ` : `${results.length} figures agree with the judge`,
);
process.exitCode = failed > 0 || results.length === 0 ? 1 : 0;
