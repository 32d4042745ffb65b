import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join("\n");

describe("other kinds of output", () => {
  it("compiler: each sort of error before repetitions, and the tally", () => {
    const same = rows(
      300,
      (i) => `src/a${i}.ts(${i},5): error TS2322: Type 'string' is not assignable to type 'number'.`,
    );
    const source = `${same}\nsrc/odd.ts(9,1): error TS2304: Cannot find name 'foo'.\n${same}\nFound 301 errors in 301 files.`;
    const { text, kind } = reduceObservation(source, { maxTokens: 200 });
    expect(kind).toBe("compiler");
    expect(text).toContain("src/a0.ts(0,5): error TS2322");
    expect(text).toContain("src/odd.ts(9,1): error TS2304: Cannot find name 'foo'.");
    expect(text).toContain("Found 301 errors");
  });

  it("compiler: an error of rustc with its place, among warnings", () => {
    const warning = rows(
      80,
      (i) => `warning: unused variable: \`x${i}\`\n  --> src/w${i}.rs:${i}:9\n   |\n${i} | let x${i} = 1;`,
    );
    const source = `${warning}\nerror[E0308]: mismatched types\n  --> src/main.rs:4:18\n   |\n4  | let n: u8 = "a";\n${warning}\nerror: aborting due to 1 previous error`;
    const { text, kind } = reduceObservation(source, { maxTokens: 256 });
    expect(kind).toBe("compiler");
    expect(text).toContain("error[E0308]: mismatched types\n  --> src/main.rs:4:18");
    expect(text).toContain("error: aborting");
  });

  it("stack trace: messages, causes and own frames", () => {
    const foreign = rows(150, (i) => `\tat org.springframework.web.F${i}.run(F${i}.java:${i})`);
    const source = `java.lang.IllegalStateException: outer\n${foreign}\n\tat com.acme.App.main(App.java:12)\nCaused by: java.io.IOException: disk full\n${foreign}`;
    const { text, kind } = reduceObservation(source, { maxTokens: 256 });
    expect(kind).toBe("stack-trace");
    for (const kept of [
      "IllegalStateException: outer",
      "com.acme.App.main(App.java:12)",
      "Caused by: java.io.IOException: disk full",
    ]) {
      expect(text).toContain(kept);
    }
  });

  it("diff: every file, then hunks, then the first changes of each", () => {
    const file = (i: number) => `diff --git a/f${i}.ts b/f${i}.ts
--- a/f${i}.ts
+++ b/f${i}.ts
@@ -10,40 +10,41 @@ function f${i}()
${rows(20, (j) => ` context ${i} ${j} of the function`)}
-old ${i}
+new ${i}
${rows(20, (j) => ` more context ${i} ${j}`)}`;
    const { text, kind } = reduceObservation(rows(6, file), { maxTokens: 512 });
    expect(kind).toBe("diff");
    for (let i = 0; i < 6; i++) {
      for (const kept of [`diff --git a/f${i}.ts`, `function f${i}()`, `-old ${i}`, `+new ${i}`])
        expect(text).toContain(kept);
    }
  });

  it("table: header, first and last rows, and the row that is unlike the rest", () => {
    const source = `id,name,price\n${rows(4_000, (i) => (i === 2_345 ? "2345,broken" : `${i},item ${i},${i % 97}.50`))}`;
    const { text, kind } = reduceObservation(source, { maxTokens: 200 });
    expect(kind).toBe("table");
    expect(text).toContain("[Data Truncated: table, 4001 lines]\nid,name,price\n0,item 0,0.50");
    expect(text).toContain("\n2345,broken\n");
    expect(text.endsWith("3999,item 3999,22.50")).toBe(true);
  });

  it("listing: one path for each directory, with how many it stands for", () => {
    const source = rows(3_000, (i) => `./src/part${i % 5}/file${i}.ts`);
    const { text, kind } = reduceObservation(source, { maxTokens: 160 });
    expect(kind).toBe("listing");
    for (let i = 0; i < 5; i++) expect(text).toContain(`${i + 1} ×600: ./src/part${i}/file${i}.ts`);
  });

  it("listing: one match for each file of a search", () => {
    const source = rows(900, (i) => `src/mod${Math.floor(i / 100)}.ts:${i + 1}:  const value = compute(${i});`);
    const { text, kind } = reduceObservation(source, { maxTokens: 300 });
    expect(kind).toBe("listing");
    for (let i = 0; i < 9; i++) expect(text).toContain(`×100: src/mod${i}.ts:`);
  });

  it("tree: outer entries before inner ones", () => {
    const source = `.\n${rows(30, (i) => `├── part${i}\n${rows(20, (j) => `│   ├── file${i}-${j}.ts`)}`)}\n\n30 directories, 600 files`;
    const { text, kind } = reduceObservation(source, { maxTokens: 800 });
    expect(kind).toBe("tree");
    for (let i = 0; i < 30; i++) expect(text).toContain(`├── part${i}\n`);
    expect(text).toContain("30 directories, 600 files");
  });

  it("HTML: the text a reader sees, with headings and links", () => {
    const sections = rows(
      60,
      (i) => `<h2>Part ${i}</h2><p>Text &amp; more of part ${i}. ${"Filler words here. ".repeat(8)}</p>`,
    );
    const source = `<!doctype html><html><head><title>Guide</title><script>${"hidden();".repeat(900)}</script></head><body><a href="/home">Home</a>${sections}</body></html>`;
    const { text, kind } = reduceObservation(source, { maxTokens: 400 });
    expect(kind).toBe("html");
    expect(text).toContain("# Guide\n[Home](/home)");
    expect(text).toContain("## Part 0\nText & more of part 0.");
    expect(text).not.toContain("hidden()");
  });

  it("XML on one line: the failure and its neighbours", () => {
    const cases = rows(900, (i) => `<testcase name="t${i}">${i === 555 ? '<failure message="boom"/>' : ""}</testcase>`);
    const { text, kind } = reduceObservation(`<?xml version="1.0"?><suite>${cases.replaceAll("\n", "")}</suite>`, {
      maxTokens: 200,
    });
    expect(kind).toBe("xml");
    expect(text).toContain('<testcase name="t555">\n<failure message="boom"/>');
  });

  it("prose: its headings and how its sections begin", () => {
    const source = `# Handbook\n\n${rows(20, (i) => `## Chapter ${i}\n\nChapter ${i} begins so. ${"And it goes on with many more words. ".repeat(12)}\n\n${"Further text of no weight at all here. ".repeat(6)}\n`)}`;
    const { text, kind } = reduceObservation(source, { maxTokens: 900 });
    expect(kind).toBe("prose");
    for (let i = 0; i < 20; i++) expect(text).toContain(`## Chapter ${i}`);
    expect(text).toContain("Chapter 0 begins so.");
  });

  it.each([
    ["plain", (line: string, _: number) => line],
    ["with line numbers", (line: string, index: number) => `${String(index + 1).padStart(6)}\t${line}`],
  ])("source, %s: what it declares", (_, number) => {
    const body = (i: number) => [
      `def function_${i}(value):`,
      ...Array.from({ length: 12 }, (_, j) => `    value = value + ${i * j}`),
      "    return value",
      "",
    ];
    const lines = Array.from({ length: 12 }, (_, i) => body(i)).flat();
    const { text, kind } = reduceObservation(lines.map(number).join("\n"), { maxTokens: 420 });
    expect(kind).toBe("source");
    for (let i = 0; i < 12; i++) expect(text).toContain(`def function_${i}(value):`);
  });

  it("encoded data: little more than its size", () => {
    const bytes = (i: number) => Uint8Array.from({ length: 57 }, (_, j) => (i * 7919 + j * j * 31) % 256);
    const source = rows(400, (i) => Buffer.from(bytes(i)).toString("base64"));
    const { text, kind, tokensAfter } = reduceObservation(source, { maxTokens: 2_000 });
    expect(kind).toBe("binary");
    expect(text).toContain(`${source.length} chars`);
    expect(tokensAfter).toBeLessThan(150);
  });

  it("bytes: shown without control characters", () => {
    const { text, kind } = reduceObservation("\u0000\u0001PNG\u0003\ufffd\u0002".repeat(4_000), { maxTokens: 400 });
    expect(kind).toBe("binary");
    expect(text).toContain("··PNG·");
  });

  it("bytes: says how many there were, whatever of them a terminal would not show", () => {
    const source = "\u0000\u0001PNG\u001b[31m\u0003\ufffd\r\u0002".repeat(2_000).slice(0, 20_000);
    const { text, kind } = reduceObservation(source, { maxTokens: 300 });
    expect(kind).toBe("binary");
    expect(text).toContain("binary or encoded data, 20000 chars]");
    const [before, after] = text.slice(text.indexOf("\n") + 1).split(/ \.\.\. \(\d+ chars omitted\) \.\.\. /);
    expect(text).toContain(`(${20_000 - before!.length - after!.length} chars omitted)`);
  });

  it("encoded data: counts the ends of its lines as they were", () => {
    const bytes = (i: number) => Uint8Array.from({ length: 57 }, (_, j) => (i * 7919 + j * j * 31) % 256);
    const source = rows(400, (i) => `${Buffer.from(bytes(i)).toString("base64")}\r`);
    expect(reduceObservation(source, { maxTokens: 300 }).text).toContain(`data, ${source.length} chars]`);
  });
});
