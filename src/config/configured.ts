/** What a configuration makes: the options of varve and of its sessions, with strategies and plug-ins loaded. */
import { userInfo } from "node:os";
import { basename } from "node:path";
import { invalidOption, VarveError } from "../errors.js";
import { checkScope } from "../memory/check-input.js";
import { isObject } from "../message/plain-value.js";
import type { LanguageModel } from "../model/language-model.js";
import type { VarveOptions } from "../session/open-varve.js";
import type { SessionOptions } from "../session/session-options.js";
import { defined } from "../session/strategy-settings.js";
import type { Scope } from "../store/memories/memories.js";
import type { Strategy } from "../view/strategy.js";
import type { Environment } from "./environment.js";
import { describeSource } from "./layer.js";
import type { LoadedConfig } from "./load-config.js";
import { configuredEmbedder, configuredModel, configuredStore, configuredSummariser } from "./parts.js";
import type { Config } from "./schema.js";

/**
 * The options that a configuration gives `openVarve`.
 *
 * @example
 * ```ts
 * const varve = await openVarve(await varveOptions(await loadConfig()));
 * ```
 */
export async function varveOptions(
  loaded: LoadedConfig,
  environment: Environment = process.env,
): Promise<VarveOptions> {
  checkLoaded(loaded);
  const parts = await partOptions(loaded, MODEL_PARTS, environment);
  return { ...parts, store: await configuredStore(loaded) };
}

/** Parts that may be asked over the network, and that most commands do without. */
export type ModelPart = "summariser" | "embedder";
export const MODEL_PARTS: readonly ModelPart[] = ["summariser", "embedder"];

/** The same but for the store, which whoever opens it in another way makes but once, and with the parts that are used. */
export async function partOptions(
  loaded: LoadedConfig,
  used: readonly ModelPart[],
  environment: Environment = process.env,
): Promise<VarveOptions> {
  const { embedder = "built-in", snapshots } = loaded.config;
  if (snapshots) await loaded.allow("snapshots.folder");
  const embeds = used.includes("embedder") && embedder !== "built-in";
  return defined({
    snapshots: snapshots && snapshotOptions(snapshots, environment),
    summariser: used.includes("summariser") ? await configuredSummariser(loaded, environment) : undefined,
    embedder: embeds ? await configuredEmbedder(loaded, environment) : undefined,
  });
}

function snapshotOptions(
  snapshots: NonNullable<Config["snapshots"]>,
  environment: Environment,
): VarveOptions["snapshots"] {
  if (typeof snapshots === "boolean") return snapshots;
  const { keyEnv, ...rest } = snapshots;
  return { ...rest, ...(keyEnv !== undefined && { key: snapshotKey(keyEnv, environment) }) };
}

function snapshotKey(name: string, environment: Environment): string {
  const key = environment[name];
  if (key) return key;
  throw new VarveError({
    code: "invalid-option",
    message: `Snapshots are to be signed, and the environment variable ${name} is not set.`,
    hint: `Set ${name}, or remove "snapshots.keyEnv" from varve.json.`,
    details: { variable: name },
  });
}

/**
 * The options that a configuration gives a new session: window, strategy with its own options, checkpoints. Its
 * plug-ins are loaded by then.
 *
 * @example
 * ```ts
 * const session = await varve.session("user:agent:1", await sessionOptions(await loadConfig()));
 * ```
 */
export async function sessionOptions(
  loaded: LoadedConfig,
  environment: Environment = process.env,
): Promise<SessionOptions> {
  checkLoaded(loaded);
  const { model, window, reserve, trigger, target, maxSpend, pinBudget, cacheLifetime, checkpointEvery, chat } =
    loaded.config;
  const sized = window === undefined && model === undefined ? { model: chat?.model } : { window, model };
  const strategy = await configuredStrategy(loaded, environment);
  const memory = await configuredMemory(loaded);
  const limits = { reserve, trigger, target, maxSpend, pinBudget };
  return defined({ ...sized, ...limits, cacheLifetime, checkpointEvery, memory, strategy });
}

/** What sessions do with memories; nothing unless they are turned on or a scope is given. */
async function configuredMemory(loaded: LoadedConfig): Promise<SessionOptions["memory"]> {
  const { enabled, scope, ...rest } = loaded.config.memory ?? {};
  if (enabled === false || (enabled === undefined && scope === undefined)) return undefined;
  return { ...rest, scope: await configuredScope(loaded) };
}

