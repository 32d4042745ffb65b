import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const stamp = (index: number) =>
  `2024-05-01 12:${String(Math.floor(index / 60) % 60).padStart(2, "0")}:${String(index % 60).padStart(2, "0")},017`;
const MESSAGES = [
  "Accepted connection from 10.0.0.7",
  "Served page in 12 ms",
  "Cache holds 99 entries",
  "Wrote checkpoint 4711 to disk",
  "Rotated key 0xdeadbeef",
  "Queue drained after 3 retries",
] as const;
const log = (count: number, odd: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, i) => {
    const message = MESSAGES[(i * i) % MESSAGES.length]!.replace(/\d+(?= |$)/, String(i));
    return odd[i] ?? `${stamp(i)} INFO  [worker-${i % 7}] ${message}`;
  }).join("\n");
const words = (text: string) => text.replace(/\d+/g, "#");

describe("a log", () => {
  it("shows each kind of line once, with its number and count, in order", () => {
    const { text, kind } = reduceObservation(log(3_000), { maxTokens: 256 });
    expect(kind).toBe("log");
    expect(text.split("\n")[0]).toMatch(
      /^\[Data Truncated: log, 3000 lines, \d kinds, line ×count: text without prefix\]$/,
    );
    const rows = text
      .split("\n")
      .slice(1)
      .map((row) => /^(\d+)(?: ×(\d+))?: (.*)$/.exec(row)!);
    const numbers = rows.map((row) => Number(row[1]));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const shown = new Set(rows.map((row) => words(row[3]!)));
    for (const message of new Set(
      log(3_000)
        .split("\n")
        .map((line) => words(line.slice(line.indexOf("] ") + 2))),
    )) {
      expect(shown).toContain(message);
    }
  });

  it("says how many lines a row stands for", () => {
    const { text } = reduceObservation(log(600, { 300: `${stamp(300)} INFO  [worker-1] Something rare` }), {
      maxTokens: 200,
    });
    expect(text).toMatch(/^301: .*Something rare$/m);
    const total = [...text.matchAll(/ ×(\d+): /g)].reduce((sum, [, count]) => sum + Number(count), 0);
    expect(total).toBe(599);
  });

  it("prefers an error to a plain line of the same length, and names its level", () => {
    const odd: Record<number, string> = { 500: `${stamp(500)} ERROR [worker-3] disk quota of volume alpha is used up` };
    for (let i = 0; i < 26; i++) {
      const letter = String.fromCharCode(97 + i).repeat(5);
      odd[600 + i] = `${stamp(600 + i)} INFO  [worker-2] ${letter} moved on to volume ${letter} as was planned`;
    }
    const { text } = reduceObservation(log(2_000, odd), { maxTokens: 200 });
    expect(text).toMatch(/^501: .*ERROR \[worker-3\] disk quota of volume alpha is used up$/m);
  });

  it("shows the first and the last line whole where there is room", () => {
    const source = log(2_000);
    const rows = reduceObservation(source, { maxTokens: 600 }).text.split("\n");
    expect(rows[1]!.replace(/ ×\d+/, "")).toBe(`1: ${source.split("\n")[0]}`);
    expect(rows[1]).toMatch(/^1 ×\d+: /);
    expect(rows.at(-1)!.replace(/ ×\d+/, "")).toBe(`2000: ${source.split("\n").at(-1)}`);
  });

  it("says from when to when it goes, with the day once where it is the same", () => {
    const head = (source: string) => reduceObservation(source, { maxTokens: 400 }).text.split("\n")[0];
    expect(head(log(2_000))).toContain(", 2024-05-01 12:00:00,017 to 12:33:19,017, line");
    expect(head(log(2_000).replace(/05-01(?=[^\n]*$)/, "05-02"))).toContain(
      ", 2024-05-01 12:00:00,017 to 2024-05-02 12:33:19,017, line",
    );
  });

  it("shows both ends whole where they are of one kind", () => {
    const source = Array.from({ length: 900 }, (_, i) => `${stamp(i)} INFO  [worker-1] Served page in ${i} ms`);
    const rows = reduceObservation(source.join("\n"), { maxTokens: 400 }).text.split("\n");
    expect(rows[1]).toBe(`1: ${source[0]}`);
    expect(rows.at(-1)).toBe(`900 ×900: ${source.at(-1)}`);
  });

  it("keeps a message whole where a line lacks part of the prefix", () => {
    const { text } = reduceObservation(log(900, { 450: "continuation without any prefix" }), { maxTokens: 256 });
    expect(text).toContain("451: continuation without any prefix");
  });

  it("leaves out the values of a kind where room is scarce, and shows those of one line where it is not", () => {
    const kinds = "accepted closed denied dropped flushed limited opened paused queued resumed routed shaped".split(
      " ",
    );
    const line = (i: number) =>
      `${stamp(i)} INFO  [net] ${kinds[i % kinds.length]} link 10.0.${i % 9}.77:40${i % 90} after 0.5 s`;
    const source = Array.from({ length: 600 }, (_, i) => line(i)).join("\n");
    const scarce = reduceObservation(source, { maxTokens: 220 }).text;
    const roomy = reduceObservation(source, { maxTokens: 1024 }).text;
    for (const kind of kinds) {
      expect(scarce).toMatch(new RegExp(` ×50: ${kind} link …:40\\d+ after 0\\.5 s$`, "m"));
      expect(roomy).toMatch(new RegExp(` ×50: .*${kind} link 10\\.0\\.\\d\\.77:`));
    }
  });

  it("leaves out the rest of long ids", () => {
    const ids = Array.from(
      { length: 400 },
      (_, i) => `${stamp(i)} INFO req 38101a0b-2096-447d-96ea-${String(i).padStart(12, "0")} done`,
    );
    expect(reduceObservation(ids.join("\n"), { maxTokens: 100 }).text).toContain("req 3810… done");
  });

  it("is also known by JSON on every line", () => {
    const entry = (i: number) =>
      `{"level":"${i === 77 ? "error" : "info"}","msg":"${i % 2 ? "cache miss" : "page served"}","ms":${i}}`;
    const { text, kind } = reduceObservation(Array.from({ length: 900 }, (_, i) => entry(i)).join("\n"), {
      maxTokens: 160,
    });
    expect(kind).toBe("json-lines");
    expect(text).toContain('78: {"level":"error","msg":"cache miss","ms":77}');
    expect(text).toMatch(/×\d+: \{"level":"info","msg":"page served"/);
  });
});

describe("lines that differ in one plain word", () => {
  const NAMES = "amber birch cedar dune ember fjord grove heath inlet knoll".split(" ");
  const names = NAMES.flatMap((name) => NAMES.map((other) => name + other));
  const reduced = (line: (index: number) => string, maxTokens = 200) =>
    reduceObservation(Array.from({ length: 900 }, (_, i) => `${stamp(i)} ${line(i)}`).join("\n"), { maxTokens }).text;

  it("are of one kind where the word has many values, and the word gives way first", () => {
    const users = (i: number) => `sshd[${i}]: Invalid user ${names[i % names.length]} from 10.0.0.${i % 250}`;
    expect(reduced(users)).toMatch(/900 lines, 1 kind,.*\n(?:.*\n)*\d+ ×900: .*Invalid user /);
    const others = (i: number) =>
      `sshd[${i}]: ${"Closing Opening Sending Waiting".split(" ")[i % 4]} channel ${i} as planned by the client`;
    expect(reduced((i) => (i % 5 ? others(i) : users(i)), 80)).toContain(" ×180: Invalid user … from …\n");
  });

  it("are of one kind though two words have many values", () => {
    const line = (i: number) => `cron[7]: job ${names[i % 30]} of tenant ${names[Math.floor(i / 30)]} is done for now`;
    expect(reduced(line)).toContain("900 lines, 1 kind,");
  });

  it("are of one kind where a path or a dotted name tells them apart", () => {
    const paths = ["/srv/app/main", "/srv/app/tasks/nightly", "/opt/tools/run"];
    expect(reduced((i) => `loader: cannot load library ${paths[i % 3]} now`)).toContain("900 lines, 1 kind,");
  });

  it("are of several kinds where the word is one of few, or says most of the line", () => {
    expect(reduced((i) => `manager: service ${["started", "stopped", "paused"][i % 3]} by operator`)).toContain(
      "3 kinds",
    );
    expect(reduced((i) => `manager: ${NAMES[i % 10]} link of the port by operator`)).toContain("10 kinds");
    expect(reduced((i) => `manager: ${names[i % 90]} ${i}`)).toContain("90 kinds");
  });
});
