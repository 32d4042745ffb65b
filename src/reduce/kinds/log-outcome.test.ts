import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const COUNT = 300;
const ODD = 222;
const rows = (row: (index: number) => string) => Array.from({ length: COUNT }, (_, i) => row(i)).join("\n");
const clock = (index: number) =>
  `10:${String(Math.floor(index / 60) % 60).padStart(2, "0")}:${String(index % 60).padStart(2, "0")}`;
const date = (index: number) => `2024-03-05 ${clock(index)}`;
const WORDS = ["amber", "birch", "cedar", "dune"];
const word = (index: number) => WORDS[index % WORDS.length]!;
const time = (index: number) => `[${String(index).padStart(5)}.425909]`;

/** Lines that differ in one cell between the time and the message; the cell is `usual(index)` in all but one. */
const CASES: readonly {
  readonly odd: string;
  readonly usual: (index: number) => string;
  readonly line: (index: number, cell: string) => string;
}[] = [
  { odd: "[FAILED]", usual: () => "[OK]", line: (i, cell) => `${clock(i)} ${cell} deploy to host-${i} finished` },
  { odd: "[ROLLBACK]", usual: () => "[COMMIT]", line: (i, cell) => `${clock(i)} ${cell} tx ${i}` },
  { odd: "[DELETE]", usual: () => "[GET]", line: (i, cell) => `${date(i)} INFO ${cell} /users/${i} by admin` },
  {
    odd: "[tenant=acme-prod]",
    usual: () => "[tenant=test]",
    line: (i, cell) => `${date(i)} INFO ${cell} dropped table ${i}`,
  },
  { odd: "[shutdown-hook]", usual: (i) => `[worker-${i % 5}]`, line: (i, cell) => `${date(i)} ${cell} task ${i} done` },
  { odd: "[skipped]", usual: () => "[done]", line: (i, cell) => `[${clock(i)}] ${cell} test case ${i}` },
  { odd: "[rc=137]", usual: () => "[rc=0]", line: (i, cell) => `${date(i)} INFO ${cell} job ${i}` },
  { odd: "gone]", usual: () => "here]", line: (i, cell) => `[${date(i)} ${cell} node ${i} asked` },
  { odd: "✗", usual: () => "✓", line: (i, cell) => `${clock(i)} ${cell} check ${word(i)} ${i}` },
  { odd: "-", usual: () => "+", line: (i, cell) => `${clock(i)} ${cell} package lib-${i} 1.0` },
  { odd: "<-", usual: () => "->", line: (i, cell) => `${date(i)} ${cell} packet ${i} seq ${i}` },
  { odd: "!", usual: () => ".", line: (i, cell) => `${date(i)} | ${cell} | heartbeat from node ${i}` },
  { odd: "postgres:", usual: () => "nginx:", line: (i, cell) => `${date(i)} ${cell} restarted` },
  { odd: "sdb1:", usual: (i) => `sda${i % 4}:`, line: (i, cell) => `${time(i)} ${cell} reset high-speed bus` },
  { odd: "disk_full:", usual: () => "cpu:", line: (i, cell) => `${date(i)} ${cell} ${i % 100}%` },
  { odd: "shutdown:", usual: () => "timeout:", line: (i, cell) => `${clock(i)} ${cell} ${i}` },
  { odd: "(rollback):", usual: () => "(apply):", line: (i, cell) => `${date(i)} ${cell} migration ${i}` },
  { odd: "500", usual: () => "200", line: (i, cell) => `${date(i)} ${cell} GET /api/${word(i)} ${i % 90}ms` },
  { odd: "500", usual: (i) => (i % 7 ? "200" : "404"), line: (i, cell) => `${date(i)} ${cell} GET /x ${i % 90}ms` },
  { odd: "137", usual: () => "0", line: (i, cell) => `${date(i)} ${cell} job ${word(i)} done` },
  { odd: "-1", usual: () => "0", line: (i, cell) => `${date(i)} ${cell} rc of task` },
  {
    odd: "volume_gone",
    usual: () => "volume_here",
    line: (i, cell) => `${date(i)} node-${i} ${cell} [pool] disk ${i} read`,
  },
];

