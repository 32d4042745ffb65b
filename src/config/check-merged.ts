/** Checks of what values of several layers make together. */
import { describeValue, VarveError } from "../errors.js";
import { nearest } from "../message/nearest.js";
import type { ConfigFiles } from "./find-files.js";
import { type ConfigSource, type ConfigValue, describeSource } from "./layer.js";
import { STRATEGY_ALIASES, STRATEGY_NAMES } from "./strategy-names.js";

const SCHEMES = ["sqlite", "file", "postgres", "postgresql"];

/** Refuses a store of no known kind, and a target above its trigger. */
export function checkMerged(values: readonly ConfigValue[]): void {
  const at = (path: string) => values.find((each) => each.path === path);
  const [store, trigger, target] = [at("store"), at("trigger"), at("target")];
  if (typeof store?.value === "string") checkStore(store, store.value);
  const most = trigger?.value ?? 1;
  if (typeof target?.value === "number" && typeof most === "number" && target.value > most)
    throw wrongValue(target, `Give a share up to the trigger's, which is ${most}.`);
}

function checkStore(store: ConfigValue, address: string): void {
  if (address === "memory") return;
  const [, scheme = ""] = /^([a-z]+):./s.exec(address) ?? [];
  if (SCHEMES.includes(scheme)) return;
  const meant = nearest(scheme, SCHEMES);
  const known = 'Use "sqlite:PATH", "file:FOLDER", "postgres://…" or "memory".';
  const shown = { ...store, value: address.replace(/\/\/.*@/s, "//…@") };
  throw wrongValue(shown, `${meant === undefined ? "" : `Did you mean "${meant}:"? `}${known}`);
}

interface Merged {
  readonly values: readonly ConfigValue[];
  readonly files: ConfigFiles;
}

/** Refuses plug-ins that are not there, and a strategy that neither comes with varve nor from them. */
export async function checkStrategy({ values, files }: Merged): Promise<void> {
  const strategy = values.find(({ path }) => path === "strategy");
  const plugins = values.find(({ path }) => path === "plugins");
  const listed = Array.isArray(plugins?.value) ? plugins.value.map(String) : [];
  const ids = await pluginIds([...listed, ...(files.plugin === undefined ? [] : [files.plugin])]);
  const name = strategy?.value;
  if (strategy === undefined || typeof name !== "string" || STRATEGY_ALIASES.has(name) || ids.includes(name)) return;
  const { strategyFactory } = await import("../view/strategies/registry.js");
  if (strategyFactory(name) !== undefined) return;
  const known = [...STRATEGY_NAMES, ...ids];
  const meant = nearest(name, known);
  const hint = `Known are ${known.join(", ")}; a strategy of your own comes with a plugin.json under "plugins".`;
  throw wrongValue(strategy, `${meant === undefined ? "" : `Did you mean "${meant}"? `}${hint}`);
}

async function pluginIds(paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const { readPlugin } = await import("./read-plugin.js");
  return [...new Set(await Promise.all(paths.map(async (path) => (await readPlugin(path)).id)))];
}

/** A flag is named as it was given; all else is a matter of the configuration. */
function wrongValue({ path, value, source }: ConfigValue, hint: string): VarveError {
  return new VarveError({
    code: source.kind === "flag" ? "invalid-option" : "invalid-document",
    message: `${nameOf(path, source)} is ${describeValue(value)}.`,
    hint,
    details: { ...(source.kind === "flag" && { option: source.name }), path, value },
  });
}

const nameOf = (path: string, source: ConfigSource): string =>
  "file" in source ? `"${path}" of ${source.file}` : describeSource(source).replace(/^environment |^flag /, "");
