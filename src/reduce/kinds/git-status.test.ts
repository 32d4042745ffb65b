import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join("\n");

const LONG = `On branch main
Your branch is up to date with 'origin/main'.

Changes to be committed:
  (use "git restore --staged <file>..." to unstage)
${rows(12, (i) => `\tnew file:   new${i}.txt`)}

Changes not staged for commit:
  (use "git add/rm <file>..." to update what will be committed)
${rows(60, (i) => `\tmodified:   src/part${i % 4}/file${i}.ts`)}
\tdeleted:    src/part1/gone.ts

Untracked files:
  (use "git add <file>..." to include in what will be committed)
${rows(50, (i) => `\tscratch${i}.txt`)}

no changes added to commit`;

const SHORT = `## main...origin/main
${rows(60, (i) => ` M src/part${i % 4}/file${i}.ts`)}
 D src/part1/gone.ts
UU src/part2/torn.ts
${rows(50, (i) => `?? scratch${i}.txt`)}`;

describe("the output of git status", () => {
  it.each([200, 256, 400])("keeps its sections and the rare states at %i tokens", (maxTokens) => {
    const { text, kind } = reduceObservation(LONG, { maxTokens });
    expect(kind).toBe("listing");
    for (const kept of [
      "\n1: On branch main",
      "\n4: Changes to be committed:",
      "\n6 ×12: \tnew file:   new0.txt",
      "\n19: Changes not staged for commit:",
      "\n21 ×15: \tmodified:   src/part0/file0.ts",
      "\n81: \tdeleted:    src/part1/gone.ts",
      "\n83: Untracked files:",
      "\n85 ×50: \tscratch0.txt",
    ]) {
      expect(text).toContain(kept);
    }
    expect(text.endsWith("\n136: no changes added to commit")).toBe(true);
  });

  it("keeps the rare states in its short form", () => {
    const { text, kind } = reduceObservation(SHORT, { maxTokens: 180 });
    expect(kind).toBe("listing");
    for (const kept of [
      "1: ## main...",
      "2 ×15:  M src/part0/",
      "62:  D src/part1/gone.ts",
      "63: UU src/",
      "64 ×50: ??",
    ])
      expect(text).toContain(kept);
  });
});
