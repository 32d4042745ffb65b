// Can the agent's own numbered item still be found when the user refers to it ("Address 27")?
//   node bench/notes/items.mjs [--gate] [--windows 4000,8000,16000] [--strategy hierarchical] [--data FOLDER]
// The first statement of the item must stand in the view beside its number, or within two pages of one expansion whose id
// the notes name beside the list. FOLDER holds data/ and data-shapes/ with recorded conversations, of which nothing is
// stored here; without them only the generated half is played.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { bare, FORMATS, firstStatement, hasItem, labelsOf } from "../support/numbered-lists.mjs";
import { play } from "../support/play.mjs";
import { reviewItems } from "../support/review-items.mjs";
import { formatTable } from "../support/table.mjs";
import { toolTurns } from "../support/tool-turns.mjs";

/** Of 30 references 27 must be found. */
const LINE = 27 / 30;
const TURNS = 64;
const REMARKS = [
  "ok, go on",
  "Why that one first?",
  "Looks good, next.",
  "run the tests again please",
  "hm, and the docs?",
];

const { values } = parseArgs({
  options: {
    gate: { type: "boolean", default: false },
    windows: { type: "string", default: "4000,8000,16000" },
    strategy: { type: "string", default: "hierarchical" },
    data: { type: "string", default: fileURLToPath(new URL("../../../shared", import.meta.url)) },
  },
});
const { generated, recorded } = JSON.parse(readFileSync(new URL("items.json", import.meta.url), "utf8"));

const GROUP = 12;

function listOf({ format, items, intro, grouped = false }, seed) {
  const labels = labelsOf(format, items);
  const texts = reviewItems(items, seed);
  const lines = labels.map((label, at) => {
    const head = grouped && at % GROUP === 0 ? `\n## Part ${1 + at / GROUP}\n\n` : "";
    return head + FORMATS[format].write(label, texts[at]);
  });
  const parts = [intro, "", FORMATS[format].head, ...lines].filter((part) => part !== undefined);
  return `${parts.join("\n")}\n\nTell me which of these I should take up.`;
}

function generatedCase(given, at) {
  const { format, wanted, ask, reference, rival } = given;
  const list = listOf(given, 100 + at);
  const after = toolTurns(TURNS, { seed: 200 + at, remarks: REMARKS });
  if (rival !== undefined) {
    const next = { format: "dot", items: rival, intro: "What is left of today's work:" };
    const place = after.findIndex(({ role }, index) => role === "user" && index > after.length / 3);
    after.splice(
      place,
      0,
      { role: "user", content: "What is left?" },
      { role: "assistant", content: listOf(next, 300 + at) },
    );
  }
  return {
    name: `${format}, ${wanted} of ${given.items}`,
    messages: [
      { role: "user", content: ask },
      ...toolTurns(3, { seed: 400 + at }),
      { role: "assistant", content: list },
      { role: "user", content: "Thanks. Take up the first one." },
      ...after,
      { role: "user", content: reference },
    ],
    ...{ list, ask, label: wanted, size: given.items, statement: firstStatement(list, { format, label: wanted }) },
  };
}

const read = new Map();

