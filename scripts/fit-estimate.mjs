// Fits the costs of the token estimate to o200k and writes src/tokens/estimate-costs.ts.
//
//   npm run build && node scripts/fit-estimate.mjs <folder> [--dry-run]
//
// <folder> holds one folder per kind of text (english, chinese, code-js, logs …) with .txt files in it. Every other
// stretch of each file is kept back and only measured. The loss is the squared relative error, with under-counting
// weighing more, and each kind weighing the same however much text it has.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean" }, build: { type: "string", default: "dist" } },
});
const { tallyRuns, follow, CELL_COUNT, Cell } = await import(join(process.cwd(), flags.build, "tokens/runs.js"));
const { CLASS_OF, CharacterClass } = await import(join(process.cwd(), flags.build, "tokens/character-class.js"));
const { CUTS, SYMBOLS } = await import(join(process.cwd(), flags.build, "tokens/estimate-costs.js"));

const PLAIN = { disallowedSpecial: new Set() };
const STRETCH = 900;
const UNDER_WEIGHT = 2.5;
const MARGIN = 1.01;
const RIDGE = 2e-4;
/** Steps in which the chance of a cut is written, and the weight of a text never seen. */
const STEPS = 8;
const UNSEEN = { weight: 0.001, cut: 0.5 };

/** Stretches of about STRETCH characters, cut at a line or word end. */
function* stretches(text) {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + STRETCH);
    const space = text.slice(end, end + 60).search(/\s/);
    if (end < text.length) end += Math.max(space, 0);
    if (end - start > STRETCH / 3) yield text.slice(start, end);
    start = end;
  }
}

function readSamples(folder) {
  return readdirSync(folder).flatMap((kind) =>
    readdirSync(join(folder, kind)).flatMap((file) =>
      [...stretches(readFileSync(join(folder, kind, file), "utf8"))].map((text, index) => {
        const tokens = encode(text, PLAIN);
        return { kind, text, tokens, count: tokens.length, heldOut: index % 2 === 1 };
      }),
    ),
  );
}

/** Languages that share a script with a commoner one weigh less than it. */
const MINOR = /^(latin|cyrillic|arabic|hindi|indic|other)-/;

const balance = (samples) => {
  const perKind = Map.groupBy(samples, (sample) => sample.kind);
  for (const sample of samples) sample.weight = (MINOR.test(sample.kind) ? 0.2 : 1) / perKind.get(sample.kind).length;
};

const byteLength = (token) =>
  typeof ranks[token] === "string" ? Buffer.byteLength(ranks[token]) : ranks[token].length;

/** The byte offsets at which tokens begin. */
function tokenStarts(tokens) {
  const starts = new Set();
  let offset = 0;
  for (const token of tokens) {
    starts.add(offset);
    offset += byteLength(token);
  }
  return starts;
}

/** Letters with the hash of what leads to them, and how many tokens begin at or inside each but for a run's first. */
function* letters({ text, tokens }) {
  const starts = tokenStarts(tokens);
  let byte = 0;
  let hash = 0;
  let last = { group: -1, kind: -1 };
  for (const character of text) {
    const code = character.charCodeAt(0);
    const end = byte + Buffer.byteLength(character);
    const kind = CLASS_OF[code];
    const group = kind <= CharacterClass.vietnamese ? 0 : kind <= CharacterClass.otherLetter ? kind : -1;
    const isNew = group !== last.group || (kind === CharacterClass.upper && last.kind !== CharacterClass.upper);
    if (group >= 0) {
      hash = follow(isNew || kind === CharacterClass.han ? 0 : hash, group === 0 ? code | 32 : code);
      let cuts = 0;
      for (let offset = byte + (isNew ? 1 : 0); offset < end; offset++) if (starts.has(offset)) cuts++;
      yield { hash, cuts };
    }
    last = { group, kind };
    byte = end;
  }
}

/** For each hash of two letters, how many tokens begin at the last, in STEPS. */
function fitCuts(samples) {
  const cut = new Float64Array(CUTS.length).fill(UNSEEN.weight * UNSEEN.cut);
  const seen = new Float64Array(CUTS.length).fill(UNSEEN.weight);
  for (let code = 0x4e00; code < 0xa000; code++) {
    seen[follow(0, code)] += UNSEEN.weight;
    cut[follow(0, code)] += UNSEEN.weight * encode(String.fromCharCode(code)).length;
  }
  for (const sample of samples) {
    for (const { hash, cuts } of letters(sample)) {
      seen[hash] += sample.weight;
      cut[hash] += sample.weight * cuts;
    }
  }
  return cut.map((value, hash) => Math.min(35, Math.round((STEPS * value) / seen[hash])));
}

function features(text) {
  const amounts = new Float64Array(CELL_COUNT);
  tallyRuns(text, amounts);
  return [...amounts.entries()].filter(([cell, amount]) => amount !== 0 && cell !== Cell.digitCharacters);
}

const predict = (sample, costs) => sample.features.reduce((sum, [cell, amount]) => sum + costs[cell] * amount, 0);

