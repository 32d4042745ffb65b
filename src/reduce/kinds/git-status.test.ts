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

  const OPENING = "On branch main\nChanges not staged for commit:\n\tmodified:   src/a.ts\n\n";
  const WORDS = "amber birch cedar dune ember fjord grove heath inlet knoll".split(" ");
  const varied = (i: number) => `${WORDS[i % 10]} ${WORDS[(i * 7 + Math.floor(i / 10)) % 10]} of ${WORDS[i % 7]} done`;
  const ERROR = "ERROR: cannot link libfoo: undefined symbol bar";

  it.each([128, 256, 512])("is no listing where another command printed more, at %i tokens", (maxTokens) => {
    const source = OPENING + rows(150, (i) => (i === 90 ? ERROR : varied(i)));
    const { text, kind } = reduceObservation(source, { maxTokens });
    expect(kind).not.toBe("listing");
    expect(text).toContain(ERROR);
  });

  it("is no listing where a file was printed, however it is indented", () => {
    const source = OPENING + rows(60, (i) => `func part${i}(a int) int {\n\tb := a * ${i}\n\treturn b + 1\n}`);
    expect(reduceObservation(source, { maxTokens: 256 }).kind).toBe("source");
  });

  it("keeps an error among many remarks", () => {
    const files = rows(600, (i) => `\tmodified:   src/part${i % 40}/file${i}.ts`);
    const remarks = rows(40, (i) => (i === 20 ? ERROR : `${varied(i)} ${WORDS[i % 3]}`));
    const { text, kind } = reduceObservation(`${OPENING}${files}\n${remarks}`, { maxTokens: 200 });
    expect(kind).toBe("listing");
    expect(text).toContain(ERROR);
  });

  it("is known while a rebase is under way, and keeps what is torn", () => {
    const opening =
      "interactive rebase in progress; onto 1a2b3c4\nLast command done (1 command done):\n   pick 5d6e7f8 Add parts\nNo commands remaining.";
    const source = `${opening}\n\nUnmerged paths:\n\tboth modified:   src/torn.ts\n\nChanges to be committed:\n${rows(150, (i) => `\tmodified:   src/part${i % 9}/file${i}.ts`)}\n`;
    const { text, kind } = reduceObservation(source, { maxTokens: 128 });
    expect(kind).toBe("listing");
    expect(text).toContain("both modified:   src/torn.ts");
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
