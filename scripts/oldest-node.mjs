// What the package promises to the Node that runs this, on the built package: every store, sessions that are opened
// again, memories, and what `varve doctor` says: NODE scripts/oldest-node.mjs. Fails where a promise is not kept.
import { strict as assert } from "node:assert";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fileStore, memoryStore, openVarve, sqliteStore } from "../dist/index.js";
import { memoriesChecks, storeChecks } from "../dist/testing/index.js";

const COMMAND_LINE = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "varve-oldest-"));
const at = (name) => join(folder, name);

function hasFullText() {
  const database = new DatabaseSync(":memory:");
  try {
    database.exec("CREATE VIRTUAL TABLE words USING fts5 (word)");
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

const FULL_TEXT = hasFullText();

const SUBJECTS = {
  memory: { open: async () => memoryStore(), durable: false },
  file: { open: (place) => fileStore(at(place)) },
  sqlite: { open: (place) => sqliteStore(at(`${place}.db`)) },
};

async function roundTrip(store) {
  const first = await openVarve({ store });
  const session = await first.session("ann:coder:1", { window: 8_000 });
  const messages = Array.from({ length: 60 }, (_, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: `Line ${at} of what was said. `.repeat(40),
  }));
  await session.append(messages);
  const before = await session.view();
  assert.ok(before.messages.length > 0 && before.messages.length < messages.length, "the view is not reduced");
  await first.close();
  const second = await openVarve({ store });
  const again = await second.session("ann:coder:1");
  assert.equal(again.entries().length, messages.length);
  assert.deepEqual((await again.view()).messages, before.messages);
  await second.close();
}

async function remembers(store) {
  const varve = await openVarve({ store });
  const memory = varve.memory({ scope: { user: "ann" } });
  try {
    await memory.store("Ann prefers metric units");
    const [found] = await memory.retrieve("which units?", { limit: 1 });
    assert.equal(found?.content, "Ann prefers metric units");
  } finally {
    await varve.close();
  }
}

const refusesMemories = (store) =>
  assert.rejects(remembers(store), ({ code, hint }) => code === "memory-unavailable" && hint.includes("Node 22.16"));

async function doctorTells() {
  const parameters = [COMMAND_LINE, "doctor", "--json", "--window", "8000", "--store", `sqlite:${at("doctor.db")}`];
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: folder });
  const store = JSON.parse(stdout).checks.find(({ name }) => name === "store");
  assert.equal(store.status, FULL_TEXT ? "ok" : "warning");
}

const named = (kind, checks) => checks.map(({ name, run }) => ({ name: `${kind}: ${name}`, run }));

const sqliteMemories = FULL_TEXT
  ? [
      ...named("memories in sqlite", memoriesChecks(SUBJECTS.sqlite)),
      { name: "memories in sqlite: are found", run: () => remembers(`sqlite:${at("remembers.db")}`) },
    ]
  : [{ name: "memories in sqlite: are refused", run: () => refusesMemories(`sqlite:${at("refuses.db")}`) }];

const CHECKS = [
  ...Object.entries(SUBJECTS).flatMap(([kind, subject]) => named(kind, storeChecks(subject))),
  { name: "sqlite: a session is opened again", run: () => roundTrip(`sqlite:${at("sessions.db")}`) },
  { name: "file: a session is opened again", run: () => roundTrip(`file:${at("sessions")}`) },
  { name: "memories in files: are found", run: () => remembers(`file:${at("remembers")}`) },
  ...sqliteMemories,
  { name: "doctor tells of memories", run: doctorTells },
];

let failures = 0;
for (const { name, run } of CHECKS) {
  try {
    await run();
  } catch (error) {
    failures++;
    console.error(`FAILED ${name}\n`, error);
  }
}
rmSync(folder, { recursive: true, force: true });
const search = FULL_TEXT ? "with" : "without";
console.log(`Node ${process.versions.node}, ${search} full-text search: ${CHECKS.length} checks, ${failures} failed`);
process.exitCode = failures > 0 ? 1 : 0;
