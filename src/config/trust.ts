/**
 * What a project's files ask for that could harm: to run code, to send a key or what was said somewhere else, to instruct the
 * model. They come with a checkout that nobody may have read, so that they are asked about before they take effect.
 */
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import { SNAPSHOT_FOLDER } from "../session/snapshots.js";
import type { ConfigFiles } from "./find-files.js";
import { type ConfigValue, objectOf } from "./layer.js";
import type { Endpoint } from "./providers.js";
import { readSmall } from "./read-small.js";
import type { Config } from "./schema.js";
import { isWithin, truePath } from "./true-path.js";

/** What the files of a project want to be trusted with. */
export interface TrustRequest {
  /** The project's file, its varve.json or the plugin.json in its place; or the store that lies in the project's folder. */
  readonly file: string;
  /** Changes with the file and with every plugin.json that it stands on; that of a store with its file. */
  readonly hash: string;
  readonly wants: readonly TrustedWant[];
  /** What the user should know besides: sentences. */
  readonly note?: string;
}

/** One thing that is wanted: "run /home/ann/atlas/x.js". */
export interface TrustedWant {
  /** The setting that wants it; "texts" where a store's are to reach a model, "*" where it concerns all that is done. */
  readonly path: string;
  readonly text: string;
}

/** A configuration, as far as its trust is concerned. */
export interface Merged {
  readonly values: readonly ConfigValue[];
  readonly files: ConfigFiles;
  readonly folder: string;
}

/** All that is to be asked about: the project's file, and what lies in its folder. */
export const trustRequests = async (merged: Merged): Promise<TrustRequest[]> =>
  [await fileRequest(merged), ...placeRequests(merged)].filter((each) => each !== undefined);

