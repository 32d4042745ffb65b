import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join("\n");
const BUDGETS = [128, 256, 512, 1_024];

/** Numbered rows of a digest, with the number, the count and the text of each. */
const shownRows = (text: string) =>
  [...text.matchAll(/^(\d+)(?: ×(\d+))?: (.*)$/gm)].map(([, line, count = "1", shown = ""]) => ({
    line: Number(line),
    count: Number(count),
    shown,
  }));

describe("a listing", () => {
  it.each([
    {
      tool: "find",
      remark: "find: ‘./secret’: Permission denied",
      entry: (i: number) => `./part${i % 9}/deep/file${i}.ts`,
      last: "Command exited with code 1",
    },
    {
      tool: "grep",
      remark: "grep: /etc/shadow: Permission denied",
      entry: (i: number) => `src/m${i % 60}.ts:${i + 1}:  call(${i});`,
      last: "[done]",
    },
    {
      tool: "git ls-files",
      remark: "warning: could not open directory 'x/': No such file",
      entry: (i: number) => `a/b${i % 30}/c${i}.md`,
      last: "-- end",
    },
  ])("of $tool keeps what the tool says of itself, and its last line", ({ remark, entry, last }) => {
    const source = `${rows(300, entry)}\n${remark}\n${rows(300, (i) => entry(i + 300))}\n${last}`;
    for (const maxTokens of BUDGETS) {
      const { text, kind } = reduceObservation(source, { maxTokens });
      expect(kind).toBe("listing");
      expect(text).toContain(`\n301: ${remark}`);
      expect(text.endsWith(`\n602: ${last}`)).toBe(true);
    }
  });

  it("shows a complaint that was made of many paths once, with how often it was made", () => {
    const source = rows(300, (i) => `./a/p${i % 7}/f${i}.ts\nfind: ‘./secret${i}’: Permission denied`);
    const { text, kind } = reduceObservation(source, { maxTokens: 256 });
    expect(kind).toBe("listing");
    expect(text).toContain("2 ×300: find: ‘./secret0’: Permission denied");
    expect(text.split("Permission denied").length).toBe(2);
  });

  it("keeps the first path and the last", () => {
    const source = rows(2_000, (i) => `./src/part${Math.floor(i / 2)}/more/file${i}.ts`);
    const { text } = reduceObservation(source, { maxTokens: 256 });
    expect(text).toContain("\n1 ×2: ./src/part0/more/file0.ts");
    expect(text.endsWith("\n2000: ./src/part999/more/file1999.ts")).toBe(true);
  });

  it("does not take lines of many forms for remarks", () => {
    const odd = (i: number) => `${"abcdefgh"[i % 8]!.repeat(1 + (i % 5))} ${"xyz"[i % 3]} of ${"klmnopqr"[i % 7]}`;
    const source = rows(900, (i) => (i % 4 === 3 ? odd(i) : `src/m${i % 12}.ts:${i}:  call(${i});`));
    const { text, kind } = reduceObservation(source, { maxTokens: 400 });
    expect(kind).toBe("listing");
    for (let i = 0; i < 12; i++) if (i % 4 !== 3) expect(text).toContain(`src/m${i}.ts:`);
  });

  it("uses the room that is left for further entries of each group", () => {
    const source = rows(900, (i) => `src/mod${Math.floor(i / 100)}.ts:${i + 1}:  const value = compute(${i});`);
    const { text, tokensAfter } = reduceObservation(source, { maxTokens: 1_024 });
    expect(tokensAfter).toBeGreaterThan(950);
    for (let i = 0; i < 9; i++) {
      expect(text).toContain(`×100: src/mod${i}.ts:`);
      expect(text.split(`src/mod${i}.ts:`).length).toBeGreaterThan(4);
    }
  });

  it("is no text of variables with their values", () => {
    const source = `${rows(200, (i) => `VARIABLE_${i}=value/of/${i}`)}\nDATABASE_URL=postgres/last`;
    const { text, kind } = reduceObservation(source, { maxTokens: 256 });
    expect(kind).not.toBe("listing");
    expect(text).toContain("DATABASE_URL=postgres/last");
  });
});

describe("a search with lines around its matches", () => {
  const match = (i: number) =>
    [`src/part-2/f${i}.ts-9-  const before = ${i};`, `src/part-2/f${i}.ts:10:  throw oops(${i});`].join("\n");
  const source = rows(60, (i) => `${match(i)}\nsrc/part-2/f${i}.ts-11-}\n--`);

  it("shows matches before the lines around them", () => {
    const { text, kind } = reduceObservation(source, { maxTokens: 512 });
    expect(kind).toBe("listing");
    expect(text.split("throw oops").length).toBeGreaterThan(15);
    expect(text).not.toContain("before");
  });

  it("shows the lines around them where there is room", () => {
    const { text } = reduceObservation(source, { maxTokens: 1_800 });
    for (let i = 0; i < 60; i++) expect(text).toContain(`${4 * i + 2}: src/part-2/f${i}.ts:10:  throw oops(${i});`);
    expect(text).toContain("1: src/part-2/f0.ts-9-  const before = 0;");
  });
});

describe("a search that names files above their matches", () => {
  const file = (i: number) => `src/part/f${i}.ts\n${rows(4, (j) => `${10 + 7 * j}:  throw oops(${i}, ${j});`)}\n`;
  const source = rows(80, file);

  it("shows as many files as fit, each with its matches counted and the first of them", () => {
    const { text, kind } = reduceObservation(source, { maxTokens: 512 });
    expect(kind).toBe("listing");
    const files = shownRows(text).filter(({ shown }) => shown.startsWith("src/"));
    expect(files.length).toBeGreaterThan(14);
    for (const { line, count, shown } of files) {
      expect(source.split("\n")[line - 1]).toBe(shown);
      expect(count).toBe(4);
      expect(text).toContain(`\n${line} ×4: ${shown}\n${line + 1}: 10:  throw oops(${(line - 1) / 6}, 0);`);
    }
  });

  it("shows no match without its file", () => {
    for (const maxTokens of [300, 900, 1_500, 2_000]) {
      const shown = shownRows(reduceObservation(source, { maxTokens }).text);
      const files = new Set(shown.filter(({ shown }) => shown.startsWith("src/")).map(({ line }) => line));
      for (const { line } of shown) expect(files).toContain(line - ((line - 1) % 6));
    }
  });

  it("is told from files shown with their line numbers", () => {
    const shown = rows(9, (i) => `src/f${i}.ts\n${rows(40, (j) => `${j + 1}: const value${j} = ${i};`)}\n`);
    expect(reduceObservation(shown, { maxTokens: 256 }).kind).not.toBe("listing");
  });
});
