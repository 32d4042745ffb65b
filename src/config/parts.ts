/** The parts that a configuration names: models, summariser, embedder, store. Each is loaded only when it is asked for. */

import type { Embedder } from "../embed/embedder.js";
import { VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import type { StreamingModel } from "../model/streaming.js";
import type { Summariser } from "../notes/summariser.js";
import type { Store } from "../store/store.js";
import type { Environment } from "./environment.js";
import type { LoadedConfig } from "./load-config.js";
import { type Endpoint, resolveEndpoint } from "./providers.js";

interface PluginPart {
  readonly plugin: string;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

const isPluginPart = (part: object): part is PluginPart => "plugin" in part;

/** The model of an endpoint, or one that a plug-in names. */
export async function configuredModel(endpoint: Endpoint, environment: Environment): Promise<StreamingModel> {
  const { protocol, model, baseURL, apiKey, keyName } = resolveEndpoint(endpoint, environment);
  if (protocol === "openai") {
    const { openaiCompatible } = await import("../model/openai-compatible.js");
    return openaiCompatible({ baseURL, model, ...(apiKey !== undefined && { apiKey }) });
  }
  if (apiKey === undefined) throw noKey(model, keyName);
  const { anthropic } = await import("../model/anthropic.js");
  return anthropic({ baseURL, model, apiKey });
}

/** Writes the prose of digests; undefined where the log's own words are to do. */
export async function configuredSummariser(
  loaded: LoadedConfig,
  environment: Environment,
): Promise<Summariser | undefined> {
  const { summariser, chat, strategyOptions } = loaded.config;
  if (strategyOptions?.compressionModel !== undefined) await loaded.allow("chat", "texts");
  if (summariser === undefined || summariser === "extractive") return undefined;
  await loaded.allow("summariser", "texts");
  if (isPluginPart(summariser))
    return (await fromPlugin(loaded, { kind: "summariser", part: summariser, methods: ["summarise"] })) as Summariser;
  await loaded.allow("chat");
  const model = await configuredModel({ ...chat, ...summariser }, environment);
  const { modelSummariser } = await import("../notes/model-summariser.js");
  return modelSummariser(model);
}

/** Turns texts into vectors. Without the key of a provider the built-in one does, so that memory works all the same. */
export async function configuredEmbedder(loaded: LoadedConfig, environment: Environment): Promise<Embedder> {
  const { embedder = "built-in" } = loaded.config;
  await loaded.allow("embedder");
  if (embedder === "built-in") return (await import("../embed/built-in-embedder.js")).builtInEmbedder();
  if ("onnx" in embedder) return (await import("../embed/onnx-embedder.js")).onnxEmbedder({ model: embedder.onnx });
  if (isPluginPart(embedder))
    return (await fromPlugin(loaded, { kind: "embedder", part: embedder, methods: ["embed"] })) as Embedder;
  const { model, baseURL, apiKey, keyName, isOwn } = resolveEndpoint({ protocol: "openai", ...embedder }, environment);
  if (apiKey === undefined && !isOwn) {
    process.emitWarning(builtInInstead(model, keyName));
    return (await import("../embed/built-in-embedder.js")).builtInEmbedder();
  }
  const { openaiEmbedder } = await import("../embed/openai-embedder.js");
  const { dimensions } = embedder;
  return openaiEmbedder({ baseURL, model, ...(apiKey && { apiKey }), ...(dimensions && { dimensions }) });
}

/** The address of the store, or the store that a plug-in brings. */
export async function configuredStore(loaded: LoadedConfig): Promise<string | Store> {
  const { store = "memory" } = loaded.config;
  await loaded.allow("store");
  if (typeof store === "string") return store;
  return (await fromPlugin(loaded, { kind: "store", part: store, methods: ["commit", "read"] })) as Store;
}

interface Wanted {
  readonly kind: "summariser" | "embedder" | "store";
  readonly part: PluginPart;
  readonly methods: readonly string[];
}

/**
 * A plug-in's module exports the part, or a function of its options that makes it. It is looked for from the file that names
 * it: a package of the user's own file must not be found in what came with a project.
 */
async function fromPlugin({ values, folder }: LoadedConfig, { kind, part, methods }: Wanted): Promise<unknown> {
  const { plugin: pluginId, options: config } = part;
  const { importPlugin } = await import("./plugin-module.js");
  const source = values.find(({ path }) => path === kind)?.source;
  const file = source !== undefined && "file" in source ? source.file : `${folder}/varve.json`;
  const found = await importPlugin({ id: pluginId, pluginId, kind, config, file });
  const made: unknown = typeof found === "function" ? await found(config ?? {}) : found;
  if (methods.every((method) => has(made, method))) return made;
  throw new VarveError({
    code: "invalid-plugin",
    message: `What "${pluginId}" of ${file} exports is no ${kind}.`,
    hint: `Export a ${kind}, or a function of its options that returns one.`,
    details: { file, pluginId },
  });
}

const has = (value: unknown, method: string): boolean => isObject(value) && typeof value[method] === "function";

const builtInInstead = (model: string, keyName: string): VarveError =>
  new VarveError({
    code: "embedder-unavailable",
    message: `The embedder ${model} needs ${keyName}, which is not set: the built-in one is used.`,
    hint: `Set ${keyName}, or "embedder" in varve.json to "built-in".`,
    details: { model, variable: keyName },
  });

const noKey = (model: string, keyName: string): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `The model "${model}" needs a key, and the environment variable ${keyName} is not set.`,
    hint: `Set ${keyName}, or name another variable with "apiKeyEnv" in varve.json.`,
    details: { model, variable: keyName },
  });
