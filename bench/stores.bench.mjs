// What durable sessions cost: SQLite against bare inserts, against one large JSON file, and on disk.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fromOpenAI, openVarve } from "../dist/index.js";
import { codingSession, takeMessages } from "./support/coding-session.mjs";
import { median, time } from "./support/measure.mjs";

export const name = "stores";

const WINDOW = 32_000;
const WARMING = 500;
const APPENDS = 2_000;
const ENTRIES = 100_000;
const TURNS = 5;

/** Rows of the same bytes with the same durability, one transaction each. */
function openBare(path) {
  const database = new DatabaseSync(path);
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (id INTEGER PRIMARY KEY, json TEXT)",
  );
  const insert = database.prepare("INSERT INTO rows (json) VALUES (?)");
  return { append: (message) => insert.run(JSON.stringify(message)), close: () => database.close() };
}

async function openSession(path) {
  const varve = await openVarve({ store: `sqlite:${path}` });
  const session = await varve.session("bench", { window: WINDOW });
  return { append: (message) => session.append(message), close: () => varve.close() };
}

/** Medians of single appends, taken in turns so that a busy disk hits both alike. */
async function appends(folder) {
  const messages = takeMessages(codingSession(), WARMING + APPENDS);
  const decoded = fromOpenAI(messages);
  const bare = openBare(join(folder, "bare.db"));
  const varve = await openSession(join(folder, "varve.db"));
  const times = { bare: [], ours: [] };
  for (const [at, message] of messages.entries()) {
    times.bare.push(await time(() => bare.append(message)));
    times.ours.push(await time(() => varve.append(decoded[at])));
  }
  bare.close();
  await varve.close();
  return { bare: median(times.bare.slice(WARMING)), ours: median(times.ours.slice(WARMING)) };
}

/** A session of many entries in a database, and the same as one document. */
async function writeLong(folder) {
  const messages = takeMessages(codingSession(), ENTRIES);
  const path = join(folder, "long.db");
  const varve = await openVarve({ store: `sqlite:${path}` });
  const session = await varve.session("bench", { window: WINDOW });
  await session.append(fromOpenAI(messages));
  await session.view();
  const document = { ...session.context(), recent_history: session.entries().map(historyEntry) };
  await varve.close();
  writeFileSync(join(folder, "long.json"), JSON.stringify(document, undefined, 2));
  return {
    path,
    json: join(folder, "long.json"),
    raw: messages.reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0),
  };
}

const historyEntry = ({ time: at, role, message }) => ({
  timestamp: Math.floor(at / 1_000),
  role,
  content: typeof message.content === "string" ? message.content : JSON.stringify(message.content),
  token_count: null,
});

async function openAndView(path) {
  const varve = await openVarve({ store: `sqlite:${path}` });
  const session = await varve.session("bench");
  const view = await session.view();
  if (session.entries().length < ENTRIES || view.tokens < WINDOW / 4) throw new Error("the session did not open whole");
  await varve.close();
}

function parseDocument(path) {
  const document = JSON.parse(readFileSync(path, "utf8"));
  if (document.recent_history.length < ENTRIES) throw new Error("the document did not open whole");
}

async function opening({ path, json }) {
  const ours = [];
  const theirs = [];
  for (let turn = 0; turn <= TURNS; turn++) {
    ours.push(await time(() => openAndView(path)));
    theirs.push(await time(() => parseDocument(json)));
  }
  return { ours: median(ours.slice(1)), theirs: median(theirs.slice(1)) };
}

export async function run({ report }) {
  const folder = mkdtempSync(join(tmpdir(), "varve-bench-"));
  try {
    const { bare, ours } = await appends(folder);
    report({
      figure: "a durable append",
      over: { name: "bare node:sqlite inserts", milliseconds: bare },
      under: { name: "varve on SQLite", milliseconds: ours },
      atLeast: 0.6,
    });
    const long = await writeLong(folder);
    const opened = await opening(long);
    report({
      figure: "opening 100,000 entries and the first view",
      over: { name: "one JSON file, parsed", milliseconds: opened.theirs },
      under: { name: "varve on SQLite", milliseconds: opened.ours },
      atLeast: 10,
    });
    report({
      figure: "size of 100,000 entries on disk",
      over: { name: "SQLite file", megabytes: statSync(long.path).size / 1e6 },
      under: { name: "raw JSON", megabytes: long.raw / 1e6 },
      atMost: 1.5,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
