import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("../scripts/judge-gate.mjs", import.meta.url));
const WINDOWS = [4000, 16000, 64000];
const BUDGETS = [512, 1024, 2048];

const legal = { overRate: 0, illegalRate: 0, anthropicIllegalRate: 0, systemLostRate: 0 };
/** What every strategy has to reach at each window, and hierarchical and two others beyond it. */
const EVERY = { recall: [0.75, 0.89, 0.97], costVsCachedFull: [0.135, 0.215, 0.465] };
const HIERARCHICAL = {
  recall: [0.84, 0.94, 0.983],
  farRecall: [0.45, 0.6, 0.8],
  farTold: [0.24, 0.35, 0.36],
  tornRate: [0.015, 0.015, 0.015],
  saidKept: [0.55, 0.93, 0.98],
  filesTold: [0.8, 0.98, 0.99],
  costVsCachedFull: [0.16, 0.24, 0.465],
  cachedShare: [0.72, 0.85, 0.95],
};
const FAR = { ...EVERY, farRecall: [0.24, 0.28, 0.5] };
const good = {
  rows: (window: number) => {
    const at = WINDOWS.indexOf(window);
    const row = (contestant: string, bounds: Readonly<Record<string, number[]>>) => ({
      ...{ contestant, window, ...legal },
      ...Object.fromEntries(Object.entries(bounds).map(([figure, each]) => [figure, each[at]])),
    });
    return [
      row("tail-safe", { recall: EVERY.recall }),
      row("varve:sliding-window", EVERY),
      row("varve:summarization", FAR),
      row("varve:importance", FAR),
      row("varve:hierarchical", HIERARCHICAL),
    ];
  },
  tests: { contestant: "varve", namesKept: 1, errorLinesKept: 0.95, fits: 1 },
  logs: { contestant: "varve", templatesKept: 0.68, fits: 1 },
  locomo: { frac5: 0.62, frac10: 0.72, frac25: 0.81, frac50: 0.87 },
  beam: { frac10: 0.52 },
  accepted: {
    thinking: { refused: 0 },
    place: { anthropic: true, responses: true },
    power: { inSystem: 0, systems: 0 },
    byTools: Object.fromEntries([0, 3_000, 6_000, 10_000, 13_000].map((tools) => [tools, { breaks: 20, bill: 0.45 }])),
  },
};

interface Change {
  replay?: Record<string, unknown>;
  tests?: Record<string, unknown>;
  logs?: Record<string, unknown>;
  locomo?: Record<string, unknown>;
  beam?: Record<string, unknown>;
  accepted?: Record<string, unknown>;
  windows?: number[];
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "varve-gate-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs the gate on figures that pass, with some of varve's own replaced. */
async function gate({
  replay,
  tests,
  logs,
  locomo,
  beam,
  accepted,
  windows = WINDOWS,
}: Change = {}): Promise<{ code: number; output: string }> {
  const rows = windows.flatMap(good.rows).map((row) => (row.contestant === "tail-safe" ? row : { ...row, ...replay }));
  const reduce = {
    tests: BUDGETS.map((budget) => ({ ...good.tests, ...tests, budget })),
    logs: BUDGETS.map((budget) => ({ ...good.logs, ...logs, budget })),
  };
  const retrieval = [
    { contestant: "varve", set: "locomo", turn: { ...good.locomo, ...locomo } },
    { contestant: "varve", set: "beam-100k", turn: { ...good.beam, ...beam } },
  ];
  const acceptance = { hierarchical: { ...good.accepted, ...accepted } };
  const files = ["replay.json", "reduce.json", "retrieval.json", "acceptance.json"].map((name) => join(folder, name));
  for (const [at, figures] of [{ rows }, reduce, { rows: retrieval }, { acceptance }].entries())
    await writeFile(files[at]!, JSON.stringify(figures));
  return new Promise((resolve) =>
    execFile(process.execPath, [SCRIPT, ...files], (error, output) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output }),
    ),
  );
}

test("passes figures that stand exactly at their bounds", async () => {
  const { code, output } = await gate();
  expect(output).toMatch(/139 judge gates ok\n$/);
  expect(code).toBe(0);
});

test.each<[string, Change]>([
  ["a view over its window", { replay: { overRate: 0.0001 } }],
  ["an illegal view", { replay: { illegalRate: 0.0001 } }],
  ["a view that Anthropic refuses", { replay: { anthropicIllegalRate: 0.0001 } }],
  ["a lost system prompt", { replay: { systemLostRate: 0.0001 } }],
  ["a system prompt that was never looked for", { replay: { systemLostRate: null } }],
  ["less recall than the safe tail", { replay: { recall: 0.6999 } }],
  ["more cost than a cut may have", { replay: { costVsCachedFull: 0.4651 } }],
  ["a lost test name", { tests: { namesKept: 0.999 } }],
  ["lost error lines", { tests: { errorLinesKept: 0.94 } }],
  ["lost templates", { logs: { templatesKept: 0.34 } }],
  ["a reduced text over its budget", { logs: { fits: 0.99 } }],
  ["evidence that memory does not find", { locomo: { frac10: 0.719 } }],
  ["evidence in long chats that memory does not find", { beam: { frac10: 0.51 } }],
  ["a request that a provider refuses", { accepted: { thinking: { refused: 1 } } }],
  ["a system message that was moved", { accepted: { place: { anthropic: true, responses: false } } }],
  ["a tool's text in the system prompt", { accepted: { power: { inSystem: 1, systems: 0 } } }],
  ["a window that was not replayed", { windows: [4000, 16000] }],
  ["a contestant that is missing", { replay: { contestant: "other" } }],
])("fails on %s", async (_, change) => {
  const { code, output } = await gate(change);
  expect(output).toMatch(/^FAILED /m);
  expect(output).toMatch(/judge gates failed\n$/);
  expect(code).toBe(1);
});
