import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join("\n");
/** Hashes without order, each its own. */
const hash = (index: number) =>
  ((index * 2_654_435_761 + 0xa5) % 2 ** 32).toString(16).padStart(8, "0").padEnd(40, "0f1e2d");
const WORDS = "parser cache store window budget entry reader writer index vector".split(" ");
const word = (index: number) => WORDS[index % WORDS.length]!;
const subject = (i: number) =>
  `Fix ${word(i)} of the ${word(Math.floor(i / 10))} ${word(Math.floor(i / 100) + 3)} in case ${i}`;

describe("the history of a repository", () => {
  const date = (i: number) => `Mon Jan ${1 + (i % 28)} 10:00:00 2026 +0100`;
  const commit = (i: number) => `commit ${hash(i)}
Author: Jane Doe <jane@example.com>
Date:   ${date(i)}

    Fix handling of case ${i} in the parser

    A longer word on case ${i}.
`;

  it("shows hash and subject of each commit on one line, the newest first, and the oldest", () => {
    const { text, kind } = reduceObservation(rows(120, commit), { maxTokens: 512 });
    expect(kind).toBe("git-log");
    const [head, ...shown] = text.split("\n");
    expect(head).toBe("[Data Truncated: git log, 959 lines, 120 commits, line: commit and subject]");
    expect(shown.length).toBeGreaterThan(8);
    shown.slice(0, -1).forEach((row, i) => {
      expect(row).toBe(`${1 + 8 * i}: ${hash(i)} Fix handling of case ${i} in the parser`);
    });
    expect(shown.at(-1)).toBe(`953: ${hash(119)} Fix handling of case 119 in the parser`);
  });

  it("shows short hashes as git wrote them", () => {
    const source = rows(300, (i) => `${hash(i).slice(0, 9)} ${subject(i)}`);
    const { text, kind } = reduceObservation(source, { maxTokens: 300 });
    expect(kind).toBe("git-log");
    for (const i of [0, 1, 2, 3, 4, 5, 299]) expect(text).toContain(`${i + 1}: ${hash(i).slice(0, 9)} ${subject(i)}`);
  });

  it("shows the commits of a graph", () => {
    const merge = (i: number) => `*   ${hash(i).slice(0, 8)} Merge the ${word(i)} of ${subject(i)}\n|\\`;
    const side = (i: number) => `| * ${hash(i).slice(0, 8)} ${subject(i)}\n|/`;
    const { text, kind } = reduceObservation(
      rows(200, (i) => (i % 2 ? side(i) : merge(i))),
      { maxTokens: 300 },
    );
    expect(kind).toBe("git-log");
    expect(text).toContain("400 lines, 200 commits");
    expect(text).toContain(`\n3: | * ${hash(1).slice(0, 8)} ${subject(1)}\n`);
  });

  it("counts no line of a message that begins like a hash", () => {
    const source = rows(
      50,
      (i) => `${commit(i)}\n    20240101 baseline slow\n    * commit ${hash(i).slice(0, 9)} is the cause\n`,
    );
    expect(reduceObservation(source, { maxTokens: 300 }).text).toContain(" 50 commits,");
  });

  it.each([
    [
      "fuller",
      (i: number) =>
        `commit ${hash(i)}\nAuthor:     Jane Doe <j@x.org>\nAuthorDate: ${date(i)}\nCommit:     Jane Doe <j@x.org>\nCommitDate: ${date(i)}\n\n    ${subject(i)}\n`,
    ],
    [
      "graph",
      (i: number) =>
        `${i % 2 ? "| *" : "* |"} commit ${hash(i)}\n| | Author: Jane Doe <j@x.org>\n| | Date:   ${date(i)}\n| |\n| |     ${subject(i)}\n| |`,
    ],
  ])("knows the format %s", (_, form) => {
    const { text, kind } = reduceObservation(rows(120, form), { maxTokens: 300 });
    expect(kind).toBe("git-log");
    expect(text).toContain(" 120 commits,");
    expect(text).toContain(`\n1: ${hash(0)} ${subject(0)}\n`);
  });
});

describe("lines that open with a hexadecimal word are no history", () => {
  const id = (i: number) => hash(i).slice(0, 8);
  const odd = (i: number) => i === 217;
  const served = (i: number) => `request ${word(i)} served in ${i % 50}ms`;
  const lost = "database connection lost: pool exhausted";
  const CASES: Readonly<Record<string, (index: number) => string>> = {
    "a log with ids and times": (i) => `${id(i)} 2024-03-05 10:00:00 ${odd(i) ? `ERROR ${lost}` : `INFO ${served(i)}`}`,
    "a log with ids and levels": (i) => `${id(i)} ${odd(i) ? `ERROR ${lost}` : `INFO ${served(i)}`}`,
    "a log with ids alone": (i) => `${id(i)} ${odd(i) ? `ERROR ${lost}` : served(i)}`,
    "a log of many kinds with levels": (i) => `${id(i)} ${odd(i) ? `error ${lost}` : `info ${subject(i)}`}`,
    "a log of structured fields": (i) =>
      `${id(i)} msg="${odd(i) ? lost : subject(i)}" level=${odd(i) ? "error" : "info"}`,
  };

  it.each(Object.entries(CASES))("%s keeps its error", (_, line) => {
    for (const maxTokens of [128, 256, 1_024]) {
      const { text, kind } = reduceObservation(rows(400, line), { maxTokens });
      expect(kind).not.toBe("git-log");
      expect(text).toContain(lost);
    }
  });

  const address = (i: number, width: number) => (0x401000 + i * 176).toString(16).padStart(width, "0");
  const OTHERS: Readonly<Record<string, (index: number) => string>> = {
    "a list of numbers": (i) => `${1_000_000 + i} items were moved to shelf ${i}`,
    "a symbol table": (i) => `${address(i, 16)} T ${word(i)}_${i}`,
    "a short symbol table by name": (i) => `${id(i)} T ${word(i)}::${word(i + 3)}_${i}(int, char)`,
    "a sorted symbol table": (i) => `${address(i, 8)} ${subject(i)}`,
    "a dump": (i) =>
      `${(i * 16).toString(16).padStart(7, "0")} ${rows(8, (j) => hash(i * 8 + j).slice(0, 4)).replaceAll("\n", " ")}`,
    "a dump of a program": (i) => `${id(i)} ${rows(8, (j) => hash(i * 8 + j).slice(0, 4)).replaceAll("\n", " ")}`,
    "blame with dates": (i) => `${id(i)} (Bob 2024-01-27 10:00:00 +0100 ${i + 1}) ${subject(i)}`,
    "blame with ages": (i) => `${id(i)} src/a.ts (Bob ${i % 9} months ago ${i + 1}) ${subject(i)}`,
    "lines with an id again and again": (i) => `${id(i % 40)} ${subject(i)}`,
    references: (i) => `${hash(i)} refs/heads/${word(i)}-${i}`,
    columns: (i) => `${id(i)}${hash(i).slice(4, 8)} ${word(i)}:${i}   "bash ${word(i)}"   ${i} seconds ago   Up`,
  };

  it.each(Object.entries(OTHERS))("%s", (_, line) => {
    expect(reduceObservation(rows(400, line), { maxTokens: 300 }).kind).not.toBe("git-log");
  });
});
