// Holds the judges' figures against the gates below:
// node scripts/judge-gate.mjs REPLAY.json REDUCE.json RETRIEVAL.json ACCEPTANCE.json
// A figure that was not measured fails its gate.
import { readFileSync } from "node:fs";

const REPLAY_WINDOWS = [4000, 16000, 64000];

// judge table, budget (replay: every window), figure, relation, bound: a number, one for each window, or the contestant
// to compare with; then the only contestant that is meant, where not all of ours are
const GATES = [
  ["replay", "all", "overRate", "=", 0],
  ["replay", "all", "illegalRate", "=", 0],
  ["replay", "all", "anthropicIllegalRate", "=", 0],
  ["replay", "all", "systemLostRate", "=", 0],
  ["replay", "all", "recall", ">=", "tail-safe"],
  ["replay", "all", "recall", ">=", [0.75, 0.89, 0.97]],
  ["replay", "all", "costVsCachedFull", "<=", [0.16, 0.24, 0.465]],
  ["replay", "all", "costVsCachedFull", "<=", [0.135, 0.215, 0.465], "varve:sliding-window"],
  ["replay", "all", "recall", ">=", [0.84, 0.94, 0.983], "varve:hierarchical"],
  ["replay", "all", "farRecall", ">=", [0.45, 0.6, 0.8], "varve:hierarchical"],
  ["replay", "all", "farTold", ">=", [0.24, 0.35, 0.36], "varve:hierarchical"],
  ["replay", "all", "tornRate", "<=", [0.015, 0.015, 0.015], "varve:hierarchical"],
  ["replay", "all", "saidKept", ">=", [0.55, 0.93, 0.98], "varve:hierarchical"],
  ["replay", "all", "filesTold", ">=", [0.8, 0.98, 0.99], "varve:hierarchical"],
  ["replay", "all", "cachedShare", ">=", [0.72, 0.85, 0.95], "varve:hierarchical"],
  ["replay", "all", "farRecall", ">=", [0.24, 0.28, 0.5], "varve:summarization"],
  ["replay", "all", "farRecall", ">=", [0.24, 0.28, 0.5], "varve:importance"],
  ["acceptance", "thinking", "refused", "=", 0],
  ["acceptance", "place", "moved", "=", 0],
  ["acceptance", "authority", "inSystem", "=", 0],
  ["acceptance", "authority", "systems", "=", 0],
  ...[0, 3_000, 6_000, 10_000].map((tools) => ["acceptance", tools, "breaks", "<=", 20]),
  ["acceptance", 13_000, "breaks", "<=", 25],
  ...[0, 3_000, 6_000, 10_000, 13_000].map((tools) => ["acceptance", tools, "bill", "<=", 0.45]),
  ["tests", 512, "errorLinesKept", ">=", 0.9],
  ["tests", 1024, "namesKept", ">=", 1],
  ["tests", 1024, "errorLinesKept", ">=", 0.95],
  ["tests", 1024, "fits", ">=", 1],
  ["logs", 1024, "templatesKept", ">=", 0.68],
  ["logs", 1024, "fits", ">=", 1],
  ["locomo", "turns", "frac5", ">=", 0.62],
  ["locomo", "turns", "frac10", ">=", 0.72],
  ["locomo", "turns", "frac25", ">=", 0.81],
  ["locomo", "turns", "frac50", ">=", 0.87],
  ["beam-100k", "turns", "frac10", ">=", 0.52],
];

const RELATIONS = {
  "=": (value, bound) => value === bound,
  ">=": (value, bound) => value >= bound,
  "<=": (value, bound) => value <= bound,
};

const isOurs = (contestant) => contestant === "varve" || contestant.startsWith("varve:");

/** The rows of all judges in one shape: table, size (window or budget), contestant, figures. */
function readRows(files) {
  const [replay, reduce, retrieval, { acceptance }] = files.map((file) => JSON.parse(readFileSync(file, "utf8")));
  const accepted = Object.entries(acceptance).flatMap(([strategy, { thinking, place, power, byTools }]) =>
    [
      { size: "thinking", refused: thinking.refused },
      { size: "place", moved: [place.anthropic, place.responses].filter((inPlace) => !inPlace).length },
      { size: "authority", ...power },
      ...Object.entries(byTools).map(([tools, figures]) => ({ size: Number(tools), ...figures })),
    ].map((row) => ({ ...row, table: "acceptance", contestant: `varve:${strategy}` })),
  );
  return [
    ...accepted,
    ...replay.rows.map((row) => ({ ...row, table: "replay", size: row.window })),
    ...reduce.tests.map((row) => ({ ...row, table: "tests", size: row.budget })),
    ...reduce.logs.map((row) => ({ ...row, table: "logs", size: row.budget })),
    ...retrieval.rows.map(({ contestant, set, turn }) => ({ ...turn, contestant, table: set, size: "turns" })),
  ];
}

function judge(rows, { table, size, figure, relation, bound, only }) {
  const here = rows.filter((row) => row.table === table && row.size === size);
  const limit = typeof bound === "number" ? bound : here.find((row) => row.contestant === bound)?.[figure];
  const ours = here.filter(({ contestant }) => (only === undefined ? isOurs(contestant) : contestant === only));
  if (ours.length === 0) return [{ ok: false, text: `${table} ${size}: no row of ${only ?? "varve"}` }];
  return ours.map((row) => {
    const value = row[figure];
    const measured = Number.isFinite(value) && Number.isFinite(limit);
    const name = `${table} ${size} ${row.contestant} ${figure}`;
    const wanted = `${relation} ${shown(limit)}${typeof bound === "string" ? ` (${bound})` : ""}`;
    return { ok: measured && RELATIONS[relation](value, limit), text: `${name} ${shown(value)} ${wanted}` };
  });
}

const shown = (value) => (Number.isFinite(value) ? String(Math.round(value * 1e5) / 1e5) : "not measured");

function judgeAll(rows) {
  return GATES.flatMap(([table, where, figure, relation, bounds, only]) =>
    (where === "all" ? REPLAY_WINDOWS : [where]).flatMap((size, at) => {
      const bound = Array.isArray(bounds) ? bounds[at] : bounds;
      return judge(rows, { table, size, figure, relation, bound, only });
    }),
  );
}

const files = process.argv.slice(2);
if (files.length < 4) {
  console.error("usage: node scripts/judge-gate.mjs REPLAY.json REDUCE.json RETRIEVAL.json ACCEPTANCE.json");
  process.exit(2);
}
const results = judgeAll(readRows(files));
const failed = results.filter((result) => !result.ok);
for (const { ok, text } of results) console.log(`${ok ? "ok    " : "FAILED"} ${text}`);
console.log(
  failed.length > 0 ? `${failed.length} of ${results.length} judge gates failed` : `${results.length} judge gates ok`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