/** Whose memories are meant: the names given over the configured scope, or this user's of this project. */
export async function configuredScope({ config, folder, allow }: LoadedConfig, given: object = {}): Promise<Scope> {
  await allow("memory.scope");
  const scope = config.memory?.scope;
  const isNamed = scope !== undefined || Object.keys(given).length > 0;
  return checkScope(
    isNamed ? { ...scope, ...given } : { user: userInfo().username, project: basename(folder) || "project" },
  );
}

/** The strategy that a configuration names, made with its options; plug-ins are known by then. */
export async function configuredStrategy(
  loaded: LoadedConfig,
  environment: Environment = process.env,
): Promise<string | Strategy | undefined> {
  const models = modelsOf(loaded, environment);
  await loadConfiguredPlugins(loaded, environment);
  const { strategy: name, strategyOptions: config } = loaded.config;
  if (name === undefined) return undefined;
  const { standardStrategy } = await import("./standard-strategies.js");
  const request = { id: name, pluginId: name, config, file: placeOf(loaded), path: "strategyOptions" };
  const made = standardStrategy(request, models)?.();
  if (made === undefined && config !== undefined && Object.keys(config).length > 0)
    throw optionsOfPlugin(name, request);
  return made ?? name;
}

/** Makes the strategies of a configuration's plug-ins known. */
export async function loadConfiguredPlugins(
  loaded: LoadedConfig,
  environment: Environment = process.env,
): Promise<void> {
  const { config, files } = loaded;
  const paths = new Set([...(config.plugins ?? []), ...(files.plugin === undefined ? [] : [files.plugin])]);
  if (paths.size === 0) return;
  await loaded.allow("plugins");
  const { loadPlugins } = await import("./plugin.js");
  await loadPlugins([...paths], { model: modelsOf(loaded, environment) });
}

type FindModel = (name: string) => LanguageModel;

/** Models by name. Plug-ins ask at once, so each model is made when it is first spoken with. */
function modelsOf({ config: { chat }, allow }: LoadedConfig, environment: Environment): FindModel {
  return (name) => {
    const { model: _model, ...address } = chat ?? {};
    let made: Promise<LanguageModel> | undefined;
    return {
      name,
      complete: async (request) => {
        await allow("chat", "texts");
        made ??= configuredModel({ ...address, model: name }, environment);
        return (await made).complete(request);
      },
    };
  };
}

/** Where the options of the strategy stand, for errors. */
function placeOf({ values }: LoadedConfig): string {
  const source = values.find(({ path }) => path.startsWith("strategyOptions."))?.source;
  if (source === undefined) return "the configuration";
  return "file" in source ? source.file : describeSource(source);
}

const optionsOfPlugin = (name: string, { file }: { readonly file: string }): VarveError =>
  new VarveError({
    code: "invalid-document",
    message: `"strategyOptions" of ${file} belongs to the strategy "${name}", which does not come with varve.`,
    hint: "Give the options of a plug-in in its plugin.json, under contextStrategy.config.",
    details: { file, path: "strategyOptions", strategy: name },
  });

/** What a configuration says of `maybeCompactContext` and of `compactContext`. */
export function compactionOptions(loaded: LoadedConfig): {
  readonly messages: {
    window?: number;
    trigger?: number;
    target?: number;
    keepLastTurns?: number;
    maxAttempts?: number;
  };
  readonly document: { maxHistory?: number; keep?: number; maxTokens?: number };
} {
  checkLoaded(loaded);
  const { model, window, trigger, target, compaction = {} } = loaded.config;
  const { keepLastTurns, maxAttempts, maxHistory, maxTokens } = compaction;
  const keep = compaction.keep ?? (maxHistory === undefined ? undefined : Math.ceil(maxHistory * KEPT));
  return {
    messages: defined({ model, window, trigger, target, keepLastTurns, maxAttempts }),
    document: defined({ maxHistory, keep, maxTokens }),
  };
}

function checkLoaded(loaded: unknown): void {
  if (isObject(loaded) && isObject(loaded.config) && isObject(loaded.files) && Array.isArray(loaded.values)) return;
  throw invalidOption({ option: "loaded", value: loaded, allowed: "what loadConfig() resolves to" });
}

/** Share of a history that a compaction keeps: 30 of 50. */
const KEPT = 0.6;
