// Learns how likely an identifier is to be used again from recorded agent sessions, and writes the weights with their
// held-out score. Usage: npm run build && node scripts/learn-likelihood.mjs FOLDER (of *.jsonl or *.jsonl.gz, one
// conversation a line: { id, messages } in the OpenAI chat shape).
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createTokenCounter, fromOpenAI } from "../dist/index.js";
import { historyOf } from "../dist/message/exchanges.js";
import { IdentifierIndex } from "../dist/notes/identifier-index.js";
import { FEATURES, features } from "../dist/notes/likelihood.js";

const OUTPUT = new URL("../src/notes/likelihood-weights.json", import.meta.url);
const WINDOWS = [4_000, 16_000, 64_000];
/** Share of a window that a tail takes after a compaction: what stands in it is no candidate. */
const TAIL = 0.35;
const PER_POINT = 200;
/** An identifier used this often later counts no more than that. */
const MOST_USES = 5;
const FOLDS = 5;
const ROUNDS = 400;
const RATE = 0.5;
const SHRINK = 1e-3;

function conversations(folder) {
  const files = readdirSync(folder).filter((name) => /\.jsonl(\.gz)?$/.test(name));
  return files.sort().flatMap((name) => {
    const bytes = readFileSync(join(folder, name));
    const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  });
}

/** A fixed hash, so that samples and folds are the same in every run. */
function hash(text) {
  let value = 2166136261;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 16777619);
  return value >>> 0;
}

/** Where a session with this window would have compacted: the cut and the end of the log. */
function points(tokens, window) {
  const found = [];
  let inView = 0;
  let start = 0;
  for (let end = 0; end < tokens.length; end++) {
    inView += tokens[end];
    if (inView <= window) continue;
    while (start < end && inView > window * TAIL) inView -= tokens[start++];
    found.push({ cut: start, end: end + 1 });
  }
  return found;
}

function samplesOf({ id, messages }, counter) {
  const log = fromOpenAI(messages);
  const tokens = log.map((message) => counter.message(message));
  const reader = new IdentifierIndex();
  reader.readTo(log.length, historyOf(log));
  const named = log.map((_, at) => reader.passagesAt(at, historyOf(log)));
  const uses = new Map();
  named.forEach((passages, at) => {
    const called = new Set(
      passages.filter(({ source }) => source === "call").flatMap(({ identifiers }) => identifiers),
    );
    for (const each of called) uses.set(each, [...(uses.get(each) ?? []), at]);
  });
  return WINDOWS.flatMap((window) => {
    const index = new IdentifierIndex();
    return points(tokens, window).flatMap((point) => {
      index.readTo(point.end, historyOf(log));
      return pointSamples({ id, index, named, uses, window, ...point });
    });
  });
}

function pointSamples({ id, index, named, uses, cut, end, window }) {
  const inTail = new Set(
    named.slice(cut, end).flatMap((passages) => passages.flatMap(({ identifiers }) => identifiers)),
  );
  const past = new Set(named.slice(0, cut).flatMap((passages) => passages.flatMap(({ identifiers }) => identifiers)));
  const candidates = [...past].filter((each) => !inTail.has(each));
  const laterUses = (each) => (uses.get(each) ?? []).filter((at) => at >= end).length;
  const used = candidates.filter((each) => laterUses(each) > 0);
  const unused = candidates.filter((each) => laterUses(each) === 0);
  const share = Math.min(1, PER_POINT / Math.max(1, unused.length));
  const kept = unused.filter((each) => hash(`${id}${window}${end}${each}`) / 2 ** 32 < share);
  const row = (text, label, weight) => ({ x: features(text, index.record(text), end), y: label, weight });
  const positives = used.map((text) => row(text, 1, Math.min(MOST_USES, laterUses(text))));
  return [...positives, ...kept.map((text) => row(text, 0, 1 / share))];
}

