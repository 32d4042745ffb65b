import { describe, expect, it } from "vitest";
import type { Message } from "../message/types.js";
import { findSuperseded } from "./supersede.js";

type Step = readonly [tool: string, input: unknown, output: string];

const log = (...steps: Step[]): Message[] =>
  steps.flatMap(([toolName, input, value], at): Message[] => {
    const name = { toolCallId: `c${at}`, toolName };
    return [
      { role: "assistant", content: [{ type: "tool-call", ...name, input }] },
      { role: "tool", content: [{ type: "tool-result", ...name, output: { type: "text", value } }] },
    ];
  });

/** How a call counts as superseded by the same call with another output; undefined where it stays. */
const againAs = (tool: string, input: unknown, outputs: readonly [before: string, after: string]) =>
  findSuperseded(log(...outputs.map((output): Step => [tool, input, output])))[0]?.how;

const rows = (from: number, to: number, row = (at: number) => `order ${at} amount ${at * 7}`): string =>
  Array.from({ length: to - from + 1 }, (_, at) => row(from + at)).join("\n");
const read = (before: string, after: string) => againAs("read", { path: "orders.csv" }, [before, after]);
const bash = (command: string, before: string, after: string) => againAs("bash", { command }, [before, after]);

describe("a file read again", () => {
  it("keeps rows that differ from the later ones in nothing but their numbers", () => {
    expect(read(rows(1, 100), "order 900 amount 1\n[truncated]")).toBeUndefined();
    expect(read(rows(1, 100), rows(101, 200))).toBeUndefined();
    expect(read(rows(1, 100), rows(1, 100))).toBe("read again");
  });

  it("keeps rows that the later read leaves out, at its end or amid it", () => {
    expect(read(rows(1, 100), `${rows(1, 57)}\n[truncated]`)).toBeUndefined();
    expect(read(rows(1, 100), rows(1, 95))).toBeUndefined();
    expect(read(rows(1, 100), `${rows(1, 60)}\n[35 lines omitted]\n${rows(96, 100)}`)).toBeUndefined();
    expect(read(rows(1, 100), `${rows(1, 95)}\n[4 lines omitted]\n${rows(100, 100)}`)).toBeUndefined();
  });

  it("replaces a read of the same part to the same end, some lines of which have changed", () => {
    const changed = rows(1, 100, (at) => `order ${at} amount ${at > 40 && at < 60 ? 0 : at * 7}`);
    expect(read(rows(1, 100), changed)).toBe("read again");
  });

  it("takes a text without a word for the same only if it is", () => {
    expect(bash("cat n.txt", "1 2 3\n4 5 6", "0")).toBeUndefined();
    expect(bash("cat n.txt", "--\n--", "==")).toBeUndefined();
    expect(bash("cat n.txt", "1 2 3\n4 5 6", "1 2 3\n4 5 6")).toBe("read again");
  });

  it("counts lines that are alike, and sees numbers before lines for what they are", () => {
    const numbered = (from: number, to: number) => rows(from, to, (at) => `${at}\tpending`);
    expect(read(numbered(1, 100), `${numbered(1, 1)}\nend`)).toBeUndefined();
    expect(read(numbered(1, 100), numbered(101, 200))).toBeUndefined();
    const lines = (first: number) => rows(1, 20, (at) => `${at + first}\tthe line for order ${at}`);
    expect(read(lines(5), `1\tan import\n${rows(2, 5, (at) => `${at}\tmore`)}\n${lines(5)}`)).toBe("read again");
  });

  it("stays after a change of the file where the later read was cut short", () => {
    const path = "orders.csv";
    const changed = (last: string) =>
      log(
        ["read", { path }, rows(1, 100)],
        ["edit", { path, old_string: "1", new_string: "2" }, "Changed."],
        ["read", { path }, last],
      );
    expect(findSuperseded(changed(`${rows(1, 20)}\n[truncated]`))).toEqual([]);
    expect(findSuperseded(changed(rows(1, 99)))).toMatchObject([{ at: 1, how: "read again", by: 5 }]);
  });
});

describe("a call made again", () => {
  it("keeps what a person answered", () => {
    for (const tool of ["ask_user", "AskUserQuestion", "request_approval"]) {
      expect(againAs(tool, { question: "Go on?" }, ["no", "yes"])).toBeUndefined();
      const long = "The branch is release.\nShip on Monday.\n";
      expect(againAs(tool, { question: "Go on?" }, [`${long}Not yet.`, `${long}Not yet.\nYes.`])).toBeUndefined();
    }
  });

  it("keeps samples and pages of data, also where some of their rows failed", () => {
    const failed = (at: number) => `2026-01-05T10:00:${at} ERROR order ${at} failed`;
    expect(bash("tail -50 orders.log", rows(1, 50), rows(20, 70))).toBeUndefined();
    expect(bash("tail -50 orders.log", rows(10, 59, failed), rows(40, 89, failed))).toBeUndefined();
    expect(bash("cd /srv && tail -5 orders.log", rows(10, 14, failed), "")).toBeUndefined();
    expect(againAs("query", { sql: "select * from orders" }, [rows(1, 50), rows(51, 100)])).toBeUndefined();
    expect(againAs("run_query", { sql: "…" }, [rows(1, 57), rows(20, 90)])).toBeUndefined();
  });

  it("keeps a page of records in JSON, and replaces a record of the same thing", () => {
    const page = (from: number) =>
      JSON.stringify({ orders: [1, 2, 3, 4].map((at) => ({ id: from + at, status: "pending", currency: "EUR" })) });
    const order = (id: number, status: string) =>
      JSON.stringify({ order_id: id, status, currency: "EUR", buyer: "Ann", city: "Bern" });
    const ask = (before: string, after: string) => againAs("next_order", { mine: true }, [before, after]);
    expect(againAs("get_orders", {}, [page(0), page(10)])).toBeUndefined();
    expect(againAs("get_order", { mine: true }, [order(7, "open"), order(8, "open")])).toBeUndefined();
    expect(againAs("get_order", { mine: true }, [order(7, "open"), order(7, "sent")])).toBe("run again");
    expect(ask(order(7, "open"), order(7, "sent"))).toBeUndefined();
  });

  it("replaces the earlier state that a test, a build or a working tree was in", () => {
    const suite = (failed: number) =>
      `${rows(1, 20, (at) => `✓ case-${at} (${at + failed} ms)`)}\n${failed} failed in ${failed}.2s`;
    expect(bash("npm test 2>&1 | tail -30", suite(3), suite(0))).toBe("run again");
    expect(againAs("run_tests", {}, [suite(3), suite(1)])).toBe("run again");
    expect(
      bash(
        "npx tsc --noEmit",
        rows(1, 9, (at) => `src/a${at}.ts(3,5): error TS2322: no`),
        "",
      ),
    ).toBe("run again");
    const tree = (more: string) => `On branch main\nChanges not staged for commit:\n\tmodified: src/a.ts\n${more}`;
    expect(bash("git status", tree(""), tree("\tmodified: src/b.ts"))).toBe("run again");
    expect(bash("npm test", suite(3), "Killed.\nnothing was run here at all")).toBeUndefined();
  });
});
