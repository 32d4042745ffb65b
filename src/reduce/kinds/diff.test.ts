import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join("\n");
const FILES = 12;
const oneChange = (i: number) => `diff --git a/src/module${i}/service${i}.ts b/src/module${i}/service${i}.ts
index 050c75${i}..370d13${i} 100644
--- a/src/module${i}/service${i}.ts
+++ b/src/module${i}/service${i}.ts
@@ -${10 + i},9 +${10 + i},9 @@ export class Service${i} {
   private readonly cache${i} = new Map<string, number>();
   constructor(private readonly store: Store) {}
   async load(key: string): Promise<number> {
     const known = this.cache${i}.get(key);
-    const timeout${i} = 1000;
+    const timeout${i} = 5000;
     if (known !== undefined) return known;
     const value = await this.store.read(key);
     this.cache${i}.set(key, value);
     return value;`;
const timeouts = (text: string, sign: string) =>
  [...text.matchAll(new RegExp(`(?:^|: )(?:@\\d+ )?\\${sign} {4}const timeout(\\d+) =`, "gm"))].map(([, number]) =>
    Number(number),
  );

describe("a diff", () => {
  const source = rows(FILES, oneChange);

  it("shows every change before the lines that repeat a file's name", () => {
    const { text, kind } = reduceObservation(source, { maxTokens: 1_024 });
    expect(kind).toBe("diff");
    for (let i = 0; i < FILES; i++)
      expect(text).toContain(`-    const timeout${i} = 1000;\n+    const timeout${i} = 5000;`);
  });

  it("names every file first where not all changes fit", () => {
    const { text, linesOmitted } = reduceObservation(source, { maxTokens: 250 });
    for (let i = 0; i < FILES; i++)
      expect(text).toMatch(new RegExp(`^${1 + 15 * i}: src/module${i}/service${i}\\.ts$`, "m"));
    expect(timeouts(text, "-").length).toBeGreaterThan(2);
    expect(linesOmitted).toBe(15 * FILES - (text.split("\n").length - 1));
  });

  it("shows no old line without the new one, at any budget", () => {
    for (let maxTokens = 130; maxTokens < 1_100; maxTokens += 7) {
      const { text } = reduceObservation(source, { maxTokens });
      expect(timeouts(text, "+"), `at ${maxTokens}`).toEqual(timeouts(text, "-"));
    }
  });

  it("pairs the lines of a longer change in their order", () => {
    const block = `${rows(30, (i) => `-old line ${i} of the block`)}\n${rows(30, (i) => `+new line ${i} of the block`)}`;
    const { text } = reduceObservation(`--- a/x.sql\n+++ b/x.sql\n@@ -1,30 +1,30 @@\n${block}`, { maxTokens: 200 });
    const numbers = (sign: string) =>
      [...text.matchAll(new RegExp(`\\${sign}\\w+ line (\\d+)`, "g"))].map(([, n]) => n);
    expect(numbers("-").length).toBeGreaterThan(2);
    expect(numbers("+")).toEqual(numbers("-"));
  });

  it("takes a removed comment for a change, not for the name of a file", () => {
    const context = rows(60, (i) => ` select column_${i} from table_${i};`);
    const text = `diff --git a/x.sql b/x.sql\n--- a/x.sql\n+++ b/x.sql\n@@ -1,99 +1,98 @@\n${context}\n--- an old comment\n${context}`;
    expect(reduceObservation(text, { maxTokens: 160 }).text).toContain("--- an old comment");
  });
});