/** Non-negative weighted least squares by coordinate descent on the normal equations, reweighted for under-counts. */
function fitCosts(samples, prior) {
  let costs = Float64Array.from(prior);
  for (let round = 0; round < 8; round++) {
    const { matrix, right } = normalEquations(samples, costs);
    costs = descend(matrix, right, { costs, prior });
  }
  return costs;
}

function normalEquations(samples, costs) {
  const matrix = Array.from({ length: CELL_COUNT }, () => new Float64Array(CELL_COUNT));
  const right = new Float64Array(CELL_COUNT);
  for (const sample of samples) {
    const error = predict(sample, costs) / (sample.count * MARGIN) - 1;
    const weight = sample.weight * (error < 0 ? UNDER_WEIGHT : 1) * (1 / (0.05 + Math.abs(error)));
    const scale = 1 / (sample.count * MARGIN);
    for (const [row, first] of sample.features) {
      right[row] += weight * first * scale;
      for (const [column, second] of sample.features) matrix[row][column] += weight * first * scale * second * scale;
    }
  }
  return { matrix, right };
}

function descend(matrix, right, { costs, prior }) {
  const next = Float64Array.from(costs);
  for (let pass = 0; pass < 400; pass++) {
    for (let cell = 0; cell < CELL_COUNT; cell++) {
      const row = matrix[cell];
      let gradient = right[cell] + RIDGE * prior[cell];
      for (let other = 0; other < CELL_COUNT; other++) if (other !== cell) gradient -= row[other] * next[other];
      next[cell] = Math.max(0, gradient / (row[cell] + RIDGE));
    }
  }
  return next;
}

function report(title, samples, costs) {
  console.log(`\n${title}\nkind                 texts  median%   p90%  under>10%  lowest  highest`);
  for (const [kind, group] of [...Map.groupBy(samples, (sample) => sample.kind)].sort()) {
    const ratios = group.map((sample) => predict(sample, costs) / sample.count - 1).sort((a, b) => a - b);
    const sizes = ratios.map(Math.abs).sort((a, b) => a - b);
    const at = (list, share) => (100 * list[Math.floor((list.length - 1) * share)]).toFixed(1).padStart(7);
    const under = ratios.filter((ratio) => ratio < -0.1).length;
    console.log(
      `${kind.padEnd(20)}${String(group.length).padStart(6)}  ${at(sizes, 0.5)}${at(sizes, 0.9)}  ${String(under).padStart(8)} ${at(ratios, 0)}  ${at(ratios, 1)}`,
    );
  }
}

function symbolCosts() {
  const codes = [...Array(0x40).keys()].map((at) => 0x80 + at);
  codes.push(...[...Array(0xc00).keys()].map((at) => 0x2000 + at));
  return codes.map((code) => {
    const [one, eight] = [1, 8].map((count) => encode(String.fromCharCode(code).repeat(count)).length);
    return one + (eight <= 2 * one ? 4 : 0);
  });
}

const thousandths = (value) => Math.round(1_000 * value);

const ROW = 128;
const rowsOf = (values) =>
  Array.from({ length: Math.ceil(values.length / ROW) }, (_, row) => {
    const digits = Array.from(values.slice(row * ROW, (row + 1) * ROW), (value) => value.toString(36));
    return `  "${digits.join("")}",`;
  });

function source({ cuts, costs }) {
  const rows = [];
  for (let start = 0; start < CELL_COUNT; start += 16)
    rows.push(`  ${Array.from(costs.slice(start, start + 16), thousandths).join(", ")},`);
  return `/** Fitted by scripts/fit-estimate.mjs; run it again instead of editing. */

/**
 * How many tokens begin at a letter, in eighths, by the hash of it and the letter before it.
 */
// biome-ignore format: a table
const ROWS = [
${rowsOf(cuts).join("\n")}
];

const numbers = (rows: readonly string[]): Uint8Array =>
  Uint8Array.from(rows.join(""), (digit) => Number.parseInt(digit, 36));

export const CUTS: Uint8Array = numbers(ROWS);

/** Tokens of each symbol from U+0080 to U+00BF and from U+2000 to U+2BFF, and 4 more where eight are hardly more than one. */
// biome-ignore format: a table
export const SYMBOLS: Uint8Array = numbers([
${rowsOf(symbolCosts()).join("\n")}
]);

/** Tokens per unit of each cell of \`runs.ts\`, in thousandths. */
// biome-ignore format: a table
const THOUSANDTHS = [
${rows.join("\n")}
];

export const COSTS: Float64Array = Float64Array.from(THOUSANDTHS, (cost) => cost / 1_000);
`;
}

const samples = readSamples(positionals[0]);
balance(samples);
const training = samples.filter((sample) => !sample.heldOut);
const cuts = fitCuts(training);
CUTS.set(cuts);
SYMBOLS.set(symbolCosts());
for (const sample of samples) sample.features = features(sample.text);
const prior = new Float64Array(CELL_COUNT).fill(0.5).fill(0, Cell.digitCharacters);
const costs = fitCosts(training, prior);
report("fitted on", training, costs);
report(
  "held out",
  samples.filter((sample) => sample.heldOut),
  costs,
);
if (!flags["dry-run"]) writeFileSync("src/tokens/estimate-costs.ts", source({ cuts, costs }));