/** What the values in force ask for that comes from the project's files; undefined where it is nothing. */
export async function fileRequest({ values, files, folder }: Merged): Promise<TrustRequest | undefined> {
  const file = files.project ?? files.plugin;
  if (file === undefined) return undefined;
  const own = values.filter(({ source }) => source.kind === "project");
  const merged = { config: objectOf(values) as Config, folder: truePath(folder) };
  const plugins = pluginFiles(own, files);
  const wants = [
    ...(files.foreign === undefined ? [] : [{ path: "*", text: `decide what varve does here, and ${files.foreign}` }]),
    ...(await strategyWants(plugins)),
    ...(await Promise.all(own.map((each) => wantsOf(each, merged)))).flat(),
  ];
  const distinct = [...new Map(wants.map((want) => [`${want.path} ${want.text}`, want])).values()];
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

interface Within {
  readonly config: Config;
  readonly folder: string;
}

async function wantsOf({ path, value }: ConfigValue, { config, folder }: Within): Promise<TrustedWant[]> {
  if (path === "store" && typeof value === "string")
    return isOwnStore(value, folder) ? [] : [{ path, text: `keep sessions at ${storeWords(value)}` }];
  if (path === "snapshots.folder")
    return isWithin(folder, truePath(String(value))) ? [] : [{ path, text: `write snapshots to ${String(value)}` }];
  if (path === "memory.scope") return isOwnStore(config.store, folder) ? [] : [remembering(value, config.store)];
  if (path === "chat.system") return [{ path, text: `tell the model: ${JSON.stringify(value)}` }];
  if (path === "chat.environment" && Array.isArray(value))
    return [{ path, text: `let commands that the model runs see ${value.join(", ")}` }];
  const chat = { ...config.chat, model: config.chat?.model ?? config.model };
  if (path === "chat.baseURL" || path === "chat.apiKeyEnv" || (CHOOSING.has(path) && followsModel(chat)))
    return [await sending("chat", chat)];
  if (!PARTS.has(path) || !isObject(value)) return [];
  const code = value.plugin ?? value.onnx;
  if (code !== undefined) return [{ path, text: `run ${String(code)}` }];
  const endpoint = { ...(path === "summariser" ? config.chat : { protocol: "openai" as const }), ...value };
  const isNamed = "baseURL" in value || "apiKeyEnv" in value || followsModel(endpoint);
  return isNamed ? [await sending(path, endpoint)] : [];
}

/** What chooses the provider of a chat where no address does. */
const CHOOSING = new Set(["model", "chat.model", "chat.protocol"]);

/** A key that the user named for one provider goes to any other that the model is of. */
const followsModel = ({ apiKeyEnv, baseURL }: Endpoint): boolean => apiKeyEnv !== undefined && baseURL === undefined;

const PARTS = new Set(["store", "summariser", "embedder"]);

/** In memory, or a file or folder that lies in the project's folder: all else may be anything, now or later. */
function isOwnStore(address: Config["store"], folder: string): boolean {
  if (address === undefined || address === "memory" || address === "sqlite::memory:") return true;
  const place = placeOf(address);
  return place !== undefined && isWithin(folder, truePath(place));
}

/** Other projects' memories may be there, and whatever is written there may reach their models. */
const remembering = (scope: unknown, store: Config["store"]): TrustedWant => ({
  path: "memory.scope",
  text: `use the memories of ${JSON.stringify(scope)} in ${storeWords(store)}`,
});

const storeWords = (store: Config["store"]): string =>
  typeof store === "object" ? store.plugin : String(store).replace(/\/\/.*@/s, "//…@");

/** The file or folder of a store that is one. */
function placeOf(store: unknown): string | undefined {
  const place = typeof store === "string" ? /^(?:sqlite|file):(.+)$/s.exec(store)?.[1] : undefined;
  return place === undefined || place === ":memory:" ? undefined : resolve(place);
}

async function sending(path: string, endpoint: Endpoint): Promise<TrustedWant> {
  const { resolveEndpoint } = await import("./providers.js");
  const { keyName, baseURL } = resolveEndpoint({ ...endpoint, model: endpoint.model ?? "gpt" }, {});
  return { path, text: `send ${keyName} to ${baseURL}` };
}

/** What lies in the project's folder where the user did not say so, and may have come with it. */
function placeRequests({ values, folder }: Merged): TrustRequest[] {
  const root = truePath(folder);
  return placesOf(values).flatMap(({ path, place, source: { kind } }) => {
    if (kind !== "default" && kind !== "project") return [];
    if (isWithin(root, truePath(place))) return existsSync(place) ? [placeRequest(place)] : [];
    const text = `keep what is said at ${truePath(place)}, to which it links`;
    return kind === "project" ? [] : [{ file: place, hash: truePath(place), wants: [{ path, text }, READING] }];
  });
}

/** Where something is kept, and what says so. */
export interface Place extends Pick<ConfigValue, "path" | "source"> {
  readonly place: string;
}

/** The files and folders in which sessions and snapshots are kept. */
export function placesOf(values: readonly ConfigValue[]): Place[] {
  const store = values.find(({ path }) => path === "store");
  const given = values.find(({ path }) => path === "snapshots.folder");
  const isOn = values.some(({ path, value }) => /^snapshots\b/.test(path) && value !== false);
  const snapshots = given ?? (isOn ? DEFAULT_SNAPSHOTS : undefined);
  return [
    { ...store, place: placeOf(store?.value) },
    { ...snapshots, place: snapshots && resolve(String(snapshots.value)) },
  ].flatMap(({ path, source, place }) =>
    path === undefined || source === undefined || place === undefined ? [] : [{ path, source, place }],
  );
}

const DEFAULT_SNAPSHOTS: ConfigValue = {
  path: "snapshots.folder",
  value: SNAPSHOT_FOLDER,
  source: { kind: "default" },
};

/** A file that is put in the place of another has another number and another birth. */
export function placeRequest(place: string): TrustRequest {
  const { ino, birthtimeNs } = statSync(place, { bigint: true });
  return { file: place, hash: `${ino}:${birthtimeNs}`, wants: [READING], note: SHIPPED };
}

const READING: TrustedWant = { path: "texts", text: "have the model read what it holds" };
const SHIPPED =
  "Varve's commands did not make it here: it came with the folder, or a program or an earlier varve made it.";

async function hashOf(files: readonly string[]): Promise<string> {
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(contentOf(file)).update("\0");
  return hash.digest("hex");
}

/** The folder of a plugin.json may stand for it. */
function contentOf(file: string): Uint8Array {
  try {
    return readSmall(file);
  } catch {
    return readSmall(`${file}/plugin.json`);
  }
}

/** Each thing once, though several settings may want it. */
export const wantedTexts = ({ wants }: TrustRequest): string[] => [...new Set(wants.map(({ text }) => text))];

/** "/home/ann/atlas/varve.json wants to run ./x.js, and to send KEY to http://…." */
export const wantedWords = (request: TrustRequest): string =>
  `${request.file} wants to ${wantedTexts(request).join(", and to ")}.${request.note ? ` ${request.note}` : ""}`;

export const untrusted = (request: TrustRequest): VarveError =>
  new VarveError({
    code: "untrusted",
    message: `${wantedWords(request)} It is not trusted.`,
    hint: `Read it${request.note ? " with `varve session show`" : ""}; then trust it with \`varve config trust\`, or for one call with --trust or VARVE_TRUST=1.`,
    details: { file: request.file, wants: wantedTexts(request) },
  });
