import { strict as assert } from "node:assert";
import {
  asking,
  byWords,
  hitOf,
  idsOf,
  listAll,
  type MemoriesActs,
  memoryOf,
  mustWrite,
  nearTo,
  OWN,
  OWN_KEY,
  putAll,
  vectorsOf,
} from "./memories-subject.js";
import { TIME } from "./store-subject.js";

/** Terms that a query language, a tokenizer or an index may take for something else. */
const STRANGE = [
  ...["and", "or", "not", "near", "the", "null", "true", "select"],
  ...['"', "'", '"quoted"', "it's", "''", "a*", "*", "a:b", "body:x", "^a", "-a", "+a", "(", ")", "{}", "[]"],
  ...["%", "_", "\\", "\\'", "a&b", "a|b", "!a", "<->", "a:*", ":", ";", "--", "$1", "?", "~", "@", "#", ".", ","],
  ...["running", "run", "runs", "resume", "résumé", "re\u0301sume\u0301", "straße", "strasse", "ǆ"],
  ...["東京", "京都", "สวัสดี", "مرحبا", "👍", "👩‍👩‍👧‍👦", "ё", "е", "i\u0307", "ﬁ", "fi"],
  ...["x".repeat(1_000), `${"x".repeat(1_000)}y`, "é".repeat(3_000), `${"é".repeat(3_000)}e`],
];

const filler = (count: number) =>
  Array.from({ length: count }, (_, at) => memoryOf(`filler${at}`, `common filler number${at} text`));

