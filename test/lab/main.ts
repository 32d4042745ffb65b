/** The lab as a program: `npm run lab -- --help`. */
import { parseArgs } from "node:util";
import { CLIENTS, type Report, runAgent, type Setting, STRATEGIES } from "./run.js";

const HELP = `npm run lab -- [options]
  --steps N     requests of each agent; 300 unless given
  --window W    tokens that the provider takes; 8000 and 32000 unless given; may be repeated
  --client C    agents whose name has C in it; may be repeated
  --strategy S  that strategy alone: ${STRATEGIES.join(", ")}; may be repeated
  --rotate N    each client and window with one strategy, the Nth; with another N it is another one`;

const { values } = parseArgs({
  options: {
    help: { type: "boolean" },
    steps: { type: "string", default: "300" },
    window: { type: "string", multiple: true, default: ["8000", "32000"] },
    client: { type: "string", multiple: true, default: [""] },
    strategy: { type: "string", multiple: true, default: [...STRATEGIES] },
    rotate: { type: "string" },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const clients = CLIENTS.filter(({ name }) => values.client.some((part) => name.includes(part)));
const pairs = values.window.flatMap((window) => clients.map((client) => ({ client, window: Number(window) })));
const settings = pairs.flatMap((pair, at): Setting[] => {
  const { strategy: strategies, rotate } = values;
  const chosen = rotate === undefined ? strategies : [strategies[(at + Number(rotate)) % strategies.length]!];
  return chosen.map((strategy) => ({ ...pair, strategy, steps: Number(values.steps) }));
});

const row = ([client, strategy, ...figures]: readonly (string | number)[]): string =>
  [String(client).padEnd(40), String(strategy).padEnd(15), ...figures.map((each) => String(each).padStart(9))].join(
    " ",
  );

const problems: string[] = [];
const start = performance.now();
console.log(row(["client", "strategy", "window", "requests", "refused", "over", "cuts", "largest", "bill"]));
for (const setting of settings) tell(setting, await runAgent(setting));
console.log(`${settings.length} agents in ${((performance.now() - start) / 1000).toFixed(0)} s`);
for (const problem of problems) console.log(`\n${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;

function tell({ client, strategy, window }: Setting, report: Report): void {
  const { requests, refused, over, overBudget, cuts, largest, bill } = report;
  const name = [client.name, strategy, window] as const;
  console.log(row([...name, requests, refused.length, over, cuts, largest, Math.round(bill)]));
  for (const refusal of refused) problems.push(`${name.join(", ")}: ${refusal}`);
  if (overBudget > 0) problems.push(`${name.join(", ")}: ${overBudget} views over their own budget`);
}
