import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { configuredStrategy } from "../../config/configured.js";
import { CONFIG_FILE } from "../../config/find-files.js";
import { describeSource } from "../../config/layer.js";
import { type LoadedConfig, loadConfig } from "../../config/load-config.js";
import { parseJson } from "../../config/read-json.js";
import { isObject } from "../../message/plain-value.js";
import { writing } from "../not-written.js";
import type { Setting } from "./setting.js";

export interface Applied {
  readonly file: string;
  /** Settings that something above the file still decides: "window: environment VARVE_WINDOW". */
  readonly overruled: readonly string[];
  /** Keys that were taken out, since they say something about another strategy. */
  readonly dropped: readonly string[];
}

const SETTINGS = ["strategy", "window", "trigger", "target"] as const;
/** Keys of `context_management` that choose a strategy or are options of one. */
const OF_A_STRATEGY = ["strategy", "max_messages", "summarize_threshold", "importance_threshold"] as const;

/** Writes a setting into the project's varve.json, or into a new one in the working folder. All else in it stays. */
export async function applySetting(setting: Setting, { files, config }: LoadedConfig): Promise<Applied> {
  const file = files.project ?? resolve(CONFIG_FILE);
  const read = existsSync(file) ? parseJson(readFileSync(file, "utf8"), file) : {};
  const before = isObject(read) ? read : {};
  const { name: strategy, window, trigger, target } = setting;
  const { kept, dropped } = strategy === config.strategy ? { kept: before, dropped: [] } : ofNoStrategy(before);
  const after = { ...kept, strategy, window, trigger, target };
  const overruled = await writeWhole(file, `${JSON.stringify(after, undefined, 2)}\n`);
  return { file, overruled, dropped };
}

interface Parted {
  readonly kept: Readonly<Record<string, unknown>>;
  readonly dropped: readonly string[];
}

/** Options of one strategy would be faults of another. */
function ofNoStrategy({
  strategyOptions,
  context_management: other,
  ...rest
}: Readonly<Record<string, unknown>>): Parted {
  const own = strategyOptions === undefined ? [] : ["strategyOptions"];
  if (!isObject(other)) return { kept: rest, dropped: own };
  const isKept = ([key]: readonly [string, unknown]): boolean => !OF_A_STRATEGY.some((name) => name === key);
  const entries = Object.entries(other);
  const kept = entries.filter(isKept);
  const gone = entries.filter((entry) => !isKept(entry)).map(([key]) => `context_management.${key}`);
  return {
    kept: kept.length === 0 ? rest : { ...rest, context_management: Object.fromEntries(kept) },
    dropped: [...own, ...gone],
  };
}

const HINT =
  "Check the permissions of the file and of its folder, or leave --apply out and write the recommended setting yourself.";

/** A file that does not load, and a crash, leave the file as it was. */
async function writeWhole(file: string, text: string): Promise<string[]> {
  const beside = `${file}.${process.pid}.tmp`;
  writing(file, HINT, () => writeFileSync(beside, text));
  try {
    const overruled = await overruledIn(beside);
    writing(file, HINT, () => renameSync(beside, file));
    return overruled;
  } finally {
    rmSync(beside, { force: true });
  }
}

async function overruledIn(file: string): Promise<string[]> {
  const loaded = await loadConfig({ environment: { ...process.env, VARVE_CONFIG: file } });
  await configuredStrategy(loaded);
  return loaded.values
    .filter(({ path, source }) => SETTINGS.some((name) => name === path) && source.kind === "environment")
    .map(({ path, source }) => `${path}: ${describeSource(source)}`);
}