export const memoriesSearchChecks: MemoriesActs = {
  "puts what has more of the words, and rarer ones, in front": async ({ memories }) => {
    const one = memoryOf("one", "common apple in a basket");
    const two = memoryOf("two", "rare apple in a basket");
    await putAll(memories, ...filler(50), one, two, memoryOf("all", "common rare apple basket"));
    assert.deepEqual((await byWords(memories, "rare common apple")).slice(0, 3), ["all", "two", "one"]);
    const hits = await memories.search(OWN, asking("apple"));
    assert.deepEqual(idsOf(hits), ["all", "one", "two"]);
    assert.ok(hits.every(({ words }) => words > 0));
  },

  "puts a word that stands often, or in a short text, in front": async ({ memories }) => {
    await putAll(
      memories,
      ...filler(50),
      memoryOf("often", "apple apple apple pear plum"),
      memoryOf("once", "apple cherry grape pear plum"),
      memoryOf("long", `apple ${"cherry grape pear plum ".repeat(20)}`),
    );
    assert.deepEqual(await byWords(memories, "apple"), ["often", "once", "long"]);
  },

  "says of a hit where it stands and when it was said": async ({ memories }) => {
    const given = { thread: "talk", time: TIME + 1, until: TIME + 2, speaker: "ann", tags: ["t"] };
    await putAll(memories, memoryOf("z", "pear", { thread: "talk" }), memoryOf("a", "apple", given));
    const [hit] = await memories.search(OWN, asking("apple"));
    const { words, ...rest } = hit!;
    assert.ok(words > 0);
    const place = { scope: OWN_KEY, thread: "talk", place: 1 };
    const said = { time: TIME + 1, until: TIME + 2, speaker: "ann" };
    assert.deepEqual(rest, { id: "a", ...place, ...said, cosines: {}, passage: 0, passages: 1 });
  },

  "scores a row by its best passage, and says which": async ({ memories }) => {
    const split = { passages: [["nothing"], ["apple", "tree"], ["pear", "tree"], ["plum"]] };
    const whole = { passages: [["nothing"], ["plum", "tree"], ["apple", "pear"]] };
    await putAll(memories, ...filler(20), memoryOf("split", "", split), memoryOf("whole", "", whole));
    const hits = await memories.search(OWN, asking("apple pear"));
    assert.equal(hits.length, 2);
    assert.ok(hitOf(hits, "whole").words > hitOf(hits, "split").words);
    assert.equal(hitOf(hits, "whole").passage, 2);
    assert.equal(hitOf(await memories.search(OWN, asking("pear")), "split").passage, 2);
    assert.equal(hitOf(await memories.search(OWN, asking("plum")), "split").passage, 3);
  },

  "takes terms for what they are, whatever they hold": async ({ memories }) => {
    await putAll(memories, ...STRANGE.map((term, at) => memoryOf(`m${at}`, "", { passages: [[term, "shared"]] })));
    for (const [at, term] of STRANGE.entries())
      assert.deepEqual(await byWords(memories, term), [`m${at}`], `the term ${term.slice(0, 20)}`);
    const all = await memories.search(OWN, { terms: STRANGE, vectors: [], limit: 1_000 });
    assert.equal(all.length, STRANGE.length);
    assert.equal((await byWords(memories, "shared")).length, STRANGE.length);
  },

  "finds nothing for no words and no vectors, and for words that nobody wrote": async ({ memories }) => {
    await putAll(memories, memoryOf("a", "apple"), memoryOf("blank", "", { passages: [] }));
    await putAll(memories, memoryOf("empty", "", { passages: [[]] }));
    assert.deepEqual(await memories.search(OWN, asking("")), []);
    assert.deepEqual(await memories.search(OWN, asking("pear appl apples")), []);
    assert.deepEqual(await listAll(memories), ["a", "blank", "empty"]);
    assert.deepEqual(idsOf(await memories.search(OWN, asking("apple"))), ["a"]);
  },

  "takes a question of hundreds of words and a text of thousands": async ({ memories }) => {
    const words = Array.from({ length: 8_000 }, (_, at) => `word${at}`);
    await putAll(memories, memoryOf("long", words.join(" ")), memoryOf("short", "word7 word8"));
    assert.deepEqual(idsOf(await memories.search(OWN, { terms: words.slice(0, 600), vectors: [], limit: 10 })), [
      "long",
      "short",
    ]);
    assert.deepEqual(await byWords(memories, "word7999"), ["long"]);
  },

  "gives as many candidates as wanted, the best": async ({ memories }) => {
    const put = Array.from({ length: 40 }, (_, at) =>
      memoryOf(`m${at}`, `${"apple ".repeat(at + 1)}${"pear ".repeat(40 - at)}`, {
        vectors: vectorsOf("e", [Math.cos(at / 40), Math.sin(at / 40)]),
      }),
    );
    await putAll(memories, ...put);
    assert.deepEqual(idsOf(await memories.search(OWN, asking("apple", { limit: 3 }))), ["m37", "m38", "m39"]);
    assert.deepEqual(idsOf(await memories.search(OWN, nearTo("e", [1, 0], { limit: 3 }))), ["m0", "m1", "m2"]);
    const both = { ...nearTo("e", [1, 0], { limit: 3 }), terms: ["apple"] };
    assert.deepEqual(idsOf(await memories.search(OWN, both)), ["m0", "m1", "m2", "m37", "m38", "m39"]);
  },

  "leaves out what was said too early or too late or is closed": async ({ memories }) => {
    const at = (id: string, time: number, until?: number) =>
      memoryOf(id, "apple", { time, until, vectors: vectorsOf("e", [1, 0]) });
    await putAll(memories, at("a", 10), at("b", 20, 25), at("c", 30, 40));
    for (const question of [asking("apple"), nearTo("e", [1, 0])]) {
      const found = async (given: object) => idsOf(await memories.search(OWN, { ...question, ...given }));
      assert.deepEqual(await found({ from: 20 }), ["b", "c"]);
      assert.deepEqual(await found({ from: 21 }), ["c"]);
      assert.deepEqual(await found({ to: 20 }), ["a"]);
      assert.deepEqual(await found({ to: 21 }), ["a", "b"]);
      assert.deepEqual(await found({ openAt: 24 }), ["a", "b", "c"]);
      assert.deepEqual(await found({ openAt: 25 }), ["a", "c"]);
      assert.deepEqual(await found({ openAt: 39, from: 15, to: 35 }), ["c"]);
      assert.deepEqual(await found({ from: 30, to: 30 }), []);
    }
  },

  "searches ten thousand rows": async ({ memories }) => {
    for (let batch = 0; batch < 10; batch++) {
      const put = Array.from({ length: 1_000 }, (_, at) => {
        const number = batch * 1_000 + at;
        const angle = number / 10_000;
        return memoryOf(`m${number}`, `entry number${number} of group${number % 100} and all`, {
          thread: `talk${number % 10}`,
          vectors: vectorsOf("e", [Math.cos(angle), Math.sin(angle), 0, 0]),
        });
      });
      await mustWrite(memories, { put });
    }
    assert.deepEqual((await byWords(memories, "number7777 entry")).at(0), "m7777");
    assert.equal((await memories.search(OWN, asking("group42", { limit: 1_000 }))).length, 100);
    const near = await memories.search(OWN, nearTo("e", [Math.cos(0.5), Math.sin(0.5), 0, 0], { limit: 1 }));
    assert.equal(near.length, 1);
    assert.ok(Math.abs(Number(near[0]!.id.slice(1)) - 5_000) < 200, near[0]!.id);
    assert.equal((await listAll(memories, OWN, 1_000)).length, 10_000);
  },
};
