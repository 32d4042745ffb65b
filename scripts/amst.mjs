#!/usr/bin/env node
/**
 * Scores memory on AMST cases: memories that are updated, deleted, out of scope or sensitive, with contracts on what may be
 * used at the end, and queries with the memories that they need and those that they must not get.
 *
 *   node scripts/amst.mjs PATH/amst.json.gz [--limit 10] [--json] [--gate]
 *
 * `--gate` fails where anything deleted, superseded, sensitive or out of scope is returned.
 *
 * Every user's turn is observed as it was said, in its order and with its time; nothing of the case's labels is told. All
 * cases live in one store, each in a project of its own of one user, so that near copies of every memory lie right beside
 * its scope. A turn's memory is the contract's unit with that turn as its source.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { openVarve } from "../dist/index.js";

const [path, ...flags] = process.argv.slice(2);
if (path === undefined) {
  console.error("Usage: node scripts/amst.mjs PATH/amst.json.gz [--limit 10] [--json] [--gate]");
  process.exit(2);
}
const limit = flags.includes("--limit") ? Number(flags[flags.indexOf("--limit") + 1]) : 10;
const cases = JSON.parse(gunzipSync(readFileSync(path)).toString());

const clock = { now: 0 };
const varve = await openVarve({ store: "memory", now: () => clock.now });
const memories = new Map();
for (const one of cases) memories.set(one.case_id, await observe(one));
const scores = [];
for (const one of cases) scores.push(...(await ask(one, memories.get(one.case_id))));
report(scores);
await varve.close();

async function observe({ case_id, sessions, events }) {
  const memory = varve.memory({ scope: { user: "amst", project: case_id } });
  const times = new Map(
    events.flatMap(({ source_turn_ids, timestamp }) => source_turn_ids.map((id) => [id, timestamp])),
  );
  for (const { turns, timestamp } of sessions) {
    for (const { turn_id, role, content } of turns) {
      const at = times.get(turn_id) ?? timestamp;
      clock.now = Date.parse(at);
      await memory.observe([{ content, id: turn_id, at, speaker: role, thread: case_id }]);
    }
  }
  return memory;
}

async function ask({ case_id, queries, gold_memory_units, state_contracts }, memory) {
  const turnsOf = new Map(gold_memory_units.map(({ memory_id, source_turn_ids }) => [memory_id, source_turn_ids]));
  const unitOf = new Map(gold_memory_units.map((unit) => [unit.memory_id, unit]));
  const contractOf = new Map(state_contracts.map((contract) => [contract.state_contract_id, contract]));
  const asked = [];
  for (const {
    query_id,
    prompt,
    timestamp,
    probe_type,
    gold_memory_ids,
    forbidden_memory_ids,
    state_contract_id,
  } of queries) {
    clock.now = Date.parse(timestamp);
    const found = await memory.retrieve(prompt, { limit, superseded: false });
    const turns = new Set(found.map(({ id }) => id));
    const isFound = (id) => turnsOf.get(id)?.some((turn) => turns.has(turn)) ?? false;
    const contract = contractOf.get(state_contract_id);
    asked.push({
      query_id,
      probe_type,
      needed: gold_memory_ids.length,
      recalled: gold_memory_ids.filter(isFound).length,
      forbidden: forbidden_memory_ids.filter(isFound).map((id) => statusOf(unitOf.get(id))),
      deleted: (contract?.deleted_memory_ids ?? []).filter(isFound).map(nameOf),
      superseded: (contract?.superseded_memory_ids ?? []).filter(isFound).map(nameOf),
      outOfScope: found.filter(({ scope }) => scope.project !== case_id).length,
      secrets: gold_memory_units.filter(
        (unit) => unit.privacy_level === "sensitive" && unit.status !== "active" && isFound(unit.memory_id),
      ).length,
    });
  }
  return asked;
}

function nameOf(id) {
  return id.replace(/^m_e_|_v\d+$/g, "");
}

function statusOf({ status, memory_id }) {
  return `${status}: ${nameOf(memory_id)}`;
}

function report(all) {
  const withNeeds = all.filter(({ needed }) => needed > 0);
  const share = (list, test) => (list.length === 0 ? 0 : list.filter(test).length / list.length);
  const counts = (names) =>
    Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, list]) => [name, list.length]));
  const result = {
    queries: all.length,
    limit,
    recall: withNeeds.reduce((sum, { recalled, needed }) => sum + recalled / needed, 0) / withNeeds.length,
    returnedOutOfScope: all.reduce((sum, { outOfScope }) => sum + outOfScope, 0),
    returnedDeleted: counts(all.flatMap(({ deleted }) => deleted)),
    returnedSuperseded: counts(all.flatMap(({ superseded }) => superseded)),
    returnedSecrets: all.reduce((sum, { secrets }) => sum + secrets, 0),
    contractsBroken: share(all, ({ forbidden }) => forbidden.length > 0),
    forbiddenReturned: counts(all.flatMap(({ forbidden }) => forbidden)),
  };
  const returned = [result.returnedDeleted, result.returnedSuperseded].flatMap(Object.values);
  const broken = result.returnedOutOfScope + result.returnedSecrets + returned.reduce((sum, count) => sum + count, 0);
  if (flags.includes("--gate") && (broken > 0 || result.queries === 0)) process.exitCode = 1;
  if (flags.includes("--json")) console.log(JSON.stringify(result, undefined, 2));
  else
    for (const [name, value] of Object.entries(result))
      console.log(name.padEnd(20), typeof value === "object" ? JSON.stringify(value) : value);
}