function conversation({ set, file, conversation: id }) {
  const path = join(values.data, set, "conversations", `${file}.jsonl.gz`);
  if (!existsSync(path)) return undefined;
  if (!read.has(path))
    read.set(
      path,
      gunzipSync(readFileSync(path))
        .toString("utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    );
  return read.get(path).find((each) => each.id.startsWith(id))?.messages;
}

function recordedCase(given) {
  const { message, format, item, until, reference } = given;
  const messages = conversation(given);
  const name = `${given.file} ${given.conversation}, message ${message}, ${item}`;
  if (messages === undefined) return { name, skipped: `its recording is not in ${values.data}` };
  const list = messages[message].content;
  const ask = messages.slice(0, message).findLast(({ role }) => role === "user")?.content ?? "";
  const statement = firstStatement(list, { format, label: item });
  if (statement === undefined) return { name, skipped: "its recording has no such item" };
  const size = [...list.matchAll(/(?<![\w.])\d{1,3}(?=[.)])/g)].reduce(
    (most, [number]) => Math.max(most, Number(number)),
    0,
  );
  const played = [...messages.slice(0, until), { role: "user", content: reference }];
  return { name, messages: played, list, ask: String(ask), label: item, size, statement };
}

const ID = /\be\d+(?:-e\d+)?\b/g;

/** The lines around an id, up to an empty line or the next id. */
function besideId(lines, at) {
  const ends = (line) => line === undefined || line.trim() === "" || line.match(ID) !== null;
  let [from, to] = [at, at + 1];
  while (!ends(lines[from - 1])) from--;
  while (!ends(lines[to])) to++;
  return lines.slice(from, to).join("\n");
}

/** Runs of four words, or of eight characters where words have no spaces between them. */
function runsOf(text) {
  const words = bare(text).toLowerCase().split(" ");
  const runs = words.slice(0, -3).map((_, at) => words.slice(at, at + 4).join(" "));
  const long = words.filter((word) => /[\p{Script=Han}]/u.test(word) && word.length >= 8);
  return [
    ...runs,
    ...long.flatMap((word) => Array.from({ length: word.length - 7 }, (_, at) => word.slice(at, at + 8))),
  ];
}

/** Whether these lines let a reader know that the id opens the list: by its words, by its request's, or by its size. */
function tellsOf(beside, line, { runs, size }) {
  const text = bare(beside).toLowerCase();
  return runs.some((run) => text.includes(run)) || new RegExp(`(?<!\\w)${size}(?!\\w)`).test(line.replaceAll(ID, ""));
}

/** The ids that the notes name beside the list, the narrowest first. */
function idsBeside(notes, session, { list, ask, size }) {
  const entries = session.entries();
  const positions = new Map(entries.map(({ id }, at) => [id, at]));
  const place = entries.findIndex(({ message }) =>
    JSON.stringify(message.content).includes(JSON.stringify(list).slice(1, -1)),
  );
  if (place < 0) throw new Error("the log does not hold the list as it was sent");
  const known = { runs: [...runsOf(list), ...runsOf(ask)], size };
  const found = notes.flatMap((text) => {
    const lines = text.split("\n");
    return lines.flatMap((line, at) => {
      const ids = line.match(ID) ?? [];
      return ids.length > 0 && tellsOf(besideId(lines, at), line, known) ? ids : [];
    });
  });
  const ranges = [...new Set(found)].map((id) => {
    const [first, last = first] = id.split("-");
    return { id, from: positions.get(first), to: positions.get(last) };
  });
  const holding = ranges.filter(
    ({ from, to }) => from !== undefined && to !== undefined && from <= place && place <= to,
  );
  return holding.toSorted((left, right) => left.to - left.from - (right.to - right.from)).map(({ id }) => id);
}

const ordinal = (label) => (/^\d+$/.test(label) ? Number(label) : label.charCodeAt(0) - 64);

/** Where a reader who has seen the first page would go on: at once behind it, or further by the numbers seen there. */
function secondOffset(first, { label, list }) {
  const seen = [...first.text.matchAll(/(?<![\w.])(\d{1,3})(?=[.)*、 |]+)/g)].map(([, number]) => Number(number));
  const numbers = seen.filter((number, at) => number === 1 || seen.slice(0, at).includes(number - 1));
  const most = Math.max(0, ...numbers);
  const guess = most < 3 ? 0 : Math.floor((first.next / most) * (ordinal(label) - 1) - first.text.length / 3);
  return Math.min(
    Math.max(first.next, guess),
    Math.max(first.next, first.total - Math.min(first.text.length, list.length)),
  );
}

/** Pages of one expansion until the item is there: 1, 2, or undefined. Pages are as long as a result may be. */
function pagesTo(session, id, wanted) {
  const holds = ({ text }) => hasItem(text, wanted.label, wanted.statement);
  const first = session.expand(id, { asResult: true });
  if (holds(first)) return 1;
  if (first.next === undefined) return undefined;
  const offset = secondOffset(first, wanted);
  return holds(session.expand(id, { offset, asResult: true })) ? 2 : undefined;
}

function placeOf(wanted, { session, notes, all }) {
  if (all.some((text) => hasItem(text, wanted.label, wanted.statement))) return "in view";
  const [id] = idsBeside(notes, session, wanted);
  if (id === undefined) return "no id";
  const pages = pagesTo(session, id, wanted);
  return pages === undefined ? "not in two pages" : `${pages} page${pages > 1 ? "s" : ""}`;
}

const PLACES = ["in view", "1 page", "2 pages", "not in two pages", "no id"];
const FOUND = PLACES.slice(0, 3);

const cases = [...generated.map(generatedCase), ...recorded.map(recordedCase)];
for (const { name, skipped } of cases) if (skipped !== undefined) console.log(`left out ${name}: ${skipped}`);
const played = cases.filter(({ skipped }) => skipped === undefined);

const rows = [];
for (const window of values.windows.split(",").map(Number)) {
  const options = { window, strategy: values.strategy };
  const places = [];
  for (const each of played) places.push(await play({ ...each, options, use: (view) => placeOf(each, view) }));
  rows.push({ window, places });
}

const countOf = (places, ...wanted) => places.filter((place) => wanted.includes(place)).length;
console.log(
  formatTable(
    ["window", ...PLACES, "found"],
    rows.map(({ window, places }) => [
      String(window),
      ...PLACES.map((place) => String(countOf(places, place))),
      `${countOf(places, ...FOUND)} of ${places.length}`,
    ]),
  ),
);
console.log(
  `\n${formatTable(
    ["", ...rows.map(({ window }) => String(window))],
    played.map(({ name }, at) => [name, ...rows.map(({ places }) => places[at])]),
  )}`,
);
const least = Math.ceil(LINE * played.length);
console.log(`\nAt least ${least} of ${played.length} must be found at each window.`);
process.exit(values.gate && rows.some(({ places }) => countOf(places, ...FOUND) < least) ? 1 : 0);
