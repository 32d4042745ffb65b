import { describe, expect, it } from "vitest";
import { idsOf, memoryOf, nearTo, OWN, OWN_KEY, putAll, vectorsOf } from "../../testing/memories-subject.js";
import { Random } from "../../testing/random.js";
import { mustFail } from "../../testing/store-subject.js";
import { inProcessMemories } from "./in-process.js";

const open = () => inProcessMemories({ check: () => undefined, redaction: () => undefined });

describe("memories in this process", () => {
  it("look as far as it takes where most of what is near is not asked for", async () => {
    const memories = open();
    const random = new Random(7);
    const near = () => vectorsOf("e", [1, random.next() / 10, 0]);
    const many = Array.from({ length: 2_000 }, (_, at) => memoryOf(`m${at}`, "", { until: 5, vectors: near() }));
    const open40 = Array.from({ length: 40 }, (_, at) =>
      memoryOf(`open${at}`, "", { vectors: vectorsOf("e", [1, 1 + at, 0]) }),
    );
    await putAll(memories, ...many, ...open40);
    const hits = await memories.search(OWN, nearTo("e", [1, 0, 0], { limit: 3, openAt: 10 }));
    expect(idsOf(hits)).toEqual(["open0", "open1", "open2"]);
  });

  it("count a row of many passages once, and still find the others", async () => {
    const memories = open();
    const passages = Array.from({ length: 300 }, () => ["word"]);
    const vectors = vectorsOf("e", ...passages.map(() => [1, 0]));
    await putAll(memories, memoryOf("long", "", { passages, vectors }));
    await putAll(memories, memoryOf("other", "", { vectors: vectorsOf("e", [1, 1]) }));
    expect(idsOf(await memories.search(OWN, nearTo("e", [1, 0], { limit: 2 })))).toEqual(["long", "other"]);
  });

  it("refuse vectors that are no numbers, and change nothing", async () => {
    const memories = open();
    const put = [memoryOf("a", "apple"), memoryOf("b", "pear", { vectors: vectorsOf("e", [1, Number.NaN]) })];
    await mustFail(memories.write({ scope: OWN_KEY, version: undefined, put }), "invalid-option");
    expect(await memories.find(OWN, [])).toEqual({ version: 0, rows: [] });
    expect((await memories.list(OWN)).rows).toEqual([]);
  });

  it("find nothing by a vector of another size than those stored", async () => {
    const memories = open();
    await putAll(memories, memoryOf("a", "apple", { vectors: vectorsOf("e", [1, 0]) }));
    expect(await memories.search(OWN, nearTo("e", [1, 0, 0]))).toEqual([]);
  });

  it("give out rows that nobody can change", async () => {
    const memories = open();
    await putAll(memories, memoryOf("a", "apple"));
    const [row] = await memories.get(OWN, ["a"]);
    expect(Object.isFrozen(row)).toBe(true);
  });
});
