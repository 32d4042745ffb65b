import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { CONFIG_FILE } from "../../config/find-files.js";
import { describeSource } from "../../config/layer.js";
import { type LoadedConfig, loadConfig } from "../../config/load-config.js";
import { isObject } from "../../message/plain-value.js";
import type { Setting } from "./setting.js";

export interface Applied {
  readonly file: string;
  /** Settings that something above the file still decides: "window: environment VARVE_WINDOW". */
  readonly overruled: readonly string[];
}

const SETTINGS = ["strategy", "window", "trigger", "target"] as const;

/** Writes a setting into the project's varve.json, or into a new one in the working folder. All else in it stays. */
export async function applySetting(setting: Setting, { files, config }: LoadedConfig): Promise<Applied> {
  const file = files.project ?? resolve(CONFIG_FILE);
  const before: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const { name: strategy, window, trigger, target } = setting;
  const measured = { strategy, window, trigger, target, ...(config.model && { model: config.model }) };
  const after = { ...(isObject(before) ? before : {}), ...measured };
  const kept = strategy === config.strategy ? after : { ...after, strategyOptions: undefined };
  writeWhole(file, `${JSON.stringify(kept, undefined, 2)}\n`);
  return { file, overruled: await overruledIn(file) };
}

/** A crash leaves the file as it was or as it is to be. */
function writeWhole(file: string, text: string): void {
  const beside = `${file}.${process.pid}.tmp`;
  writeFileSync(beside, text);
  renameSync(beside, file);
}

async function overruledIn(file: string): Promise<string[]> {
  const { values } = await loadConfig({ environment: { ...process.env, VARVE_CONFIG: file } });
  return values
    .filter(({ path, source }) => SETTINGS.some((name) => name === path) && source.kind === "environment")
    .map(({ path, source }) => `${path}: ${describeSource(source)}`);
}
