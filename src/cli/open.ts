/** What commands stand on: the configuration, a store, a session. Each is opened as late and as lightly as can be. */
import { existsSync } from "node:fs";
import { checkStrategy } from "../config/check-merged.js";
import { type LoadedConfig, loadAsking } from "../config/load-config.js";
import type { Place } from "../config/trust.js";
import { VarveError } from "../errors.js";
import type { Varve } from "../session/open-varve.js";
import type { SessionInfo, Store } from "../store/store.js";
import { askTrust } from "./open-trusted.js";

/** The options of the group "store". */
export interface StoreOptions {
  readonly store?: string;
  readonly config?: string;
  readonly set?: readonly string[];
  readonly trust?: boolean;
}

/** Those of the groups "session" and "window" with them. */
export interface SessionChoice extends StoreOptions {
  readonly session?: string;
  readonly model?: string;
  readonly window?: number;
  readonly strategy?: string;
  /** What is open already, as in a chat: it is used, and left open. */
  readonly opened?: { readonly varve: Varve; readonly loaded: LoadedConfig };
}

/** The configuration with the flags of a call on top. The user is asked about what a project must not do unasked, once it is used. */
export async function configOf(options: SessionChoice): Promise<LoadedConfig> {
  const { store, model, window, strategy, config, set = [] } = options;
  const environment = config === undefined ? process.env : { ...process.env, VARVE_CONFIG: config };
  const given = { store, model, window, strategy };
  const named = Object.entries(given).map(([path, value]) => [path, { name: `--${path}`, value }] as const);
  const flags = Object.fromEntries([...set.map(parseSet), ...named.filter(isGiven)]);
  const loaded = await loadAsking({ environment, flags, trust: askTrust(options) });
  await checkStrategy(loaded);
  return loaded;
}

type Flag = readonly [path: string, { readonly name: string; readonly value: unknown }];
const isGiven = ([, { value }]: Flag): boolean => value !== undefined;

/** "memory.enabled=true": the value is JSON where it can be, else the text itself. */
function parseSet(text: string): Flag {
  const at = text.indexOf("=");
  const path = text.slice(0, at);
  if (at > 0) return [path, { name: `--set ${path}`, value: jsonOr(text.slice(at + 1)) }];
  throw new VarveError({
    code: "invalid-option",
    message: `--set ${text} names no value.`,
    hint: "Give a path and a value, such as --set memory.enabled=true.",
    details: { option: "--set", value: text },
  });
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether a new store may be made where there is none. */
export interface OpenOptions {
  readonly create?: boolean;
  /** Whether it is opened to be repaired, also where it is too damaged to be used. */
  readonly salvages?: boolean;
}

/** Opens the store alone: nothing that makes views is loaded. */
export async function withStore<T>(
  options: SessionChoice,
  work: (store: Store, loaded: LoadedConfig) => Promise<T>,
  { create = false, salvages = false }: OpenOptions = {},
): Promise<T> {
  const loaded = await configOf(options);
  const store = await openConfigured(loaded, create, salvages);
  try {
    return await work(store, loaded);
  } finally {
    await store.close();
  }
}

/** Opens the configured store. What is made by that is known as made here from then on. */
export async function openConfigured(loaded: LoadedConfig, create: boolean, salvages = false): Promise<Store> {
  const address = await addressOf(loaded, create);
  const places = create ? (await import("../config/trust.js")).placesOf(loaded.values) : [];
  const made = places.filter(({ place }) => !existsSync(place));
  const { openStore } = await import("../store/open-store.js");
  const store = await openStore(address, { warn: (warning) => process.emitWarning(warning), salvages });
  if (made.length > 0) await rememberMade(made);
  return store;
}

/** Where the list cannot be written the user is going to be asked, and that is told. */
async function rememberMade(places: readonly Place[]): Promise<void> {
  const { placeRequest } = await import("../config/trust.js");
  const { trustFile } = await import("../config/trusted-files.js");
  const { makeFolder } = await import("../store/drivers/file-system.js");
  try {
    for (const { path, place } of places) {
      if (path === "snapshots.folder") makeFolder(place);
      trustFile(placeRequest(place), process.env);
    }
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}

/** The address of the store, or the store of a plug-in. What is not there is not made by looking at it. */
async function addressOf(loaded: LoadedConfig, create: boolean): Promise<string | Store> {
  const store = await (await import("../config/parts.js")).configuredStore(loaded);
  if (typeof store !== "string") return store;
  if (store === "memory") throw onlyInMemory();
  const [, path] = /^(?:sqlite|file):(.+)$/s.exec(store) ?? [];
  if (!create && path !== undefined && !existsSync(path)) throw noStore(store);
  return store;
}

/** The id of the session that a call means: the one named, or the one changed last. */
export async function sessionIdOf({ session }: SessionChoice, store: Pick<Store, "sessions">): Promise<string> {
  const named = session ?? process.env.VARVE_SESSION;
  if (named) return named;
  const latest = (await allSessions(store)).sort((a, b) => b.updated - a.updated)[0];
  if (latest !== undefined) return latest.id;
  throw new VarveError({
    code: "not-found",
    message: "The store has no session yet.",
    hint: "Start one with `varve chat` or with varve.session() in a program, or name another store with --store.",
  });
}

export async function allSessions(store: Pick<Store, "sessions">, prefix?: string): Promise<SessionInfo[]> {
  const found: SessionInfo[] = [];
  let after: string | undefined;
  do {
    const page = await store.sessions({ ...(after !== undefined && { after }), ...(prefix && { prefix }) });
    found.push(...page.sessions);
    after = page.next;
  } while (after !== undefined);
  return found;
}

export const noSession = (id: string): VarveError =>
  new VarveError({
    code: "not-found",
    message: `There is no session "${id}".`,
    hint: "`varve session list` shows those there are.",
    details: { session: id },
  });

const noStore = (address: string): VarveError =>
  new VarveError({
    code: "not-found",
    message: `There is no store at ${address} yet.`,
    hint: 'Start a session with `varve chat` or with varve.session() in a program, or name another store: --store, VARVE_STORE, or "store" in varve.json.',
    details: { store: address },
  });

const onlyInMemory = (): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: 'The store is "memory", which holds nothing from one command to the next.',
    hint: "Name a lasting store, such as --store sqlite:./varve.db.",
    details: { option: "store", value: "memory" },
  });
