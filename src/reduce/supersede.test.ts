import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message, ToolOutput } from "../message/types.js";
import { findSuperseded } from "./supersede.js";

/** A step of an agent: a tool, its arguments, what came back. */
type Step = readonly [tool: string, input: unknown, output: string | ToolOutput];

const log = (...steps: Step[]): Message[] =>
  steps.flatMap(([toolName, input, output], at): Message[] => {
    const toolCallId = `c${at}`;
    const value: ToolOutput = typeof output === "string" ? { type: "text", value: output } : output;
    return [
      { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input }] },
      { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output: value }] },
    ];
  });

/** The stale steps, each with what makes it stale. */
const stale = (...steps: Step[]): string[] =>
  findSuperseded(log(...steps)).map(({ at, how, by }) => `${(at - 1) / 2}: ${how} in ${(by - 1) / 2}`);

const lines = (name: string, from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at}: the ${letters(from + at)} line of ${name}`).join(
    "\n",
  );
const letters = (number: number): string => [...String(number)].map((digit) => "abcdefghij"[Number(digit)]).join("");
const file = lines("config.ts", 1, 40);
const edit: Step = ["edit", { path: "config.ts", old_string: "a", new_string: "b" }, "The file was changed."];
const other: Step = ["edit", { path: "config.ts", old_string: "b", new_string: "c" }, "The file was changed."];

describe("a file that is read again", () => {
  it("makes the earlier read stale, under whatever name the tool goes", () => {
    const reads: Step[] = [
      ["Read", { file_path: "config.ts" }, file],
      ["read_file", { target_file: "./config.ts", should_read_entire_file: true }, file],
      ["str_replace_based_edit_tool", { command: "view", path: "config.ts" }, file],
      ["shell", { command: ["bash", "-lc", "cat config.ts"] }, file],
      ["exec_command", { cmd: "nl -ba config.ts", yield_time_ms: 1000 }, file],
    ];
    expect(stale(...reads)).toEqual(reads.slice(1).map((_, at) => `${at}: read again in ${at + 1}`));
  });

  it("covers a part that was read before, and not one of which it shows nothing", () => {
    const part: Step = ["read", { path: "config.ts", offset: 5, limit: 10 }, lines("config.ts", 5, 14)];
    const wider: Step = ["read", { path: "config.ts", start_line: 1, end_line: 20 }, lines("config.ts", 1, 20)];
    const later: Step = ["read", { path: "config.ts", view_range: [30, 40] }, lines("config.ts", 30, 40)];
    const printed: Step = ["bash", { command: "sed -n '3,25p' config.ts" }, lines("config.ts", 3, 25)];
    expect(stale(part, wider)).toEqual(["0: read again in 1"]);
    expect(stale(wider, part)).toEqual([]);
    expect(stale(part, later)).toEqual([]);
    expect(stale(part, ["read", { path: "config.ts" }, file])).toEqual(["0: read again in 1"]);
    expect(stale(part, printed)).toEqual(["0: read again in 1"]);
  });

  it("is not stale by a read of another file, another tool on the same path, or a search in it", () => {
    const read: Step = ["read", { path: "config.ts" }, file];
    expect(stale(read, ["read", { path: "other.ts" }, file])).toEqual([]);
    expect(stale(read, ["lint", { path: "config.ts" }, file])).toEqual([]);
    expect(stale(read, ["grep", { path: "config.ts", pattern: "line" }, file])).toEqual([]);
  });

  it("stays where the later call was refused, or only points back to it", () => {
    const read: Step = ["read", { path: "config.ts" }, file];
    const again = (output: string | ToolOutput): Step => ["read", { path: "config.ts" }, output];
    expect(stale(read, again({ type: "execution-denied" }))).toEqual([]);
    expect(stale(read, again("Error: no such file: config.ts"))).toEqual([]);
    expect(stale(read, again("File unchanged since the last read: see the earlier result."))).toEqual([]);
    expect(stale(read, again(lines("config.ts", 200, 240)))).toEqual([]);
  });
});

describe("a file that is changed", () => {
  const read: Step = ["read", { path: "config.ts" }, file];

  const anew: Step = ["read", { path: "config.ts" }, "10: all is new here, every word of it"];
  const part: Step = ["read", { path: "config.ts", offset: 10, limit: 5 }, "10: all is new here, every word of it"];

  it("makes what was read before stale once that is read again, whatever it says by then", () => {
    expect(stale(read, edit)).toEqual([]);
    expect(stale(read, edit, anew)).toEqual(["0: read again in 2"]);
    expect(stale(read, anew)).toEqual([]);
    expect(stale(edit, part, other, read)).toEqual(["1: read again in 3"]);
    expect(stale(read, edit, part)).toEqual([]);
  });

  it("leaves what an edit said, but for the same edit with the same outcome", () => {
    const failed: Step = ["edit", { path: "config.ts", old_string: "b", new_string: "c" }, "Error: b was not found."];
    expect(stale(edit, other, read)).toEqual([]);
    expect(stale(failed, other, read)).toEqual([]);
    expect(stale(failed, failed, other)).toEqual(["0: run again in 1"]);
  });

  it("is known from patches and command lines too", () => {
    const patch = "*** Begin Patch\n*** Update File: config.ts\n@@\n-a\n+b\n*** End Patch";
    for (const change of [
      ["apply_patch", { input: patch }, "Done"],
      ["bash", { command: "sed -i 's/a/b/' config.ts" }, ""],
      ["bash", { command: "cat > config.ts <<'EOF'\nb\nEOF" }, ""],
    ] satisfies Step[])
      expect(stale(read, change, anew)).toEqual(["0: read again in 2"]);
    expect(stale(read, ["bash", { command: "npm test > /dev/null 2>&1" }, ""], anew)).toEqual([]);
  });

  it("is stale at once where the call that writes it says all of it, and not where that failed", () => {
    const write = (output: string): Step => ["Write", { file_path: "config.ts", content: "all new" }, output];
    expect(stale(read, write("Wrote config.ts"))).toEqual(["0: overwritten in 1"]);
    expect(stale(read, write("Error: permission denied"))).toEqual([]);
    expect(stale(read, ["append_file", { path: "config.ts", content: "more" }, "ok"])).toEqual([]);
  });
});

describe("a command that is run again", () => {
  const failed = `${lines("the test run", 1, 30)}\nFAILED tests/billing: expected 3, got 4\n1 failed, 29 passed`;
  const passed = `${lines("the test run", 1, 12)}\n30 passed`;
  const run = (output: string, more: object = {}): Step => ["Bash", { command: "npm test", ...more }, output];

  it("makes the earlier run stale, also a failed one, and whatever was remarked beside it", () => {
    expect(stale(run(failed), run(passed))).toEqual(["0: run again in 1"]);
    expect(stale(run(passed, { description: "Test" }), run(failed, { description: "Test it", timeout: 9 }))).toEqual([
      "0: run again in 1",
    ]);
    expect(stale(run(passed), ["Bash", { command: "npm test -- billing" }, passed])).toEqual([]);
  });

  it("stays where the tool goes on from call to call, or the later output is about something else", () => {
    const poll = (output: string): Step => ["write_stdin", { session: 5, chars: "" }, output];
    expect(stale(poll(lines("part", 1, 20)), poll(lines("part", 10, 30)))).toEqual([]);
    expect(stale(["shell", { command: "open" }, lines("a", 1, 30)], ["shell", { command: "open" }, "opened"])).toEqual(
      [],
    );
    expect(stale(poll("the same"), poll("the same"))).toEqual(["0: run again in 1"]);
  });

  it("is the same question where the answer is JSON on one line and some of it has changed", () => {
    const details = (cabin: string) =>
      JSON.stringify({ id: "R1", cabin, origin: "Berlin", passengers: ["Ann", "Robert"] });
    const ask = (output: string): Step => ["get_details", { id: "R1" }, output];
    expect(stale(ask(details("economy")), ask(details("business")))).toEqual(["0: run again in 1"]);
    expect(stale(ask(details("economy")), ask('{"status":"gone","instead":"another"}'))).toEqual([]);
  });

  it("asks the same in whatever order the arguments stand", () => {
    const one: Step = ["search", { query: "port", limit: 5 }, file];
    expect(stale(one, ["search", { limit: 5, query: "port" }, file])).toEqual(["0: run again in 1"]);
  });
});

describe("a page or a screen", () => {
  const page = (url: string, word: string) =>
    `- Page URL: ${url}\n- button ${word} [ref=e1]\n- link [ref=e2]\n- link [ref=e3]`;
  const image: ToolOutput = { type: "content", value: [{ type: "media", data: "AAAA", mediaType: "image/png" }] };

  it("is stale after a newer one of the same address, whichever call showed it", () => {
    const here = page("https://a.example/", "one");
    const there = page("https://b.example/", "one");
    expect(stale(["browser_navigate", { url: "a" }, here], ["browser_click", { ref: "e1" }, here])).toEqual([
      "0: newer state in 1",
    ]);
    expect(stale(["browser_navigate", { url: "a" }, here], ["browser_click", { ref: "e1" }, there])).toEqual([]);
  });

  it("is stale as a picture after the next picture of the same tool, but pictures from files are not", () => {
    expect(stale(["computer", { action: "click" }, image], ["computer", { action: "type" }, image])).toEqual([
      "0: newer state in 1",
    ]);
    expect(stale(["read", { path: "a.png" }, image], ["read", { path: "b.png" }, image])).toEqual([]);
  });
});

describe("what is found", () => {
  it("leaves out exchanges that need repair or are not finished", () => {
    const [call, result] = log(["read", { path: "config.ts" }, file]) as [Message, Message];
    expect(findSuperseded([call, result, call])).toEqual([]);
    expect(findSuperseded([call, { role: "user", content: "hurry" }, result, call, result])).toEqual([]);
  });

  const step: fc.Arbitrary<Step> = fc
    .tuple(fc.constantFrom("a.ts", "b.ts"), fc.constantFrom("read", "part", "edit", "write", "run"), fc.nat(3))
    .map(([path, kind, size]): Step => {
      if (kind === "read") return ["read", { path }, lines(path, 1, 10 + size)];
      if (kind === "part") return ["read", { path, offset: size, limit: 4 }, lines(path, size, size + 4)];
      if (kind === "edit") return ["edit", { path, old_string: "x", new_string: String(size) }, `changed ${size}`];
      if (kind === "write") return ["write", { path, content: String(size) }, "written"];
      return ["bash", { command: `check ${path}` }, lines(path, 1, size)];
    });

  it("stays found when the log grows, and points forward to a result that is there", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.nat(20), (steps, shorter) => {
        const all = findSuperseded(log(...steps));
        for (const { at, by, call } of all) {
          expect(by).toBeGreaterThan(at);
          expect(call).toBe(`c${(at - 1) / 2}`);
        }
        const before = findSuperseded(log(...steps.slice(0, shorter))).map(({ at }) => at);
        expect(all.map(({ at }) => at)).toEqual(expect.arrayContaining(before));
        expect(new Set(all.map(({ at }) => at)).size).toBe(all.length);
      }),
    );
  });

  it("never is the last look at a file, nor the last run of a command", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const found = new Set(findSuperseded(log(...steps)).map(({ at }) => (at - 1) / 2));
        expect(found.has(steps.length - 1)).toBe(false);
        for (const [tool, input] of steps) {
          const last = steps.findLastIndex(
            ([name, other]) => name === tool && JSON.stringify(other) === JSON.stringify(input),
          );
          const overwritten = steps.slice(last + 1).some(([name]) => name !== "bash");
          if (!overwritten) expect(found.has(last)).toBe(false);
        }
      }),
    );
  });
});
