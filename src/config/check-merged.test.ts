import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { registerStrategy } from "../view/strategies/registry.js";
import { slidingWindow } from "../view/strategies/sliding-window.js";
import { checkStrategy } from "./check-merged.js";
import { loadConfig } from "./load-config.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "varve-merged-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const HOME = { XDG_CONFIG_HOME: "/nowhere", APPDATA: "/nowhere" };

async function check(config: object, environment: Record<string, string> = {}): Promise<void> {
  writeFileSync(join(folder, "varve.json"), JSON.stringify(config));
  await checkStrategy(await loadConfig({ folder, environment: { ...HOME, ...environment } }));
}

it.each<[string, object, string, string]>([
  ["a strategy", { strategy: "hierachical" }, '"strategy" of FILE is "hierachical"', 'Did you mean "hierarchical"?'],
  ["a store's kind", { store: "sqllite:./x.db" }, '"store" of FILE is "sqllite:./x.db"', 'Did you mean "sqlite:"?'],
  ["a target above the trigger", { trigger: 0.4, target: 0.6 }, '"target" of FILE is 0.6', "which is 0.4"],
  ["plug-ins that are not there", { plugins: ["./none"] }, "There is no plug-in file", "plugin.json"],
])("refuses %s", async (...[, config, message, hint]) => {
  await expect(check(config)).rejects.toMatchObject({
    message: expect.stringContaining(message.replace("FILE", join(folder, "varve.json"))),
    hint: expect.stringContaining(hint),
  });
});

it("names the variable that makes a target too high for the file's trigger", async () => {
  await expect(check({ trigger: 0.4 }, { VARVE_TARGET: "0.6" })).rejects.toMatchObject({
    code: "invalid-document",
    message: "VARVE_TARGET is 0.6.",
  });
});

it("knows the strategies of plug-ins, of programs and of varve", async () => {
  writeFileSync(
    join(folder, "plugin.json"),
    JSON.stringify({ id: "novelist", contextStrategy: { type: "plugin", pluginId: "./x.js" } }),
  );
  registerStrategy("of-a-program", () => slidingWindow());
  for (const strategy of ["novelist", "of-a-program", "entities", "std-importance-strategy"])
    await expect(check({ strategy })).resolves.toBeUndefined();
});
