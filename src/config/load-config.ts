import { dirname, join, resolve } from "node:path";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { DEFAULT_STRATEGY } from "../view/strategies/default-strategy.js";
import { checkMerged } from "./check-merged.js";
import { type Environment, environmentLayer, unknownVariables } from "./environment.js";
import { type ConfigFiles, findFiles } from "./find-files.js";
import { type ConfigSource, type ConfigValue, type Layer, mergeLayers, objectOf } from "./layer.js";
import { resolvePaths } from "./paths.js";
import type { Config } from "./schema.js";
import type { TrustRequest } from "./trust.js";

export interface LoadConfigOptions {
  /** Where the search for a project's file starts; the working folder unless given. */
  readonly folder?: string;
  /** `process.env` unless given. */
  readonly environment?: Environment;
  /** What was given on the command line, by path: `{ window: { name: "--window", value: 8_000 } }`. */
  readonly flags?: Readonly<Record<string, { readonly name: string; readonly value: unknown }>>;
  /**
   * Asked whether the project's files may do what could harm, such as running code or sending a key; refused, nothing is loaded.
   * Trusted unless given: a program that reads a project's configuration is of that project.
   */
  readonly trust?: (request: TrustRequest) => boolean | Promise<boolean>;
}

const OPTIONS: OptionNames<LoadConfigOptions> = { folder: true, environment: true, flags: true, trust: true };

/** A configuration, with the source of every value. */
export interface LoadedConfig {
  readonly config: Config;
  readonly values: readonly ConfigValue[];
  readonly files: ConfigFiles;
  /** The folder that belongs to the project: that of its file, or the working one. */
  readonly folder: string;
  /** What was asked for and is done in another way, or not at all. */
  readonly notes: readonly string[];
  /** Called by whatever makes a part, with its settings: throws where what the project says of them is not trusted. */
  allow(...paths: readonly string[]): Promise<void>;
}

/**
 * The configuration in force: flags over the environment, over the project's `varve.json`, over the user's own.
 *
 * @example
 * ```ts
 * const { config, values } = await loadConfig({ folder: "/home/ann/atlas" });
 * values.find(({ path }) => path === "window")?.source; // { kind: "environment", name: "VARVE_WINDOW" }
 * ```
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  const merged = await mergedConfig(options);
  if (options.trust !== undefined) {
    const { fileRequest, untrusted } = await import("./trust.js");
    const request = await fileRequest(merged);
    if (request !== undefined && !(await options.trust(request))) throw untrusted(request);
  }
  return { ...merged, allow: async () => undefined };
}

/** The same, where the user is asked about a part when it is first used, and about what came with the folder too. */
export async function loadAsking(
  options: LoadConfigOptions & Required<Pick<LoadConfigOptions, "trust">>,
): Promise<LoadedConfig> {
  const merged = await mergedConfig(options);
  const answers = new Map<TrustRequest, boolean>();
  let requests: readonly TrustRequest[] | undefined;
  const allow: LoadedConfig["allow"] = async (...paths) => {
    const { trustRequests, untrusted } = await import("./trust.js");
    requests ??= await trustRequests(merged);
    for (const request of requests) {
      if (!request.wants.some(({ path }) => path === "*" || paths.includes(path))) continue;
      const answer = answers.get(request) ?? (await options.trust(request));
      answers.set(request, answer);
      if (!answer) throw untrusted(request);
    }
  };
  return { ...merged, allow };
}

async function mergedConfig(options: LoadConfigOptions): Promise<Omit<LoadedConfig, "allow">> {
  checkNames(options, OPTIONS, "loadConfig");
  const { environment = process.env, flags = {} } = options;
  const working = resolve(options.folder ?? ".");
  const files = findFiles(working, environment);
  const folder = projectFolder(files) ?? working;
  const given = [flagLayer(flags, working), environmentLayer(environment, working)];
  const read = await readFiles(files, given);
  const values = mergeLayers([...given, ...read.layers, defaultLayer(folder)]);
  checkMerged(values);
  const notes = [...read.notes, ...unknownVariables(environment)];
  return { config: objectOf(values) as Config, values: values.toSorted(byPath), files, folder, notes };
}

const projectFolder = ({ project, plugin }: ConfigFiles): string | undefined => {
  const file = project ?? plugin;
  return file === undefined ? undefined : dirname(file);
};

const byPath = (a: ConfigValue, b: ConfigValue): number => (a.path < b.path ? -1 : 1);

function flagLayer(flags: NonNullable<LoadConfigOptions["flags"]>, folder: string): Layer {
  const values = Object.entries(flags)
    .filter(([, { value }]) => value !== undefined)
    .map(([path, { name, value }]) => ({ path, value, source: { kind: "flag", name } satisfies ConfigSource }));
  return resolvePaths(values, folder);
}

const defaultLayer = (folder: string): Layer => [
  { path: "store", value: `sqlite:${join(folder, ".varve", "varve.db")}`, source: { kind: "default" } },
  { path: "strategy", value: DEFAULT_STRATEGY, source: { kind: "default" } },
  { path: "summariser", value: "extractive", source: { kind: "default" } },
  { path: "embedder", value: "built-in", source: { kind: "default" } },
];

interface ReadFiles {
  readonly layers: readonly Layer[];
  readonly notes: readonly string[];
}

/** Texts given by flags or variables alone need no check. */
async function readFiles(files: ConfigFiles, given: readonly Layer[]): Promise<ReadFiles> {
  const isPlain = given.flat().every(({ path, value }) => typeof value === "string" && TEXTS.has(path));
  const plugin = files.plugin === undefined ? [] : [await pluginLayer(files.plugin)];
  if (isPlain && files.project === undefined && files.user === undefined) return { layers: plugin, notes: [] };
  const { checkLayer, readConfig } = await import("./read-config.js");
  for (const layer of given) await checkLayer(layer);
  const project = files.project === undefined ? [] : [await readConfig(files.project, "project")];
  const user = files.user === undefined ? [] : [await readConfig(files.user, "user")];
  return {
    layers: [...project.map(({ layer }) => layer), ...plugin, ...user.map(({ layer }) => layer)],
    notes: [...project, ...user].flatMap(({ notes }) => notes),
  };
}

const TEXTS = new Set(["store", "model", "strategy"]);

/** A plugin.json chooses its own strategy. */
async function pluginLayer(file: string): Promise<Layer> {
  const { readPlugin } = await import("./read-plugin.js");
  const { id } = await readPlugin(file);
  const source: ConfigSource = { kind: "project", file, key: "contextStrategy" };
  return [
    { path: "strategy", value: id, source },
    { path: "plugins", value: [file], source },
  ];
}
