// What the built-in embedder takes beyond the sums that any table of token vectors needs.
import { builtInEmbedder } from "../dist/index.js";
import { codingSession, takeMessages } from "./support/coding-session.mjs";
import { timeInTurns } from "./support/measure.mjs";

export const name = "embed";

const TEXTS = 5_000;
const LENGTH = 120;
const TURNS = 5;
const [TOKENS, DIMENSIONS] = [30_522, 256];
/** Characters of a token, about. */
const TOKEN_LENGTH = 4;

function sampleTexts() {
  const prose = takeMessages(codingSession(), 400)
    .map(({ content }) => (typeof content === "string" ? content : ""))
    .join("\n");
  return Array.from({ length: TEXTS }, (_, at) => prose.slice((at * 61) % (prose.length - LENGTH)).slice(0, LENGTH));
}

/** For each text, as many rows of a table as it has tokens, added up one number after another. */
function plainSums(table, texts) {
  let row = 0;
  return texts.map(({ length }) => {
    const sum = new Float32Array(DIMENSIONS);
    for (let token = 0; token < length / TOKEN_LENGTH; token++) {
      row = (row + 7_919) % TOKENS;
      for (let at = 0; at < DIMENSIONS; at++) sum[at] += table[row * DIMENSIONS + at] * 0.01;
    }
    return sum;
  });
}

export async function run({ report }) {
  const embedder = builtInEmbedder();
  const texts = sampleTexts();
  const table = Int8Array.from({ length: TOKENS * DIMENSIONS }, (_, at) => at % 251);
  const [ours, plain] = await timeInTurns(TURNS, [() => embedder.embed(texts), () => plainSums(table, texts)]);
  report({
    figure: `vectors of ${TEXTS} texts of ${LENGTH} characters`,
    over: { name: "built-in", milliseconds: ours },
    under: { name: "plain sums", milliseconds: plain },
    atMost: 2,
  });
}
