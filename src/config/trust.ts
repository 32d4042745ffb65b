/**
 * What a project's files ask for that could harm: to run code, and to send a key or what was said somewhere else. Such a file
 * comes with a checkout that nobody may have read, so that it is asked about before it takes effect.
 */
import { readFileSync } from "node:fs";
import { VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import type { ConfigFiles } from "./find-files.js";
import { type ConfigValue, objectOf } from "./layer.js";
import type { Endpoint } from "./providers.js";
import type { Config } from "./schema.js";

/** What the files of a project want to be trusted with. */
export interface TrustRequest {
  /** The project's file: its varve.json, or the plugin.json in its place. */
  readonly file: string;
  /** Changes with the file and with every plugin.json that it stands on. */
  readonly hash: string;
  readonly wants: readonly TrustedWant[];
}

/** One thing that is wanted: "run /home/ann/atlas/x.js", and the setting that wants it. */
export interface TrustedWant {
  readonly path: string;
  readonly text: string;
}

interface Merged {
  readonly values: readonly ConfigValue[];
  readonly files: ConfigFiles;
}

/** What the values in force ask for that comes from the project's files; undefined where it is nothing. */
export async function trustRequest({ values, files }: Merged): Promise<TrustRequest | undefined> {
  const file = files.project ?? files.plugin;
  const own = values.filter(({ source }) => source.kind === "project");
  if (file === undefined) return undefined;
  const config = objectOf(values) as Config;
  const plugins = pluginFiles(own, files);
  const wants = [
    ...(await strategyWants(plugins)),
    ...(await Promise.all(own.map((each) => wantsOf(each, config)))).flat(),
  ];
  const distinct = [...new Map(wants.map((want) => [want.text, want])).values()];
  return distinct.length === 0 ? undefined : { file, hash: await hashOf([file, ...plugins]), wants: distinct };
}

function pluginFiles(own: readonly ConfigValue[], { plugin }: ConfigFiles): string[] {
  const listed = own.find(({ path }) => path === "plugins")?.value;
  return [
    ...new Set([...(Array.isArray(listed) ? listed.map(String) : []), ...(plugin === undefined ? [] : [plugin])]),
  ];
}

/** Strategies that come with varve run no code of the project's. */
async function strategyWants(plugins: readonly string[]): Promise<TrustedWant[]> {
  if (plugins.length === 0) return [];
  const { STRATEGY_ALIASES } = await import("./strategy-names.js");
  const { readPlugin } = await import("./read-plugin.js");
  const read = await Promise.all(plugins.map((path) => readPlugin(path)));
  return read
    .filter(({ pluginId }) => !STRATEGY_ALIASES.has(pluginId))
    .map(({ pluginId, file }) => ({ path: "plugins", text: `run ${pluginId} of ${file}` }));
}

async function wantsOf({ path, value }: ConfigValue, config: Config): Promise<TrustedWant[]> {
  const [part = ""] = path.split(".");
  if (path === "store" && typeof value === "string" && value.includes("://"))
    return [{ path, text: `keep sessions at ${value.replace(/\/\/.*@/s, "//…@")}` }];
  if (part === "chat") return /\.(?:baseURL|apiKeyEnv)$/.test(path) ? [await sending(part, config.chat ?? {})] : [];
  if (!PARTS.has(path) || !isObject(value)) return [];
  const code = value.plugin ?? value.onnx;
  if (code !== undefined) return [{ path, text: `run ${String(code)}` }];
  const base = path === "summariser" ? config.chat : { protocol: "openai" as const };
  return "baseURL" in value || "apiKeyEnv" in value ? [await sending(path, { ...base, ...value })] : [];
}

const PARTS = new Set(["store", "summariser", "embedder"]);

async function sending(path: string, endpoint: Endpoint): Promise<TrustedWant> {
  const { resolveEndpoint } = await import("./providers.js");
  const { keyName, baseURL } = resolveEndpoint({ ...endpoint, model: endpoint.model ?? "gpt" }, {});
  return { path, text: `send ${keyName} to ${baseURL}` };
}

async function hashOf(files: readonly string[]): Promise<string> {
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(contentOf(file)).update("\0");
  return hash.digest("hex");
}

/** The folder of a plugin.json may stand for it. */
function contentOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    return readFileSync(`${file}/plugin.json`);
  }
}

export const untrusted = ({ file, wants }: TrustRequest): VarveError =>
  new VarveError({
    code: "untrusted",
    message: `${file} wants to ${wants.map(({ text }) => text).join(", and to ")}, and is not trusted.`,
    hint: "Read it; then trust it with `varve config trust`, or for one call with --trust or VARVE_TRUST=1.",
    details: { file, wants: wants.map(({ text }) => text) },
  });
