import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, expect, test } from "vitest";
import type { Message } from "../src/index.js";
import { openVarve } from "../src/index.js";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

const folder = mkdtempSync(join(tmpdir(), "varve-kept-logs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STEPS = 150;
const LENGTH = 100_000;

/** A step with a long result, whose lines name a few things of its own. */
function step(at: number): Message[] {
  const call = { toolCallId: `call${at}`, toolName: "read" };
  const value = `${"so it goes on and on\n".repeat(LENGTH / 21)}src/file-number-${at}.ts`;
  return [
    { role: "user", content: `Read file ${at}.` },
    { role: "assistant", content: [{ type: "tool-call", ...call, input: { at } }] },
    { role: "tool", content: [{ type: "tool-result", ...call, output: { type: "text", value } }] },
  ];
}

test.each(["sliding-window", "hierarchical"] as const)(
  "%s on SQLite holds no more of a log than its views show, and reads the rest again",
  async (strategy) => {
    const varve = await openVarve({ store: `sqlite:${join(folder, `${strategy}.db`)}` });
    const session = await varve.session("s", { window: 8_000, strategy });
    const heap: number[] = [];
    for (let at = 0; at < STEPS; at++) {
      await session.append(step(at));
      await session.view();
      await nextTurn();
      if (at % 50 !== 49) continue;
      collect();
      heap.push(process.memoryUsage().heapUsed / 1e6);
    }
    expect(heap.at(-1)! - heap[0]!).toBeLessThan((100 * LENGTH) / 1e6 / 4);
    expect(
      session
        .entries()
        .slice(3, 6)
        .map(({ message }) => message),
    ).toEqual(step(1));
    await varve.close();
  },
  60_000,
);
