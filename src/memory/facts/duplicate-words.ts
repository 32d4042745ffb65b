/** The words by which two texts are compared, and those of them whose change changes everything. */
const WORD =
  /[$€£¥]?-?\p{N}[\p{L}\p{M}\p{N}]*(?:[.,:/@_-][\p{L}\p{M}\p{N}]+)*%?|[\p{L}\p{M}\p{N}_@#]+(?:['.:/@_-][\p{L}\p{M}\p{N}_]+)*[+#]*|[<>=≤≥≠±×÷*^|&~]+|\p{Extended_Pictographic}|\?(?=\s|$)/gu;

/** The same for plain text, which most is: several times faster. */
const PLAIN_WORD =
  /\$?-?[0-9][a-zA-Z0-9]*(?:[.,:/@_-][a-zA-Z0-9]+)*%?|[a-zA-Z0-9_@#]+(?:['.:/@_-][a-zA-Z0-9_]+)*[+#]*|[<>=*^|&~]+|\?(?=\s|$)/g;
const PLAIN = /^[\0-\x7f]*$/;

/** Left out, they leave what is said as it is. */
const FILLERS = new Set(
  "a an the that please just really also well hey hi hello ok okay oh actually basically simply kindly btw fyi".split(
    " ",
  ),
);
/** These carry nothing where they lead in what follows: "Note: …", "Remember that …", but not "Remember the Alamo". */
const LEADS = new Set(["remember", "note"]);
const LEADS_IN = /^(?:[:,]| that\b)/i;
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/[’‘]/g, "'"],
  [/\bcan't\b/gi, "cannot"],
  [/\bwon't\b/gi, "will not"],
  [/n't\b/gi, " not"],
  [/\b(i)'m\b/gi, "$1 am"],
  [/'re\b/gi, " are"],
  [/'ve\b/gi, " have"],
  [/'ll\b/gi, " will"],
  [/\b(it|that|he|she|there|what)'s\b/gi, "$1 is"],
  [/\bcannot\b/gi, "can not"],
];

/** A text's words as they were written. */
export const wordsOf = (text: string): string[] =>
  (PLAIN.test(text) ? text.match(PLAIN_WORD) : text.normalize("NFKC").replace(/[’‘]/g, "'").match(WORD)) ?? [];

export interface LooseWord {
  /** Lower case, but for abbreviations: "the US office" is not "the us office". */
  readonly form: string;
  /** As it was written. */
  readonly word: string;
  /** Whether it stands first in its sentence, where a capital makes no name. */
  readonly begins: boolean;
}

/** The words that carry what is said. */
export function looseWords(text: string): LooseWord[] {
  const isPlain = PLAIN.test(text);
  const plain = spelled(isPlain ? text : text.normalize("NFKC"));
  const words: LooseWord[] = [];
  const shouts = !/\p{Ll}/u.test(plain);
  let first = true;
  const pattern = isPlain ? PLAIN_WORD : WORD;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(plain); found !== null; found = pattern.exec(plain)) {
    const { 0: word, index } = found;
    const begins = first || beginsSentence(plain, index);
    first = false;
    if (isFiller(word, begins) || ((begins || words.length === 0) && leadsIn(word, plain, index))) continue;
    words.push({ form: shouts || !ABBREVIATION.test(word) ? word.toLowerCase() : word, word, begins });
  }
  return words;
}

function spelled(text: string): string {
  if (!/['’‘]|cannot/i.test(text)) return text;
  return CONTRACTIONS.reduce((plain, [pattern, stead]) => plain.replace(pattern, stead), text);
}

const ENDS = new Set([".", "!", "?", ":", "\n"]);

const beginsSentence = (text: string, at: number): boolean =>
  ENDS.has(text[at - 1] ?? "") || (text[at - 1] === " " && ENDS.has(text[at - 2] ?? ""));

/** "Plan A" is not "plan". */
const isFiller = (word: string, begins: boolean): boolean => FILLERS.has(begins ? word.toLowerCase() : word);

const leadsIn = (word: string, text: string, at: number): boolean =>
  LEADS.has(word.toLowerCase()) && LEADS_IN.test(text.slice(at + word.length, at + word.length + 6));

const ABBREVIATION = /^\p{Lu}{2,}$/u;

const REVERSING = new Set(
  (
    "not no never none nor without cannot neither nobody nothing hardly rarely seldom always on off true false yes enable enabled " +
    "disable disabled allow allowed allows forbid forbidden like likes love loves hate hates dislike dislikes before after increase increased " +
    "decrease decreased more less above below minimum maximum left right accept accepted reject rejected open closed start stop " +
    "add remove added removed pass passed fail failed buy sell old new from to in out with up down"
  ).split(" "),
);

/** A number, a name, a sign or a "not": where it differs, two texts say different things. */
export const isDecisive = ({ word, begins }: LooseWord): boolean =>
  /[\p{N}@/_]|^[^\p{L}]/u.test(word) || (!begins && /\p{Lu}/u.test(word)) || REVERSING.has(word.toLowerCase());
