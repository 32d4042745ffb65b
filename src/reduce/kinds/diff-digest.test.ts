import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const list = <T>(count: number, value: (index: number) => T) => Array.from({ length: count }, (_, i) => value(i));
const context = (count: number) => list(count, (i) => ` context ${i} of the file`);
const reduce = (lines: readonly string[], maxTokens: number) => {
  const { text, kind } = reduceObservation(lines.join("\n"), { maxTokens });
  expect(kind).toBe("diff");
  return text.split("\n");
};
const removal = (count: number) => list(count, (i) => `-export const value${i} = ${i};`);

describe("the files of a diff without titles", () => {
  const file = (i: number) => [
    ...(i % 3 === 0 ? [`--- a/src/old${i}.ts`, "+++ /dev/null", "@@ -1,40 +0,0 @@", ...removal(40)] : []),
    ...(i % 3 === 1
      ? ["--- /dev/null", `+++ b/src/new${i}.ts`, "@@ -0,0 +1,40 @@", ...list(40, (j) => `+line ${j}`)]
      : []),
    ...(i % 3 === 2 ? [`--- a/src/was${i}.ts`, `+++ b/src/is${i}.ts`, "@@ -1,2 +1,2 @@", ...removal(40)] : []),
  ];
  const shown = reduce(list(9, file).flat(), 300);

  it("keep their names where they are deleted", () => {
    expect(shown).toContain("1: src/old0.ts (deleted)");
    expect(shown.filter((row) => /: src\/old\d\.ts \(deleted\)$/.test(row))).toHaveLength(3);
    expect(shown.join("\n")).not.toContain("/dev/null");
  });

  it("are said to be new, or to have had another name", () => {
    expect(shown).toContain("45: src/new1.ts (new)");
    expect(shown).toContain("88: src/is2.ts (from src/was2.ts)");
    expect(shown[0]).toContain(" 9 files,");
  });

  it("are named as they stand where the names have no prefix", () => {
    const plain = (i: number) => [`--- lib/a${i}.c\t2024-01-05 10:00:00`, `+++ lib/a${i}.c\t2024-01-06 10:00:00`];
    const rows = reduce(list(9, (i) => [...plain(i), "@@ -1,40 +1,0 @@", ...removal(40)]).flat(), 200);
    expect(rows).toContain("2: lib/a0.c");
  });
});

describe("the files of a diff with titles", () => {
  const title = (name: string, to = name) => `diff --git a/${name} b/${to}`;
  const deleted = (i: number) => [title(`src/m${i}.ts`), "deleted file mode 100644", ...ends(i), ...removal(30)];
  const ends = (i: number) => [`--- a/src/m${i}.ts`, "+++ /dev/null", "@@ -1,30 +0,0 @@"];
  const source = [
    ...list(12, deleted).flat(),
    ...[title("logo.png"), "index 1..2 100644", "Binary files a/logo.png and b/logo.png differ"],
    ...[title("run.sh"), "old mode 100644", "new mode 100755"],
    ...[title("src/a.ts", "lib/b.ts"), "similarity index 99%", "rename from src/a.ts", "rename to lib/b.ts"],
    ...[title("n.ts"), "new file mode 100644", "--- /dev/null", "+++ b/n.ts", "@@ -0,0 +1,40 @@"],
    ...list(40, (i) => `+line ${i}`),
  ];

  it.each([256, 400, 640])("say what became of them, at %i tokens", (maxTokens) => {
    const shown = reduce(source, maxTokens);
    for (let i = 0; i < 12; i++) expect(shown).toContain(`${1 + 35 * i}: src/m${i}.ts (deleted)`);
    expect(shown).toContain("421: logo.png (binary)");
    expect(shown).toContain("424: run.sh (mode 100755)");
    expect(shown).toContain("427: lib/b.ts (from src/a.ts)");
    expect(shown).toContain("431: n.ts (new)");
  });
});

describe("the changes of a diff", () => {
  const file = (i: number, body: readonly string[]) => [
    `diff --git a/f${i}.ts b/f${i}.ts`,
    `--- a/f${i}.ts`,
    `+++ b/f${i}.ts`,
    ...[`@@ -${i * 10 + 1},40 +${i * 10 + 2},40 @@ class K${i}`, ...context(3), ...body, ...context(30)],
  ];

  it("tell on which line of the file a hunk begins to change it", () => {
    const shown = reduce(list(14, (i) => file(i, [`-old ${i}`, `+new ${i}`])).flat(), 400);
    for (let i = 0; i < 14; i++) expect(shown).toContain(`${8 + 39 * i}: @${10 * i + 5} -old ${i}`);
  });

  it("are shown before braces and blank lines, however short those are", () => {
    const added = (i: number) => ["+", "+  }", `+export const limit${i} = readLimit(${i});`, "+  });", "+"];
    const shown = reduce(list(14, (i) => file(i, added(i))).flat(), 300);
    const limits = list(14, (i) => `${10 + 42 * i}: @${10 * i + 7} +export const limit${i} = readLimit(${i});`);
    expect(shown.filter((row) => limits.includes(row)).length).toBeGreaterThan(6);
    expect(shown.filter((row) => /\+[ });]*$/.test(row)).length).toBeLessThan(5);
  });

  it("are not passed over where only the new line has words", () => {
    const shown = reduce(list(14, (i) => file(i, ["-  }", `+  } else reset(${i});`])).flat(), 400);
    for (let i = 0; i < 14; i++) {
      expect(shown).toContain(`${8 + 39 * i}: @${10 * i + 5} -  }`);
      expect(shown).toContain(`${9 + 39 * i}: +  } else reset(${i});`);
    }
  });

  it("stand in the order of their lines, a run of old ones before the new ones", () => {
    const runs = (i: number) => [...list(4, (j) => `-old ${i} ${j}`), ...list(4, (j) => `+new ${i} ${j}`)];
    for (const maxTokens of [200, 300, 500]) {
      const shown = reduce(list(14, (i) => file(i, runs(i))).flat(), maxTokens);
      const numbers = shown.slice(1).map((row) => Number(/^\d+/.exec(row)?.[0]));
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(numbers.length).toBeGreaterThan(14);
    }
  });

  it("are shown where a long line and its replacement differ", () => {
    const filler = "lorem ipsum dolor sit amet ".repeat(30);
    const pair = (i: number) => [`-const m${i} = "${filler}"; v1`, `+const m${i} = "${filler}"; v2`];
    for (const maxTokens of [160, 300, 512]) {
      const shown = reduce(list(14, (i) => file(i, pair(i))).flat(), maxTokens).join("\n");
      const starts = (sign: string) =>
        [...shown.matchAll(new RegExp(`\\${sign}const m(\\d+) = ".*…`, "g"))].map(([, i]) => i);
      expect(starts("-").length).toBeGreaterThan(0);
      expect(starts("+")).toEqual(starts("-"));
      expect(shown.match(/-const m\d+ = .*"; v1$/gm)).toHaveLength(starts("-").length);
      expect(shown.match(/\+const m\d+ = .*"; v2$/gm)).toHaveLength(starts("-").length);
    }
  });

  it("keep both halves of a pair that is long and unlike from its start", () => {
    const pair = (i: number) => [`-${"alpha beta ".repeat(99)}${i}`, `+${"gamma delta ".repeat(99)}${i}`];
    const shown = reduce(list(14, (i) => file(i, pair(i))).flat(), 256).join("\n");
    expect(shown).toMatch(/^8: @5 -alpha beta .*…\n9: \+gamma delta .*…$/m);
  });
});
