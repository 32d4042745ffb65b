import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const COUNT = 900;
const ODD = 611;
const PATHS = ["/", "/api/users", "/api/orders"];
const WORDS = "amber birch cedar dune ember fjord grove heath inlet knoll".split(" ");
const word = (index: number) => WORDS[Math.floor(index) % WORDS.length]!;
const rows = (row: (index: number) => string) => Array.from({ length: COUNT }, (_, i) => row(i)).join("\n");

/** Lines of which one has a number that is unlike that of all others. */
const CASES: Readonly<Record<string, readonly [odd: string, line: (index: number, isOdd: boolean) => string]>> = {
  "a state in an access log": [
    '" 500 ',
    (i, odd) =>
      `10.0.0.${i % 250} - - [10/Oct/2024:13:55:01 +0000] "GET ${PATHS[i % 3]} HTTP/1.1" ${odd ? 500 : 200} ${i}`,
  ],
  "a state where hardly two lines are of one kind": [
    '" 500 ',
    (i, odd) =>
      `10.0.0.9 - - [10/Oct/2024:13:55:01 +0000] "GET /${word(i)}/${word(i * 7 + i / 10)}/${word(i / 90)} HTTP/1.1" ${odd ? 500 : 200} ${(i * 37) % 9001} "-" "${word(i * 3 + i / 40)}"`,
  ],
  "an exit code": ["code 137", (i, odd) => `2024-01-01T00:00:00Z INFO job ${i} exited with code ${odd ? 137 : 0}`],
  "a state behind its name": [
    "status=503",
    (i, odd) => `2024-01-01T00:00:00Z INFO request path=${PATHS[i % 3]} status=${odd ? 503 : 200} dur=${i % 77}ms`,
  ],
  "a state with no time": [" 500 ", (i, odd) => `GET ${PATHS[i % 3]} ${odd ? 500 : 200} ${i % 90}ms`],
  "a state in JSON": [
    '"status":500',
    (i, odd) => JSON.stringify({ ts: 1_700_000_000 + i, path: PATHS[i % 3], status: odd ? 500 : 200, ms: i % 80 }),
  ],
  "an amount in JSON": ["-9999999", (i, odd) => JSON.stringify({ id: i, amount: odd ? -9999999 : (i * 7) % 50 })],
  "a time that something took": [
    "time=9801",
    (i, odd) => `64 bytes from 1.1.1.1: icmp_seq=${i} ttl=56 time=${odd ? "9801" : `11.${i % 10}`} ms`,
  ],
  "a number far behind": [
    "rc=137",
    (i, odd) => `2024-01-01 10:00:00 INFO ${i} ${"the same long words in each line ".repeat(8)}rc=${odd ? 137 : 0}`,
  ],
};

describe("a log in which one number is unlike all others", () => {
  it.each(Object.entries(CASES))("shows %s, on its line, at any budget", (_, [odd, line]) => {
    const source = rows((i) => line(i, i === ODD));
    for (const maxTokens of [256, 512, 1024, 2048]) {
      const { text, tokensAfter } = reduceObservation(source, { maxTokens });
      expect(text.split("\n").find((row) => row.includes(odd))).toMatch(new RegExp(`^${ODD + 1}: `));
      expect(tokensAfter).toBeLessThanOrEqual(maxTokens);
    }
  });

  const exits = (codes: Readonly<Record<number, number>>) =>
    rows((i) => `2024-01-01T00:00:00Z INFO job ${1000 + i} exited with code ${codes[i] ?? 0}`);

  it("counts lines with the same odd number as one, and not among the others", () => {
    const { text } = reduceObservation(exits({ 100: 137, 200: 137, 300: 137 }), { maxTokens: 256 });
    expect(text).toMatch(/^101 ×3: .*code 137$/m);
    expect(text).toMatch(new RegExp(`^\\d+ ×${COUNT - 3}: .*code 0$`, "m"));
  });

  it("does not let the odd line stand for the others, though it is the shortest", () => {
    const source = rows((i) => `2024-01-01T00:00:00Z INFO job done, code ${i === ODD ? 7 : 10}`);
    const { text } = reduceObservation(source, { maxTokens: 256 });
    expect(text).toMatch(/ ×899: .*code 10$/m);
    expect(text).toMatch(new RegExp(`^${ODD + 1}: .*code 7$`, "m"));
  });

  it("takes neither ids, nor times, nor what grows for odd", () => {
    const source = rows(
      (i) =>
        `2024-01-01T0${Math.floor(i / 890)}:00:00Z INFO req ${(i * 7919) % 100_003} at 10:0${i % 7}:11 offset ${i}`,
    );
    const { text } = reduceObservation(source, { maxTokens: 256 });
    expect(text).toMatch(new RegExp(` ×${COUNT}: `));
  });
});

describe("a log that leaves room", () => {
  const pods = Array.from(
    { length: 200 },
    (_, i) =>
      `- kind: Pod\n  metadata:\n    name: pod-${i}\n  status:\n    phase: ${i === 120 ? "CrashLoopBackOff" : "Running"}`,
  ).join("\n");

  it("shows what stands around a line like no other", () => {
    const { text, kind } = reduceObservation(pods, { maxTokens: 512 });
    expect(kind).toBe("log");
    expect(text).toContain("603:     name: pod-120\n604:   status:\n605:     phase: CrashLoopBackOff");
  });

  it("fills the room with its last lines", () => {
    for (const maxTokens of [512, 1024, 2048]) {
      const { text, tokensAfter } = reduceObservation(pods, { maxTokens });
      expect(tokensAfter).toBeGreaterThan(maxTokens * 0.9);
      expect(text).toMatch(/998: {5}name: pod-199\n999: {3}status:\n1000 ×199: {5}phase: Running$/);
    }
  });

  it("gives the room to the rows that were cut where there are no more lines", () => {
    const line = (i: number) => `2024-01-01 10:00:0${i} INFO step ${word(i)} ${`${word(i + 1)} `.repeat(400)}end`;
    const source = [0, 1, 2, 3].map(line).join("\n");
    const { tokensAfter } = reduceObservation(source, { maxTokens: 1024 });
    expect(tokensAfter).toBeGreaterThan(900);
  });

  it("counts each of very many odd numbers right", () => {
    const took = (i: number) => (i % 40 === 3 ? 1_000_000 + i : i % 100 === 7 ? 5 : 0);
    const all = Array.from({ length: 40_000 }, (_, i) => `worker finished job took ${took(i % 20_000)}ms`);
    const { text } = reduceObservation(all.join("\n"), { maxTokens: 2048 });
    const shown = [...text.matchAll(/^(\d+)(?: ×(\d+))?: (.* 1\d{6}ms)$/gm)];
    expect(shown.length).toBeGreaterThan(8);
    for (const [, , count, line] of shown) expect([line, count]).toEqual([line, "2"]);
  });
});