const sigmoid = (value) => 1 / (1 + Math.exp(-value));
const score = (model, x) => x.reduce((sum, value, at) => sum + value * model.weights[at], model.bias);

/** Logistic regression by gradient descent on standardised features; a conversation weighs the root of its size. */
function learn(groups) {
  const rows = groups.flatMap((group) => {
    const total = group.reduce((sum, { weight }) => sum + weight, 0);
    return group.map((row) => ({ ...row, weight: row.weight / Math.sqrt(total) }));
  });
  const width = FEATURES.length;
  const all = rows.reduce((sum, { weight }) => sum + weight, 0);
  const mean = Array.from(
    { length: width },
    (_, at) => rows.reduce((sum, { x, weight }) => sum + x[at] * weight, 0) / all,
  );
  const spread = mean.map(
    (middle, at) => Math.sqrt(rows.reduce((sum, { x, weight }) => sum + (x[at] - middle) ** 2 * weight, 0) / all) || 1,
  );
  const scaled = rows.map(({ x, y, weight }) => ({
    x: x.map((value, at) => (value - mean[at]) / spread[at]),
    y,
    weight: weight / all,
  }));
  const model = { bias: -3, weights: new Array(width).fill(0) };
  for (let round = 0; round < ROUNDS; round++) descend(model, scaled);
  const weights = model.weights.map((value, at) => value / spread[at]);
  return { bias: model.bias - weights.reduce((sum, value, at) => sum + value * mean[at], 0), weights };
}

function descend(model, rows) {
  const slope = new Array(model.weights.length).fill(0);
  let bias = 0;
  for (const { x, y, weight } of rows) {
    const error = (sigmoid(score(model, x)) - y) * weight;
    bias += error;
    for (let at = 0; at < x.length; at++) slope[at] += error * x[at];
  }
  model.bias -= RATE * 4 * bias;
  for (let at = 0; at < slope.length; at++) model.weights[at] -= RATE * 4 * (slope[at] + SHRINK * model.weights[at]);
}

/** Chance that a used identifier scores above an unused one. */
function areaUnderCurve(model, rows) {
  const ranked = rows
    .map(({ x, y, weight }) => ({ value: score(model, x), y, weight }))
    .sort((a, b) => a.value - b.value);
  let below = 0;
  let area = 0;
  let positives = 0;
  for (const { y, weight } of ranked) {
    if (y === 1) {
      area += below * weight;
      positives += weight;
    } else below += weight;
  }
  return area / (positives * below);
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error("Usage: node scripts/learn-likelihood.mjs FOLDER");
  process.exit(2);
}
const counter = createTokenCounter({ encoding: "estimate" });
const groups = conversations(folder)
  .map((conversation) => ({ fold: hash(conversation.id) % FOLDS, rows: samplesOf(conversation, counter) }))
  .filter(({ rows }) => rows.some(({ y }) => y === 1));
const areas = Array.from({ length: FOLDS }, (_, fold) => {
  const model = learn(groups.filter((group) => group.fold !== fold).map(({ rows }) => rows));
  const held = groups.filter((group) => group.fold === fold).map(({ rows }) => areaUnderCurve(model, rows));
  return held.reduce((sum, area) => sum + area, 0) / held.length;
});
const model = learn(groups.map(({ rows }) => rows));
const rows = groups.flatMap((group) => group.rows);
const round = (value) => Number(value.toFixed(4));
const result = {
  learntBy: "scripts/learn-likelihood.mjs",
  conversations: groups.length,
  samples: rows.length,
  heldOutAreaUnderCurve: round(areas.reduce((sum, area) => sum + area, 0) / FOLDS),
  bias: round(model.bias),
  weights: Object.fromEntries(FEATURES.map((name, at) => [name, round(model.weights[at])])),
};
writeFileSync(OUTPUT, `${JSON.stringify(result, undefined, 2)}\n`);
console.log(JSON.stringify(result, undefined, 2));
