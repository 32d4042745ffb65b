import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join("\n");
const hash = (index: number) => `3b9a${(index + 4_096).toString(16)}`.padEnd(40, "0f1e2d");

describe("the history of a repository", () => {
  const commit = (i: number) => `commit ${hash(i)}
Author: Jane Doe <jane@example.com>
Date:   Mon Jan ${1 + (i % 28)} 10:00:00 2026 +0100

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
    const source = rows(300, (i) => `${hash(i).slice(0, 9)} Fix typo in module ${i}`);
    const { text, kind } = reduceObservation(source, { maxTokens: 300 });
    expect(kind).toBe("git-log");
    for (const i of [0, 1, 2, 3, 4, 5, 299])
      expect(text).toContain(`${i + 1}: ${hash(i).slice(0, 9)} Fix typo in module ${i}`);
  });

  it("is not a list of numbers and words", () => {
    const source = rows(300, (i) => `${1_000_000 + i} items were moved to shelf ${i}`);
    expect(reduceObservation(source, { maxTokens: 300 }).kind).not.toBe("git-log");
  });
});
