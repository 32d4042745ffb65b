import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { configuredStrategy } from "../../config/configured.js";
import { loadConfig } from "../../config/load-config.js";
import { applySetting } from "./apply.js";
import type { Setting } from "./setting.js";

const FOLDER = mkdtempSync(join(tmpdir(), "varve-apply-"));
const FILE = join(FOLDER, "varve.json");
const ENVIRONMENT = { VARVE_CONFIG: FILE };

beforeEach(() => rmSync(FILE, { force: true }));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const setting = (name: string, more: Partial<Setting> = {}): Setting => ({
  name,
  strategy: name,
  window: 16_000,
  ...more,
});

async function apply(before: object, chosen: Setting, mark = "") {
  writeFileSync(FILE, mark + JSON.stringify(before));
  const applied = await applySetting(chosen, await loadConfig({ environment: ENVIRONMENT }));
  const loaded = await loadConfig({ environment: ENVIRONMENT });
  await configuredStrategy(loaded);
  expect(readdirSync(FOLDER)).toEqual(["varve.json"]);
  return { ...applied, after: JSON.parse(readFileSync(FILE, "utf8")) as object, loaded };
}

test("what belongs to the strategy stays where the strategy does", async () => {
  const before = {
    window: 8_000,
    trigger: 0.9,
    strategy: "hierarchical",
    strategyOptions: { lockLast: 2 },
    pinBudget: 0.2,
  };
  const { after, dropped } = await apply(before, setting("hierarchical", { target: 0.5 }));
  expect(after).toEqual({
    strategy: "hierarchical",
    strategyOptions: { lockLast: 2 },
    pinBudget: 0.2,
    window: 16_000,
    target: 0.5,
  });
  expect(dropped).toEqual([]);
});

test("options of another strategy go, those of context_management too, so that the file loads", async () => {
  const other = { strategy: "importance_based", importance_threshold: 0.4, semantic_memory: { enabled: false } };
  const { after, dropped, loaded } = await apply({ context_management: other }, setting("sliding-window"));
  expect(after).toEqual({
    context_management: { semantic_memory: { enabled: false } },
    strategy: "sliding-window",
    window: 16_000,
  });
  expect(dropped).toEqual(["context_management.strategy", "context_management.importance_threshold"]);
  expect(loaded.config).toMatchObject({ strategy: "sliding-window", memory: { enabled: false } });
});

test("no model is written, and a mark of the byte order is no fault", async () => {
  const { after } = await apply({ pinBudget: 0.2 }, setting("hierarchical"), "\ufeff");
  expect(after).toEqual({ pinBudget: 0.2, strategy: "hierarchical", window: 16_000 });
});

test("what would not load is not written", async () => {
  writeFileSync(FILE, JSON.stringify({ window: 8_000 }));
  const loaded = await loadConfig({ environment: ENVIRONMENT });
  await expect(applySetting(setting("hierarchical", { window: 0 }), loaded)).rejects.toThrow();
  expect(readFileSync(FILE, "utf8")).toBe('{"window":8000}');
  expect(readdirSync(FOLDER)).toEqual(["varve.json"]);
});

test("a file that cannot be written is named, with what to do", async () => {
  const file = join(FOLDER, "x".repeat(250));
  writeFileSync(file, JSON.stringify({ window: 8_000 }));
  const loaded = await loadConfig({ environment: { VARVE_CONFIG: file } });
  await expect(applySetting(setting("hierarchical"), loaded)).rejects.toMatchObject({
    code: "store-failed",
    message: expect.stringContaining(`${file} cannot be written: ENAMETOOLONG`),
    hint: expect.stringContaining("--apply"),
  });
  rmSync(file);
});
