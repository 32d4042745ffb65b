/** Every value that the package exports, called with what is none of its arguments: an answer or an error of ours. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

const ENCODERS: Record<string, (messages: readonly varve.Message[]) => unknown> = {
  toOpenAI: varve.toOpenAI,
  toOpenAIResponses: varve.toOpenAIResponses,
  toAnthropic: varve.toAnthropic,
  toGemini: varve.toGemini,
};
const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;
let deep: unknown = 1;
for (let level = 0; level < 20_000; level++) deep = { deep };

describe.each([
  ["a BigInt", { count: 5n }],
  ["what refers to itself", cyclic],
  ["20,000 levels", deep],
])("a tool input with %s", (_name, input) => {
  test.each(Object.entries(ENCODERS))("is refused by %s", (_, encode) => {
    const call = { type: "tool-call", toolCallId: "a", toolName: "read", input } as const;
    const messages: varve.Message[] = [
      { role: "user", content: "go" },
      { role: "assistant", content: [call] },
    ];
    expect(() => encode(messages)).toThrow(expect.objectContaining({ code: "invalid-message" }));
  });
});

test("arguments inside lists and of methods are refused with an error of ours", async () => {
  const opened = await varve.openVarve({ store: "memory" });
  const session = await opened.session("s", { window: 8_000 });
  const memory = opened.memory({ scope: { user: "ann" } });
  const junk = (value: unknown) => value as never;
  const calls: Record<string, () => unknown> = {
    redact: () => varve.redact("text", junk([null])),
    violations: () => varve.violations([], junk(Object.create(null))),
    "varve.import": () => opened.import(junk([null])),
    "memory.import": () => memory.import(junk([null])),
    expand: () => session.expand(junk(Symbol("s"))),
    diff: () => session.diff(junk(Symbol("s"))),
    deleteCheckpoint: () => session.deleteCheckpoint(junk(Symbol("s"))),
    forgotten: () => session.forgotten(junk(undefined)),
  };
  for (const [name, call] of Object.entries(calls))
    await expect(
      (async () => call())().catch((error: unknown) => error),
      name,
    ).resolves.toMatchObject({ code: "invalid-option", hint: expect.any(String) });
  await opened.close();
});
