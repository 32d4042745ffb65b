import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join("\n");

const pod = (name: string, rest: string) => `${name.padEnd(24)}${rest}`;
const PODS = `${pod("NAME", "READY   STATUS             RESTARTS   AGE")}\n${rows(300, (i) =>
  i === 147
    ? pod(`web-7d9f8b-${i}`, "0/1     CrashLoopBackOff   41         3h")
    : pod(`web-7d9f8b-${i}`, `1/1     Running            0          ${(i % 9) + 1}d`),
)}`;
const STATES = `id,name,state\n${rows(300, (i) => `${i},user ${i},${i === 171 ? "degraded" : "healthy"}`)}`;
const AMOUNTS = `id,name,amount\n${rows(300, (i) => `${i},user ${i},${i === 171 ? -99_999 : (i * 7) % 50}`)}`;
const PROCESSES = `USER         PID %CPU %MEM TTY      STAT START   TIME COMMAND\n${rows(200, (i) =>
  i === 120
    ? "app         1120 99.8  0.1 ?        R    10:00   9:59 node runaway.js"
    : `app         ${1000 + i}  0.${i % 4}  0.1 ?        S    10:00   0:0${i % 6} node worker${i}.js`,
)}`;
const FILES = `total 900\n${rows(300, (i) => `-rw-r--r-- 1 root root ${i === 99 ? "1.2G" : `${900 + ((i * 313) % 70)}K`} Nov 15 09:24 part ${i}.ts`)}`;
const DISKS = `Filesystem     1K-blocks     Used Available Use% Mounted on\n${rows(100, (i) =>
  i === 71
    ? "/dev/sd71         102400 102300         100 100% /mnt/vol71"
    : `/dev/sd${i}         102400 ${20_000 + ((i * 7919) % 900)}     80000  2${i % 9}% /mnt/vol${i}`,
)}`;

/** Lines of the largest gap. */
const largestGap = (text: string) =>
  Math.max(...[...text.matchAll(/\((\d+) lines? omitted/g)].map(([, count]) => Number(count)));

describe("a table", () => {
  it.each([
    ["a state, a count and a number of restarts of pods", PODS, /^web-7d9f8b-147 +0\/1 +CrashLoopBackOff +41/m],
    ["a word in a column of words", STATES, /^171,user 171,degraded$/m],
    ["a number below all others", AMOUNTS, /^171,user 171,-99999$/m],
    ["a share of the processor", PROCESSES, /^app +1120 99\.8 .* node runaway\.js$/m],
    ["the use of disks", DISKS, /102300 +100 100% \/mnt\/vol71$/m],
    ["a size with its unit", FILES, /1\.2G Nov 15 09:24 part 99\.ts$/m],
  ])("shows the one row that differs in %s", (_, source, expected) => {
    for (const maxTokens of [250, 500, 1_024, 2_048]) {
      const { text, kind } = reduceObservation(source, { maxTokens });
      expect(kind).toBe("table");
      expect(text).toMatch(expected);
    }
  });

  it("shows the rarest of many odd rows, and leaves room for the others", () => {
    const state = (i: number) => (i === 611 ? "dead" : i % 40 === 7 ? "slow" : "fine");
    const source = `id,name,state\n${rows(1_000, (i) => `${i},user ${i},${state(i)}`)}`;
    const { text } = reduceObservation(source, { maxTokens: 400 });
    expect(text).toContain("611,user 611,dead");
    const shown = (word: string) => text.split(`,${word}\n`).length - 1;
    expect(shown("slow")).toBeGreaterThan(1);
    expect(shown("slow")).toBeLessThan(shown("fine"));
  });

  it("finds the one row without a number in a column of numbers", () => {
    const source = `t,host,ms\n${rows(2_000, (i) => `${i},h${i},${i === 1_234 ? "pending" : (i * 7919) % 1_009}`)}`;
    expect(reduceObservation(source, { maxTokens: 250 }).text).toContain("1234,h1234,pending");
  });

  it("does not take a delimiter in quotes for the end of a cell", () => {
    const source = `id,name,state\n${rows(400, (i) => `${i},"Doe, Jo ${i}",${i === 222 ? "lost" : "found"}`)}`;
    expect(reduceObservation(source, { maxTokens: 250 }).text).toContain('222,"Doe, Jo 222",lost');
  });

  it("spreads the rows that fit over the whole, and uses its room", () => {
    for (const maxTokens of [500, 1_024, 2_048]) {
      const { text, tokensAfter } = reduceObservation(PODS, { maxTokens });
      expect(largestGap(text)).toBeLessThan(40_000 / maxTokens);
      expect(tokensAfter).toBeGreaterThan(maxTokens * 0.9);
    }
  });

  it("shows rows at even distances where none is odd", () => {
    const source = `id,name,sum\n${rows(600, (i) => `${i * 3},user ${i},${(i * 7919) % 1_009}`)}`;
    const { text } = reduceObservation(source, { maxTokens: 500 });
    const gaps = [...text.matchAll(/\((\d+) lines omitted/g)].map(([, count]) => Number(count));
    expect(gaps.length).toBeGreaterThan(5);
    expect(Math.max(...gaps)).toBeLessThan(1.5 * Math.min(...gaps));
  });

  it.each([
    ["statements", (cells: string) => `INSERT INTO "user" VALUES(${cells});`],
    ["statements with columns", (cells: string) => `INSERT INTO user (id, name, sum) VALUES (${cells});`],
    ["rows of one statement", (cells: string) => `(${cells}),`],
  ])("finds the odd row in a dump of a database, of %s", (_, form) => {
    const row = (i: number) => form(`${i},'Doe, Jo ${i}',${i === 177 ? -99_999 : i * 1.5}`);
    const source = `BEGIN TRANSACTION;\nCREATE TABLE user(id integer, name text, sum real);\n${rows(400, row)}\nCOMMIT;`;
    for (const maxTokens of [300, 600]) {
      const { text, kind } = reduceObservation(source, { maxTokens });
      expect(kind).toBe("table");
      expect(text).toContain(row(177));
      expect(text).toContain("CREATE TABLE user");
      expect(text.endsWith("COMMIT;")).toBe(true);
    }
  });
});
