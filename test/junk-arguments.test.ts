/** Every value that the package exports, called with what is none of its arguments: an answer or an error of ours. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as varve from "../src/index.js";

const OWN = new Error("thrown by the argument itself");
const thrower = new Proxy(
  {},
  {
    get: () => {
      throw OWN;
    },
  },
);
const circular: { role: string; content?: unknown } = { role: "user" };
circular.content = circular;

const FIRST: readonly unknown[] = [
  ...[undefined, null, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, "", "x", true, 5n, Symbol("s"), () => undefined],
  ...[{}, Object.create(null), new Map(), new Date(Number.NaN), thrower, circular, { model: 5 }, { embed: 5 }],
  ...[{ config: {} }, { messages: null }, { messages: [null] }, { window: 8_000 }, { role: "user", content: "x" }],
  ...[[], [undefined], [null], [{}], [0], [[]], ["x"], [circular], [thrower], [Symbol("s")], [5n]],
  ...[[{ role: "user", content: 5 }], [{ role: "user", content: "x" }], [{ role: "tool", content: {} }]],
  ...[[{ role: "assistant", content: null }], [{ role: "model", parts: null }], [{ type: "message", content: [null] }]],
];
const SECOND: readonly unknown[] = [undefined, null, 5, "x", {}, [], thrower, { window: 8_000 }, Symbol("s")];

/** Nothing is written but there. */
const folder = mkdtempSync(join(tmpdir(), "varve-junk-"));
const before = process.cwd();
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

interface Opened {
  close?(): unknown;
}

/** What a call throws that is neither ours nor the argument's own. */
async function fault(name: string, value: object, given: readonly unknown[]): Promise<unknown> {
  const call = value as ((...given: readonly unknown[]) => unknown) & (new (...given: readonly unknown[]) => unknown);
  let timer: NodeJS.Timeout | undefined;
  const hanging = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new Error("It hangs.")), 10_000);
  });
  try {
    const made = /^class\b/.test(Function.prototype.toString.call(value)) ? new call(...given) : call(...given);
    const answer = (await Promise.race([made, hanging])) as Opened | undefined;
    await answer?.close?.();
    return undefined;
  } catch (error) {
    return error === OWN || varve.VarveError.isInstance(error) ? undefined : { name, given, error };
  } finally {
    clearTimeout(timer);
  }
}

const FUNCTIONS = Object.entries(varve).filter(([, value]) => typeof value === "function") as [string, object][];

test.each(FUNCTIONS)("%s answers junk with an error of ours, or as if it were none", async (name, value) => {
  for (const first of FIRST)
    for (const second of SECOND) expect(await fault(name, value, [first, second])).toBeUndefined();
});
