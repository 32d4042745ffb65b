/** What reads files is loaded late: the rest runs where there are none. */
import { invalidOption, VarveError } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { isContextManager, managedStrategy } from "../view/strategies/managed-strategy.js";
import { isStrategy, registerStrategy, strategyFactory } from "../view/strategies/registry.js";
import type { Strategy } from "../view/strategy.js";
import type { PluginFile } from "./read-plugin.js";
import { type FindModel, standardStrategy } from "./standard-strategies.js";

export interface LoadPluginsOptions {
  /** Finds the models that plug-ins name, such as the `compressionModel` of a summary. */
  readonly model?: FindModel;
}

/** A plug-in that was loaded: sessions find its strategy under `id`. */
export interface LoadedPlugin {
  readonly id: string;
  readonly pluginId: string;
  readonly file: string;
  /** The name that the strategy gives itself. */
  readonly strategy: string;
}

/** Which file has registered an id: the same one may do so again. */
const loadedFrom = new Map<string, string>();

/**
 * Loads plug-ins and makes their strategies known by their ids, all of them or none. A plug-in is a `plugin.json`: its
 * `contextStrategy` names a strategy that is known, a package, or a module beside it, and gives its config.
 *
 * @example
 * ```ts
 * await loadPlugins(["./agents/novelist/plugin.json"]); // { "id": "novelist", "contextStrategy": { … } }
 * const session = await varve.session("ann:novelist:1", { window: 64_000, strategy: "novelist" });
 * ```
 */
export async function loadPlugins(
  paths: readonly string[],
  options: LoadPluginsOptions = {},
): Promise<readonly LoadedPlugin[]> {
  checkArguments(paths, options);
  const plugins = await Promise.all(paths.map((path) => prepare(path, options)));
  checkDistinct(plugins.map(({ plugin }) => plugin));
  for (const { plugin, create } of plugins) {
    registerStrategy(plugin.id, create, { replace: true });
    loadedFrom.set(plugin.id, plugin.file);
  }
  return plugins.map(({ plugin: { id, pluginId, file }, strategy }) => ({ id, pluginId, file, strategy }));
}

const OPTIONS: OptionNames<LoadPluginsOptions> = { model: true };

function checkArguments(paths: unknown, options: unknown): void {
  if (!Array.isArray(paths) || paths.some((path) => typeof path !== "string"))
    throw invalidOption({ option: "paths", value: paths, allowed: 'a list of paths, such as ["./plugin.json"]' });
  const { model } = checkNames(options, OPTIONS, "loadPlugins");
  if (model !== undefined && typeof model !== "function")
    throw invalidOption({ option: "model", value: model, allowed: "a function from a name to a model" });
}

interface Prepared {
  readonly plugin: PluginFile;
  readonly create: () => Strategy;
  readonly strategy: string;
}

/** Makes the strategy once, so that what is wrong with it shows now and not in a session. */
async function prepare(path: string, { model }: LoadPluginsOptions): Promise<Prepared> {
  const { readPlugin } = await import("./read-plugin.js");
  const plugin = await readPlugin(path);
  const create = await factoryOf(plugin, model);
  return { plugin, create, strategy: create().name };
}

async function factoryOf(plugin: PluginFile, model: FindModel | undefined): Promise<() => Strategy> {
  const standard = standardStrategy(plugin, model);
  if (standard !== undefined) return standard;
  const known = strategyFactory(plugin.pluginId);
  if (known !== undefined) return madeBy(known, plugin);
  const { importPlugin } = await import("./plugin-module.js");
  return madeBy(await importPlugin(plugin), plugin);
}

/** An export is a strategy or a context manager, a class of them, or a function that makes one from the config. */
function madeBy(found: unknown, plugin: PluginFile): () => Strategy {
  const { config = {} } = plugin;
  const made = (): unknown => {
    if (typeof found !== "function") return found;
    return isClass(found) ? Reflect.construct(found, [config]) : found(config);
  };
  return () => {
    const strategy = made();
    if (isStrategy(strategy)) return strategy;
    if (isContextManager(strategy)) return managedStrategy(plugin.id, strategy);
    throw noStrategy(strategy, plugin);
  };
}

const isClass = (value: object): boolean => /^class\b/.test(Function.prototype.toString.call(value));

function checkDistinct(plugins: readonly PluginFile[]): void {
  const files = new Map(loadedFrom);
  for (const { id, file } of plugins) {
    const before = files.get(id);
    if (before !== undefined ? before !== file : strategyFactory(id) !== undefined) throw taken(id, file, before);
    files.set(id, file);
  }
}

function noStrategy(value: unknown, { pluginId, file }: PluginFile): VarveError {
  const lacks = value instanceof Promise ? "It is a promise: make the strategy at once." : `It has ${fieldsOf(value)}.`;
  return new VarveError({
    code: "invalid-plugin",
    message: `What "${pluginId}" of ${file} exports is no strategy.`,
    hint: `Export a strategy (a name and the method plan), a context manager (composePayload), or a function of the config that returns one. ${lacks}`,
    details: { file, pluginId },
  });
}

const fieldsOf = (value: unknown): string => Object.keys(Object(value)).join(", ") || "no fields";

const taken = (id: string, file: string, before: string | undefined): VarveError =>
  new VarveError({
    code: "invalid-plugin",
    message: `The id "${id}" of ${file} is taken by ${before ?? "a strategy that is known already"}.`,
    hint: "Choose another id: sessions find the strategy under it.",
    details: { file, path: "id", value: id },
  });
