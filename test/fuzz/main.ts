/** The view fuzzer as a program: `npm run fuzz -- --views N --seed S --provider P --strategy T`. */
import { inspect, parseArgs } from "node:util";
import { PROVIDER_NAMES, type ProviderName } from "./check-view.js";
import { play } from "./play.js";
import { fuzz, type Kind, nameOf } from "./run.js";
import { STRATEGIES, type StrategyName } from "./scenario.js";
import { shrink } from "./shrink.js";

const SHRINKING = 10_000;

const { values } = parseArgs({
  options: {
    views: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    provider: { type: "string", multiple: true },
    strategy: { type: "string", multiple: true },
    scenario: { type: "string" },
  },
});

function among<T extends string>(given: readonly string[] | undefined, known: readonly T[]): readonly T[] {
  const unknown = given?.find((name) => !known.includes(name as T));
  if (unknown === undefined) return given === undefined ? known : known.filter((name) => given.includes(name));
  console.error(`"${unknown}" is not known; there are: ${known.join(", ")}`);
  return process.exit(2);
}

const providers = among<ProviderName>(values.provider, PROVIDER_NAMES);
const strategies = among<StrategyName>(values.strategy, STRATEGIES);
const scenario = values.scenario === undefined ? undefined : Number(values.scenario);
const seed = Number(values.seed);

const start = performance.now();
const report = await fuzz({ views: Number(values.views), seed, providers, strategies, scenario });
const seconds = ((performance.now() - start) / 1000).toFixed(0);
console.log(`${report.views} views in ${seconds} s, refused: ${JSON.stringify(report.refusals)}`);
for (const kind of report.kinds.toSorted((first, second) => second.views - first.views)) await tell(kind);
process.exitCode = report.kinds.length > 0 ? 1 : 0;

async function tell(kind: Kind): Promise<void> {
  const { finding, name, scenario } = kind;
  const asked = finding.provider === undefined ? [] : [finding.provider];
  const shown = async (smaller: typeof scenario) =>
    (await play(smaller, asked)).findings.find((each) => nameOf(each) === name);
  const smallest = await shrink(scenario, async (smaller) => (await shown(smaller)) !== undefined, SHRINKING);
  const { step, at, excerpt } = (await shown(smallest)) ?? finding;
  const show = (value: unknown) =>
    inspect(value, { depth: 9, breakLength: 118, maxStringLength: 160, maxArrayLength: 12 }).slice(0, 3_000);
  console.log(
    `\n${name}: ${kind.views} views, first in ${scenario.strategy} (--seed ${seed} --scenario ${kind.number})`,
  );
  console.log(`step ${step}, ${at}: ${show(excerpt)}`);
  const { steps, ...settings } = smallest;
  console.log(`from: ${show(settings)}\n${steps.map(show).join("\n")}`);
}