describe("a log whose prefix tells how something went", () => {
  it.each(CASES)("shows the one $odd", ({ odd, usual, line }) => {
    const source = rows((i) => line(i, i === ODD ? odd : usual(i)));
    const expected = line(ODD, odd);
    for (const maxTokens of [256, 1024]) {
      const { text, kind } = reduceObservation(source, { maxTokens });
      expect(kind).toBe("log");
      const row = text.split("\n").find((shown) => shown.startsWith(`${ODD + 1}: `));
      expect(row?.slice(row.indexOf(odd))).toBe(expected.slice(expected.indexOf(odd)));
      expect(text).not.toContain(` ×${COUNT}: `);
    }
  });

  it.each<[string, readonly string[], (index: number, cell: string) => string]>([
    ["outcomes", ["[PASS]", "[FAIL]"], (i, cell) => `${date(i)} ${cell} suite ${i}`],
    ["outcomes with the time", ["PASS]", "FAIL]"], (i, cell) => `[${clock(i)} ${cell} suite ${i}`],
    [
      "outcomes within a name",
      ["run_ok", "run_lost"],
      (i, cell) => `${date(i)} ${cell} [pool] suite ${cell.length} end`,
    ],
    ["services", ["nginx:", "web:", "cron:"], (i, cell) => `${date(i)} ${cell} restarted`],
    ["metrics", ["cpu:", "disk:", "net:"], (i, cell) => `${date(i)} ${cell} ${i % 100}%`],
    ["devices", ["eth0:", "usb:", "pci:", "ata1:"], (i, cell) => `${time(i)} ${cell} event ${i}`],
    ["containers", ["web-1", "db-1", "cache-1"], (i, cell) => `${cell}  | ${date(i)} ready ${i}`],
    ["states", ["200", "404", "500"], (i, cell) => `${date(i)} ${cell} GET /x ${i}ms`],
  ])("counts each apart: %s", (_, cells, line) => {
    const source = rows((i) => line(i, cells[i % cells.length]!));
    for (const maxTokens of [256, 1024]) {
      const shown = reduceObservation(source, { maxTokens }).text.split("\n");
      for (const cell of cells) {
        const counted = shown.filter((row) => row.includes(` ×${COUNT / cells.length}: `) && row.includes(cell));
        expect(counted).toHaveLength(1);
      }
    }
  });

  it("leaves out a name that tells nothing from the others", () => {
    const names = ["web", "cron", "mail"];
    const messages = ["page served", "job finished", "letter sent"];
    const source = rows((i) => `${date(i)} INFO ${names[i % 3]}: ${messages[i % 3]} after ${i} ms`);
    const { text } = reduceObservation(source, { maxTokens: 200 });
    for (const message of messages) expect(text).toMatch(new RegExp(`^\\d+ ×100: ${message}`, "m"));
  });

  it("finds the level behind a process id that is not the usual one", () => {
    const line = (i: number) => `${date(i)} ${i === ODD ? "77 ERROR shard is stuck" : `12 INFO job ${i} done`}`;
    const { text } = reduceObservation(rows(line), { maxTokens: 256 });
    expect(text).toContain(`${ODD + 1}: ${line(ODD)}`);
    expect(text).toContain(`1 ×${COUNT - 1}: job 0 done`);
  });

  it("does not take the day of the month for a state", () => {
    const source = rows((i) => `Jun  ${1 + (i % 9)} ${clock(i)} combo ${word(i)}[${i}]: session ${i} opened`);
    expect(reduceObservation(source, { maxTokens: 256 }).text).toContain(", 4 kinds, ");
  });
});

describe("a log that is known by one time between brackets", () => {
  const letters = (i: number) => "abcdefghijklmnopqrstuvwxyz"[i % 26]!.repeat(3);
  const plain = (i: number) => `${time(i)} usb 1-1: event ${word(i)} ${letters(i)}`;

  it("is a log though its lines have no other columns", () => {
    const { text, kind } = reduceObservation(rows(plain), { maxTokens: 256 });
    expect(kind).toBe("log");
    expect(text).toContain(": usb 1-1: event amber aaa");
  });

  it("shows the one line with a word of trouble before all others", () => {
    const error = `${time(ODD)} EXT4-fs error (device sda1) and a bad block in the middle of it`;
    const source = rows((i) => (i === ODD ? error : plain(i)));
    expect(reduceObservation(source, { maxTokens: 160 }).text).toContain(`${ODD + 1}: ${error}`);
  });
});
