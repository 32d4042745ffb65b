// What memories in SQLite cost: adding and searching them against bare FTS5 on the same texts, with no vectors.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openVarve } from "../dist/index.js";
import { median, time } from "./support/measure.mjs";
import { zipfTexts } from "./support/zipf-texts.mjs";

export const name = "memories";

/** Texts of one transaction, in both. */
const BATCH = 500;
const QUESTIONS = 25;
const WARMING = 3;
const WORDS = 10;
const LIMIT = 10;
const SEED = 20261115;

function openPlain(path) {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE VIRTUAL TABLE texts USING fts5 (text)");
  const insert = database.prepare("INSERT INTO texts (text) VALUES (?)");
  const search = database.prepare("SELECT rowid, rank FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?");
  return {
    add(texts) {
      database.exec("BEGIN");
      for (const text of texts) insert.run(text);
      database.exec("COMMIT");
    },
    search: (question) => search.all(question.map((word) => `"${word}"`).join(" OR "), LIMIT),
    close: () => database.close(),
  };
}

/** Both get the same texts, a batch each in turns, so that a busy disk hits both alike. */
async function fill({ plain, memory, memories }) {
  const texts = zipfTexts(SEED);
  const times = { plain: 0, ours: 0 };
  for (let from = 0; from < memories; from += BATCH) {
    const batch = Array.from({ length: BATCH }, () => texts.next().value);
    const inputs = batch.map((content) => ({ content }));
    times.plain += await time(() => plain.add(batch));
    times.ours += await time(() => memory.storeMany(inputs));
  }
  return times;
}

/** The beginnings of texts that nobody stored. */
function questions() {
  const texts = zipfTexts(SEED + 1);
  return Array.from({ length: WARMING + QUESTIONS }, () => [...new Set(texts.next().value.split(" ").slice(0, WORDS))]);
}

async function search({ plain, memory }) {
  const times = { plain: [], ours: [] };
  for (const question of questions()) {
    times.plain.push(await time(() => plain.search(question)));
    const asked = question.join(" ");
    let found;
    times.ours.push(await time(async () => (found = await memory.retrieve(asked, { limit: LIMIT }))));
    if (found.length !== LIMIT || found.some(({ similarity }) => similarity === 0))
      throw new Error(`found ${found.length} memories, not all of them with vectors`);
  }
  return {
    plain: median(times.plain.slice(WARMING)),
    ours: median(times.ours.slice(WARMING)),
    first: times.ours[0],
  };
}

/** Figures that have nothing to be divided by. */
function tell({ first, memory, file }) {
  const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;
  const loading = `the first search, which loads the vectors: ${Math.round(first)} ms`;
  console.error(`  ${loading}; memory for all searches: ${megabytes(memory)}; file: ${megabytes(file)}`);
}

export async function run({ report, memories }) {
  const folder = mkdtempSync(join(tmpdir(), "varve-bench-"));
  const path = join(folder, "varve.db");
  const plain = openPlain(join(folder, "plain.db"));
  const varve = await openVarve({ store: `sqlite:${path}` });
  const memory = varve.memory({ scope: { user: "ann" } });
  try {
    const added = await fill({ plain, memory, memories });
    report({
      figure: `adding ${memories} memories`,
      over: { name: "bare FTS5 inserts", milliseconds: added.plain },
      under: { name: "varve, with vectors", milliseconds: added.ours },
      atLeast: 0.1,
    });
    const before = process.memoryUsage().rss;
    const found = await search({ plain, memory });
    report({
      figure: `searching ${memories} memories`,
      over: { name: "varve, words and vectors", milliseconds: found.ours },
      under: { name: "plain FTS5, words joined by OR", milliseconds: found.plain },
      atMost: 2,
    });
    tell({ first: found.first, memory: process.memoryUsage().rss - before, file: statSync(path).size });
  } finally {
    await varve.close();
    plain.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
