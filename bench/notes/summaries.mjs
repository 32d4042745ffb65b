// Does the check of a model's summary tell false ones from honest ones?
//   node bench/notes/summaries.mjs [--gate] [--verbose]
// Each false summary has exactly one wrong statement. It is caught where the check refuses something, and found where what it
// refuses is that statement; an honest one is refused where anything in it is.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createTokenCounter, fromOpenAI, verifySummary } from "../../dist/index.js";
import { formatTable } from "../support/table.mjs";

/** At least so many of the false ones must be found, at most so many of the honest ones refused. */
const LINE = { found: 15, refused: 1 };
const counter = createTokenCounter();

/**
 * What the check refuses of a summary, each as a text that names it: the only place that knows how the check is called.
 * A check that judges statements one by one gives here those that it refuses.
 */
function refusedOf(summary, messages) {
  const verdict = verifySummary(summary, { messages, counter });
  return verdict.ok ? [] : verdict.faults.map(({ kind, detail }) => ({ kind, names: detail }));
}

const { values } = parseArgs({
  options: { gate: { type: "boolean", default: false }, verbose: { type: "boolean", default: false } },
});
const sets = JSON.parse(readFileSync(new URL("summaries.json", import.meta.url), "utf8"));

/** A source is stored short: who says what, an agent's call beside its words, its result behind it. */
function messagesOf(source) {
  return source.map(({ user, agent, call, result }, at) => {
    if (user !== undefined) return { role: "user", content: user };
    if (result !== undefined) return { role: "tool", tool_call_id: `call_${at - 1}`, content: result };
    if (call === undefined) return { role: "assistant", content: agent };
    const [name, input] = call;
    const called = { id: `call_${at}`, type: "function", function: { name, arguments: JSON.stringify(input) } };
    return { role: "assistant", content: agent, tool_calls: [called] };
  });
}

const sources = new Map(Object.entries(sets.sources).map(([name, source]) => [name, fromOpenAI(messagesOf(source))]));
const refused = ({ source, lines }) => refusedOf(lines.join("\n"), sources.get(source));

/** Whether a refusal is about this statement: it holds it, or names words that stand in it and in no other. */
function isAbout({ names }, { wrong, lines }) {
  if (names.includes(wrong)) return true;
  const quoted = [...names.matchAll(/"([^"]+)"|: (.+)$/g)].map(([, words, rest]) => words ?? rest);
  const others = lines.filter((line) => !line.includes(wrong)).join("\n");
  return quoted.some((words) => wrong.includes(words) && !others.includes(words));
}

const falseOnes = sets.false.map((each) => {
  const refusals = refused(each);
  const found = refusals.some((refusal) => isAbout(refusal, each));
  const others = refusals.filter((refusal) => !isAbout(refusal, each));
  return { ...each, refusals, caught: refusals.length > 0, found, others };
});
const honest = sets.honest.map((each) => ({ ...each, refusals: refused(each) }));

const sum = (list, test) => `${list.filter(test).length} of ${list.length}`;
const rowOf = (kind, list) => [
  kind,
  sum(list, ({ caught }) => caught),
  sum(list, ({ found }) => found),
  sum(list, ({ others }) => others.length > 0),
];
const kinds = Map.groupBy(falseOnes, ({ kind }) => kind);
console.log(
  formatTable(
    ["false", "caught", "found", "honest statements refused too"],
    [...[...kinds].map(([kind, list]) => rowOf(kind, list)), rowOf("all", falseOnes)],
  ),
);
const forms = Map.groupBy(honest, ({ form }) => form);
const refusedOnes = ({ refusals }) => refusals.length > 0;
console.log(
  `\n${formatTable(
    ["honest", "refused"],
    [...[...forms].map(([form, list]) => [form, sum(list, refusedOnes)]), ["all", sum(honest, refusedOnes)]],
  )}\n`,
);
for (const { kind, source, wrong, found, refusals } of falseOnes)
  if (!found)
    console.log(`not found (${kind}, ${source}): ${wrong}${refusals.length > 0 ? " (something else refused)" : ""}`);
for (const { form, source, refusals } of honest.filter(refusedOnes))
  console.log(`refused (${form}, ${source}): ${refusals.map(({ kind, names }) => `${kind}: ${names}`).join(" | ")}`);
if (values.verbose)
  for (const { wrong, refusals } of falseOnes)
    console.log(`${wrong}\n${refusals.map(({ kind, names }) => `  ${kind}: ${names}`).join("\n")}`);
const [found, wrongly] = [falseOnes.filter((each) => each.found).length, honest.filter(refusedOnes).length];
console.log(
  `${LINE.found} of ${falseOnes.length} must be found, at most ${LINE.refused} of ${honest.length} honest ones refused.`,
);
process.exit(values.gate && (found < LINE.found || wrongly > LINE.refused) ? 1 : 0);
