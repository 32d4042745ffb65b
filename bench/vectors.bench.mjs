// The nearest of many vectors: the scan over one byte a number, put in order exactly, against plain loops.
import { quantise, rescore, VectorTable } from "../dist/index.js";
import { timeInTurns } from "./support/measure.mjs";

export const name = "vectors";

const DIMENSIONS = 256;
const ROWS = 100_000;
const MANY = 1_000_000;
const LIMIT = 10;
const CANDIDATES = 4 * LIMIT;
const TURNS = 3;

/** A generator of its own, so that every run searches the same vectors. */
let seed = 20261115;
function random() {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32 - 0.5;
}

function unitVector() {
  const vector = Float32Array.from({ length: DIMENSIONS }, random);
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
}

/** The same vectors as single lists, and quantised one after another. */
function sampleVectors() {
  const vectors = Array.from({ length: ROWS }, unitVector);
  const codes = new Int8Array(ROWS * DIMENSIONS);
  const scales = new Float32Array(ROWS);
  for (const [row, vector] of vectors.entries()) {
    const quantised = quantise(vector);
    codes.set(quantised.codes, row * DIMENSIONS);
    scales[row] = quantised.scale;
  }
  return { vectors, codes, scales };
}

/** A table of these vectors, so many times that it has the rows that are wanted. */
function tableOf({ codes, scales }, rows) {
  const table = new VectorTable(DIMENSIONS);
  if (!table.simd) throw new Error("there is no SIMD here");
  for (let first = 0; first < rows; first += ROWS) {
    table.load({ keys: Float64Array.from({ length: ROWS }, (_, row) => first + row), codes, scales });
  }
  return table;
}

const firstOf = (scores) =>
  Array.from({ length: LIMIT }, () => {
    let best = 0;
    for (let row = 1; row < scores.length; row++) if (scores[row] > scores[best]) best = row;
    scores[best] = -Infinity;
    return best;
  });

function plainFloats(vectors, query) {
  const scores = new Float64Array(vectors.length);
  for (let row = 0; row < vectors.length; row++) {
    const vector = vectors[row];
    let sum = 0;
    for (let at = 0; at < DIMENSIONS; at++) sum += vector[at] * query[at];
    scores[row] = sum;
  }
  return firstOf(scores);
}

function plainBytes({ codes, scales }, query) {
  const scores = new Float64Array(scales.length);
  for (let row = 0; row < scales.length; row++) {
    const start = row * DIMENSIONS;
    let sum = 0;
    for (let at = 0; at < DIMENSIONS; at++) sum += codes[start + at] * query[at];
    scores[row] = sum * scales[row];
  }
  return firstOf(scores);
}

function scan(table, vectors, query) {
  const found = table.nearest(query, { limit: CANDIDATES });
  const candidates = found.map(({ key }) => ({ key, vector: vectors[key % ROWS] }));
  return rescore(query, candidates)
    .slice(0, LIMIT)
    .map(({ key }) => key);
}

/** A ratio between searches that find different things would say nothing. */
function requireSame(found, expected) {
  if (String(found) !== String(expected)) throw new Error(`found ${found} where ${expected} are nearest`);
}

function reportMany({ report, many, table, milliseconds }) {
  report({
    figure: `${LIMIT} nearest of ${MANY} vectors`,
    over: { name: "ten times the rows", milliseconds: many },
    under: { name: `${ROWS} rows`, milliseconds },
    atMost: 15,
  });
  report({
    figure: `memory of ${MANY} vectors`,
    over: { name: "table", megabytes: table.bytes / 1e6 },
    under: { name: "Float32Array", megabytes: (MANY * DIMENSIONS * 4) / 1e6 },
    atMost: 0.3,
  });
}

export async function run({ report }) {
  const sample = sampleVectors();
  const table = tableOf(sample, ROWS);
  const large = tableOf(sample, MANY);
  const query = unitVector();
  const queryCodes = quantise(query).codes;
  requireSame(scan(table, sample.vectors, query), plainFloats(sample.vectors, query));
  const [milliseconds, floats, bytes, many] = await timeInTurns(TURNS, [
    () => scan(table, sample.vectors, query),
    () => plainFloats(sample.vectors, query),
    () => plainBytes(sample, queryCodes),
    () => scan(large, sample.vectors, query),
  ]);
  const figure = `${LIMIT} nearest of ${ROWS} vectors`;
  const under = { name: "varve", milliseconds };
  report({ figure, over: { name: "plain loop, floats", milliseconds: floats }, under, atLeast: 5 });
  report({ figure, over: { name: "plain loop, bytes", milliseconds: bytes }, under, atLeast: 5 });
  reportMany({ report, many, table: large, milliseconds });
}
