// Texts that no one wrote, for scripts/fit-estimate.mjs: keys, numbers, symbols, styled letters, letters at random.
const TEXTS = 8;
const LENGTH = 400;

let state = 1;
const chance = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const upTo = (most) => 1 + Math.floor(chance() * most);
const oneOf = (list) => list[Math.floor(chance() * list.length)];
const many = (count, make, between = "") => Array.from({ length: count }, make).join(between);
const run = (list, length) => many(length, () => oneOf(list));
/** Words of up to nine characters, LENGTH characters in all. */
const words = (list) => many(LENGTH / 6, () => run(list, upTo(9)), " ");

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
const assigned = (first, last) => range(first, last).filter((character) => /\p{Assigned}/u.test(character));

const lower = range(0x61, 0x7a);
const upper = range(0x41, 0x5a);
const digits = range(0x30, 0x39);
const hex = [...digits, ..."abcdef"];
const base64 = [...upper, ...lower, ...digits, "+", "/"];
const marks = [..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"];

const KINDS = {
  "keys-hex": () => run(hex, LENGTH),
  "keys-hashes": () => many(10, () => run(hex, 40), "\n"),
  "keys-HEX": () => run([...digits, ..."ABCDEF"], LENGTH),
  "keys-base64": () => run(base64, LENGTH),
  "keys-uuid": () => many(10, () => [8, 4, 4, 4, 12].map((length) => run(hex, length)).join("-"), "\n"),
  "keys-ids": () =>
    many(15, () => oneOf(["toolu_", "call_", "req_", "sk-"]) + run([...lower, ...upper, ...digits], 22), "\n"),
  "digits-run": () => run(digits, LENGTH),
  "digits-numbers": () => many(LENGTH / 6, () => Math.floor(chance() * 10 ** upTo(9)), " "),
  "digits-decimals": () => many(LENGTH / 8, () => (chance() * 1_000).toFixed(upTo(6) - 1), ", "),
  "ascii-lower": () => run(lower, LENGTH),
  "ascii-words": () => words(lower),
  "ascii-upper": () => run(upper, LENGTH),
  "ascii-WORDS": () => words(upper),
  "ascii-case": () => run([...lower, ...upper], LENGTH),
  "ascii-camel": () => many(LENGTH / 12, () => run(lower, 5) + run(upper, 1) + run(lower, 5), " "),
  "ascii-all": () => run(range(0x21, 0x7e), LENGTH),
  "ascii-marks": () => run(marks, LENGTH),
  "ascii-spaced": () => many(LENGTH / 2, () => oneOf(lower), " "),
  "accents-few": () =>
    words([...lower, ...lower.map((letter) => letter + oneOf([..."\u0301\u0300\u0302\u0308\u0323\u0331"]))]),
  "accents-heaps": () => many(60, () => oneOf(lower) + run(range(0x300, 0x36f), 4)),
  "space-lines": () => many(60, () => oneOf([" ", "\n", "\t", "\r\n"]).repeat(upTo(30)), "x"),
  "space-indent": () => many(30, () => `${" ".repeat(upTo(40))}x = 1;`, "\n"),
  "space-tabs": () => many(40, () => `${"\t".repeat(upTo(12))}x`, "\n"),
  "space-rules": () => many(12, () => oneOf([..."-=*#_~+."]).repeat(upTo(90)), "\n"),
  "space-wide": () => many(100, () => oneOf([..."\u00a0\u2003\u3000\u200b\u2009"]).repeat(upTo(3)), "ab"),
  "emoji-chat": () =>
    many(
      30,
      () =>
        `${oneOf(["ok", "thanks", "see you"])} ${oneOf(["👍", "🎉", "❤️", "👩‍💻", "👨‍👩‍👧", "🇩🇪", "🤷‍♀️", "👋🏽", "🔥", "✅"])}`,
      " ",
    ),
};

/** Blocks of characters: as words, and each repeated. */
const BLOCKS = {
  emoji: [
    [0x1f600, 0x1f64f],
    [0x1f300, 0x1f5ff],
    [0x1f680, 0x1f6c5],
    [0x1f90c, 0x1f9ff],
    [0x1fa70, 0x1fa7c],
    [0x1f1e6, 0x1f1ff],
    [0x1f000, 0x1f02b],
  ],
  styled: [
    [0x1d400, 0x1d433],
    [0x1d434, 0x1d467],
    [0x1d49c, 0x1d4cf],
    [0x1d504, 0x1d537],
    [0x1d538, 0x1d56b],
    [0x1d5a0, 0x1d5d3],
    [0x1d670, 0x1d6a3],
    [0x1d7ce, 0x1d7ff],
    [0x1f130, 0x1f189],
    [0xff01, 0xff5e],
  ],
  astral: [
    [0x10000, 0x1005d],
    [0x10330, 0x1034a],
    [0x10400, 0x1044f],
    [0x12000, 0x12399],
    [0x13000, 0x1342e],
    [0x1e900, 0x1e943],
    [0x20000, 0x2a6d6],
    [0xe0020, 0xe007e],
  ],
  symbols: [
    [0x01, 0x08],
    [0xa1, 0xbf],
    [0x2010, 0x205e],
    [0x2070, 0x209c],
    [0x20a0, 0x20c0],
    [0x2100, 0x214f],
    [0x2150, 0x218b],
    [0x2190, 0x21ff],
    [0x2200, 0x22ff],
    [0x2300, 0x23ff],
    [0x2460, 0x24ff],
    [0x2500, 0x257f],
    [0x2580, 0x259f],
    [0x25a0, 0x25ff],
    [0x2600, 0x26ff],
    [0x2700, 0x27bf],
    [0x2800, 0x28ff],
    [0x2900, 0x2bff],
    [0x3001, 0x303f],
    [0x3200, 0x33ff],
    [0xe000, 0xf8ff],
    [0xfe00, 0xfe0f],
    [0xfe50, 0xfe6b],
  ],
};
for (const [name, blocks] of Object.entries(BLOCKS)) {
  for (const [first, last] of blocks) {
    const characters = assigned(first, last);
    KINDS[`${name}-${first.toString(16)}`] = () => words(characters);
    if (name === "symbols" || name === "emoji")
      KINDS[`repeats-${first.toString(16)}`] = () => many(20, () => oneOf(characters).repeat(upTo(20)), " ");
  }
}

/** Letters of a script at random, in words. */
const LETTERS = [
  [0x100, 0x17f],
  [0x180, 0x24f],
  [0x250, 0x2af],
  [0x2b0, 0x2ff],
  [0x1d00, 0x1dbf],
  [0x1e00, 0x1e9f],
  [0x1ea0, 0x1eff],
  [0x1f00, 0x1f15],
  [0x1100, 0x11ff],
  [0x3041, 0x30ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa48c],
  [0xac00, 0xd7a3],
  [0xfb50, 0xfbb1],
  [0xff66, 0xff9f],
];
for (let first = 0x380; first < 0x1a00; first += 0x80) if (first !== 0x1100) LETTERS.push([first, first + 0x7f]);
for (const [first, last] of LETTERS) {
  const characters = assigned(first, last).filter((character) => /[\p{L}\p{M}]/u.test(character));
  if (characters.length > 8) KINDS[`letters-${first.toString(16)}`] = () => words(characters);
}

KINDS["space-short"] = () => `${oneOf([..."-=*#~"]).repeat(3 + upTo(10))}\n`.repeat(30);
KINDS["space-long"] = () => oneOf(["\n", "\t", " ", "\r\n"]).repeat(400 * upTo(5));

/** Per kind a few texts, the same in every run. */
export const GENERATED = Object.entries(KINDS).map(([kind, make]) => ({
  kind,
  texts: Array.from({ length: TEXTS }, make),
}));
