// Runs bench/*.bench.mjs: node bench/run.mjs [part of a name] [--memories 1000000] [--entries 1000000]
// Machines differ, so every figure is a ratio between two measurements of the same run.
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { formatTable } from "./support/table.mjs";

const HERE = new URL(".", import.meta.url);
const UNITS = { milliseconds: "ms", megabytes: "MB", pricedTokens: "tokens" };
const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

async function loadBenches(filter) {
  const files = readdirSync(HERE).filter((file) => file.endsWith(".bench.mjs"));
  const benches = await Promise.all(files.sort().map((file) => import(new URL(file, HERE).href)));
  return benches.filter((bench) => bench.name.includes(filter));
}

/**
 * One figure: `over` and `under` are `{ name, milliseconds }`, `{ name, megabytes }` or `{ name, pricedTokens }`, in
 * tokens at the price of input. The ratio is the first by the second, and it must be `atLeast` or `atMost` so much.
 */
function toRow(bench, { figure, over, under, atLeast, atMost }) {
  const unit = Object.keys(UNITS).find((each) => over[each] !== undefined);
  const ratio = over[unit] / under[unit];
  const ok = atLeast === undefined ? ratio <= atMost : ratio >= atLeast;
  const size = (each) => `${each.name} ${digits.format(each[unit])} ${UNITS[unit]}`;
  const wanted = atLeast === undefined ? `≤ ${digits.format(atMost)}` : `≥ ${digits.format(atLeast)}`;
  return { ok, cells: [bench, figure, size(over), size(under), digits.format(ratio), wanted, ok ? "ok" : "MISSED"] };
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { memories: { type: "string", default: "100000" }, entries: { type: "string", default: "100000" } },
});
const [filter = ""] = positionals;
const benches = await loadBenches(filter);
if (benches.length === 0) {
  console.error(`No bench has "${filter}" in its name.`);
  process.exit(2);
}
const rows = [];
for (const bench of benches) {
  console.error(`${bench.name} …`);
  const report = (figure) => rows.push(toRow(bench.name, figure));
  await bench.run({ report, memories: Number(values.memories), entries: Number(values.entries) });
}
console.log(
  formatTable(
    ["bench", "figure", "measured", "divided by", "ratio", "wanted", ""],
    rows.map((row) => row.cells),
  ),
);
process.exit(rows.every((row) => row.ok) ? 0 : 1);
