import { seededRandom } from "./seeded-random.mjs";

/** The words that stand first in English texts by how often they occur. */
const FREQUENT =
  "the of and to in a is that for it was on with he be i by as at you are his had not this have from but which she they " +
  "or an her were there we their been has will one all would can if who more when said do what about its so up into " +
  "than them some could him only other time out my two then our over new like me these now may such any";

const WORDS = 60_000;
/** Flattens the head of the distribution, as in real texts. */
const HEAD = 2.7;
const CONSONANTS = "bcdfghklmnprstvwz";
const VOWELS = "aeiou";

/** Different for different numbers, and without regard to how frequent the word is. */
function madeUp(number) {
  let rest = Math.imul(number, 2_654_435_761) >>> 0;
  let word = "";
  while (rest > 0 || word.length < 4) {
    word += CONSONANTS[rest % 17] + VOWELS[Math.floor(rest / 17) % 5];
    rest = Math.floor(rest / 85);
  }
  return word;
}

/**
 * An endless row of texts of 8 to 40 words, each word as frequent as Zipf's law has it: the first are those of English,
 * the others are made up.
 */
export function* zipfTexts(seed = 1) {
  const random = seededRandom(seed);
  const frequent = FREQUENT.split(" ");
  const words = Array.from({ length: WORDS }, (_, rank) => frequent[rank] ?? madeUp(rank));
  const sums = new Float64Array(WORDS);
  for (let rank = 0, sum = 0; rank < WORDS; rank++) sums[rank] = sum += 1 / (rank + HEAD);
  const word = () => words[firstAbove(sums, random() * sums[WORDS - 1])];
  for (;;) yield Array.from({ length: 8 + Math.floor(random() * 33) }, word).join(" ");
}

function firstAbove(sums, value) {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
