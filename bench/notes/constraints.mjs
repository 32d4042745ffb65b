// Is a constraint that the user said once still there, word for word, after 80 turns of tools?
//   node bench/notes/constraints.mjs [--gate] [--strategies hierarchical,importance] [--window 8000] [--language de]
// It has to stand in a message of the user or in the notes. With --gate the script fails where one is missing.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { entities } from "../../dist/index.js";
import { play, squeezed } from "../support/play.mjs";
import { formatTable } from "../support/table.mjs";
import { toolTurns } from "../support/tool-turns.mjs";

const TURNS = 80;
/** Strategies that must keep every constraint; the others are there to compare with. */
const BOUND = ["hierarchical", "summarization", "importance"];
const OTHERS = ["sliding-window", "entities"];
const SCHEMA = { type: "object", properties: { constraint: { type: "string" }, version: { type: "string" } } };

const { values } = parseArgs({
  options: {
    gate: { type: "boolean", default: false },
    strategies: { type: "string", default: [...BOUND, ...OTHERS].join(",") },
    window: { type: "string", default: "8000" },
    language: { type: "string" },
  },
});
const { openers, remarks, constraints } = JSON.parse(
  readFileSync(new URL("constraints.json", import.meta.url), "utf8"),
);
const strategies = values.strategies.split(",");
const cases = constraints.filter(({ language }) => values.language === undefined || language === values.language);

/** A constraint said alone follows a first request; one inside a request is that first request. */
function conversationOf({ language, said, constraint }, seed) {
  const before =
    said === constraint ? [{ role: "user", content: openers[language] }, ...toolTurns(2, { seed: 1000 + seed })] : [];
  const after = toolTurns(TURNS, { seed: 1 + seed, remarks: remarks[language] });
  return [...before, { role: "user", content: said }, ...after];
}

/** Where the constraint stands at the end. */
function placeOf(constraint, { said, notes, all }) {
  const has = (texts) => texts.some((text) => squeezed(text).includes(squeezed(constraint)));
  if (has(said)) return "message";
  if (has(notes)) return "notes";
  return has(all) ? "elsewhere" : "missing";
}

const strategyOf = (name) => (name === "entities" ? entities({ schema: SCHEMA }) : name);

const outcomes = [];
for (const strategy of strategies) {
  for (const [at, { language, said, constraint }] of cases.entries()) {
    const messages = conversationOf({ language, said, constraint }, at);
    const options = { window: Number(values.window), strategy: strategyOf(strategy) };
    const place = await play({ messages, options, use: (view) => placeOf(constraint, view) });
    outcomes.push({ strategy, language, constraint, place, there: place === "message" || place === "notes" });
  }
}

function cell(language, strategy) {
  const own = outcomes.filter((each) => each.language === language && each.strategy === strategy);
  const inMessage = own.filter(({ place }) => place === "message").length;
  return `${own.filter(({ there }) => there).length} of ${own.length} (${inMessage} as said)`;
}

const languages = [...new Set(cases.map(({ language }) => language))];
console.log(
  formatTable(
    ["", ...strategies],
    languages.map((language) => [language, ...strategies.map((strategy) => cell(language, strategy))]),
  ),
);
const bound = outcomes.filter(({ strategy }) => BOUND.includes(strategy));
const missing = bound.filter(({ there }) => !there);
for (const [constraint, lost] of Map.groupBy(missing, (each) => each.constraint)) {
  const where = lost.map(({ strategy, place }) => `${strategy} ${place}`).join(", ");
  console.log(`${lost[0].language}: ${constraint} (${where})`);
}
console.log(`${bound.length - missing.length} of ${bound.length} are there; all must be.`);
process.exit(values.gate && missing.length > 0 ? 1 : 0);
