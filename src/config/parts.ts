/** The parts that a configuration names: models, summariser, embedder, store. Each is loaded only when it is asked for. */
import type { Summariser } from "../digest/summariser.js";
import type { Embedder } from "../embed/embedder.js";
import { VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import type { StreamingModel } from "../model/streaming.js";
import type { Store } from "../store/store.js";
import type { Environment } from "./environment.js";
import type { LoadedConfig } from "./load-config.js";
import { type Endpoint, resolveEndpoint } from "./providers.js";
import type { PluginFile } from "./read-plugin.js";

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
  { config: { summariser, chat }, folder }: LoadedConfig,
  environment: Environment,
): Promise<Summariser | undefined> {
  if (summariser === undefined || summariser === "extractive") return undefined;
  if (isPluginPart(summariser)) {
    const file = { pluginId: summariser.plugin, kind: "summariser" as const, config: summariser.options };
    return (await fromPlugin({ ...file, folder }, (found) => has(found, "summarise"))) as Summariser;
  }
  const model = await configuredModel({ ...chat, ...summariser }, environment);
  const { modelSummariser } = await import("../digest/model-summariser.js");
  return modelSummariser(model);
}

/** Turns texts into vectors. Without the key of a provider the built-in one does, so that memory works all the same. */
export async function configuredEmbedder(
  { config: { embedder = "built-in" }, folder }: LoadedConfig,
  environment: Environment,
): Promise<Embedder> {
  if (embedder === "built-in") return (await import("../embed/built-in-embedder.js")).builtInEmbedder();
  if ("onnx" in embedder) return (await import("../embed/onnx-embedder.js")).onnxEmbedder({ model: embedder.onnx });
  if (isPluginPart(embedder)) {
    const file = { pluginId: embedder.plugin, kind: "embedder" as const, config: embedder.options };
    return (await fromPlugin({ ...file, folder }, (found) => has(found, "embed"))) as Embedder;
  }
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
export async function configuredStore({ config: { store = "memory" }, folder }: LoadedConfig): Promise<string | Store> {
  if (typeof store === "string") return store;
  const file = { pluginId: store.plugin, kind: "store" as const, config: store.options };
  return (await fromPlugin({ ...file, folder }, (found) => has(found, "commit") && has(found, "read"))) as Store;
}

interface PartFile extends Pick<PluginFile, "pluginId" | "config"> {
  readonly kind: NonNullable<PluginFile["kind"]>;
  readonly folder: string;
}

/** A plug-in's module exports the part, or a function of its options that makes it. */
async function fromPlugin({ folder, ...part }: PartFile, isPart: (found: unknown) => boolean): Promise<unknown> {
  const { importPlugin } = await import("./plugin-module.js");
  const file = `${folder}/varve.json`;
  const found = await importPlugin({ ...part, id: part.pluginId, file });
  const made: unknown = typeof found === "function" ? await found(part.config ?? {}) : found;
  if (isPart(made)) return made;
  throw new VarveError({
    code: "invalid-plugin",
    message: `What "${part.pluginId}" of ${file} exports is no ${part.kind}.`,
    hint: `Export a ${part.kind}, or a function of its options that returns one.`,
    details: { file, pluginId: part.pluginId },
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
