import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join("\n");
const long = (mode: string, name: string) => `${mode} 1 root root 4096 Nov 15 09:24 ${name}`;

const SHORT = `.:\n${rows(40, (i) => `dir${i}`)}\n\n${rows(40, (d) => `./dir${d}:\n${rows(30, (i) => `file${d}_${i}.ts`)}\n`)}`;
const LONG = `.:\ntotal 160\n${rows(40, (i) => long("drwxr-xr-x", `dir${i}`))}\n\n${rows(
  40,
  (d) =>
    `./dir${d}:\ntotal 120\n${long("drwxr-xr-x", ".")}\n${long("drwxr-xr-x", "..")}\n${rows(30, (i) => long("-rw-r--r--", `file${d}_${i}.ts`))}\n`,
)}`;

describe("a listing of directories within directories", () => {
  it.each([
    ["ls -R", SHORT, (d: number) => 43 + 32 * d],
    ["ls -laR", LONG, (d: number) => 44 + 35 * d],
  ])("of %s names every directory, with its entries counted and the first named", (_, source, line) => {
    const { text, kind, tokensAfter } = reduceObservation(source, { maxTokens: 1_024 });
    expect(kind).toBe("listing");
    expect(text).toContain("\n1 ×40: .: dir0, dir1, ");
    for (let d = 0; d < 40; d++) expect(text).toContain(`\n${line(d)} ×30: ./dir${d}: file${d}_0.ts, file${d}_1.ts, `);
    expect(tokensAfter).toBeGreaterThan(1_000);
  });

  it("gives up names of entries before it gives up a directory", () => {
    const { text } = reduceObservation(SHORT, { maxTokens: 400 });
    for (let d = 0; d < 40; d++) expect(text).toContain(`×30: ./dir${d}:`);
  });

  it("gives what a small directory does not need to a large one", () => {
    const source = `.:\nlarge\nsmall\n\n./large:\n${rows(600, (i) => `file${i}.ts`)}\n\n./small:\nonly.ts\n`;
    const { text, tokensAfter, linesOmitted } = reduceObservation(source, { maxTokens: 300 });
    expect(text).toMatch(/^5 ×600: \.\/large: file0\.ts, .*file30\.ts, .*, …$/m);
    expect(text).toMatch(/^607: \.\/small: only\.ts$/m);
    expect(tokensAfter).toBeGreaterThan(280);
    expect(linesOmitted).toBeGreaterThan(500);
  });

  it("keeps what ls says of itself, and does not count it as an entry", () => {
    const denied = (d: number) => `ls: cannot open directory './dir${d}': Permission denied`;
    const source = `${denied(50)}\n${SHORT.replace("./dir7:\n", `./dir7:\n${denied(51)}\n`)}\nCommand exited with code 2`;
    for (const maxTokens of [200, 1_024]) {
      const { text } = reduceObservation(source, { maxTokens });
      expect(text).toContain(`\n1 ×2: ${denied(50)}\n2 ×40: .:`);
      expect(text).toContain("\n44 ×30: ./dir0:");
      expect(text).toMatch(/\n\d+: Command exited with code 2$/);
    }
    expect(reduceObservation(source, { maxTokens: 1_024 }).text).toContain("\n268 ×30: ./dir7: file7_0.ts");
  });

  it("keeps shallow and crowded directories where not all fit", () => {
    const source = `.:\ncore\n\n./core:\n${rows(300, (i) => `file${i}.ts`)}\n\n${rows(900, (d) => `./core/a/b${d}:\nx.ts\n`)}`;
    const { text, tokensAfter } = reduceObservation(source, { maxTokens: 200 });
    expect(text).toContain("4 ×300: ./core:");
    expect(text).toContain("902 directories");
    expect(tokensAfter).toBeGreaterThan(180);
  });

  it.each([
    ["keys with lists", rows(90, (i) => `path/to${i}:\n- a\n- b/c\n- d\n`)],
    ["keys with values", rows(90, (i) => `service/${i}:\n  image: a/b:${i}\n  ports: 80\n`)],
    ["functions", rows(90, (i) => `src/a${i}.ts:\nfunction f() {\n  return ${i};\n}\n`)],
  ])("is told from %s", (_, source) => {
    expect(reduceObservation(source, { maxTokens: 200 }).kind).not.toBe("listing");
  });
});
