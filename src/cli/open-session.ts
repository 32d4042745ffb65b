import { configuredStrategy, loadConfiguredPlugins, type ModelPart, partOptions } from "../config/configured.js";
import type { LoadedConfig } from "../config/load-config.js";
import { openVarve, type Varve } from "../session/open-varve.js";
import type { Session } from "../session/session.js";
import type { SessionOptions } from "../session/session-options.js";
import type { SessionSummary } from "../session/session-summary.js";
import { defined } from "../session/strategy-settings.js";
import type { Store } from "../store/store.js";
import { findModel } from "../tokens/models.js";
import { DEFAULT_STRATEGY } from "../view/strategies/default-strategy.js";
import { strategyFactory } from "../view/strategies/registry.js";
import { configOf, noSession, type OpenOptions, openConfigured, type SessionChoice, sessionIdOf } from "./open.js";
import { formatCount } from "./terminal/format.js";

/** Opens varve as configured, and closes it whatever happens. */
export async function withVarve<T>(
  options: SessionChoice,
  work: (varve: Varve, loaded: LoadedConfig) => Promise<T>,
  { create = false, look = false, uses = [] }: VarveAccess = {},
): Promise<T> {
  const { opened } = options;
  if (opened !== undefined && !(look && isTrial(options))) return work(opened.varve, opened.loaded);
  const loaded = await configOf(options);
  const parts = await partOptions(loaded, uses);
  const store = await openConfigured(loaded, create);
  const varve = await openVarve({ ...parts, store: look ? unchanged(store) : store }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  try {
    return await work(varve, loaded);
  } finally {
    await varve.close();
  }
}

const isTrial = ({ window, model, strategy }: SessionChoice): boolean =>
  window !== undefined || model !== undefined || strategy !== undefined;

export interface VarveAccess extends OpenOptions {
  /** Only looks: whatever is tried out, such as another window, leaves the store as it is. */
  readonly look?: boolean;
  /** What a command asks of models: the others are not made, and need no trust. */
  readonly uses?: readonly ModelPart[];
}

/** A store that takes every change and makes none. All else is the store's own, whose methods may be those of a class. */
const unchanged = (store: Store): Store =>
  new Proxy(store, {
    get(target, name) {
      const value: unknown = name === "commit" ? commitNothing : Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

const commitNothing: Store["commit"] = async (_, { version }) => ({ status: "committed", version });

/** Options that a command lays over those of the session's strategy; from then on they are the session's. */
type StrategyExtra = (strategy: string) => Readonly<Record<string, unknown>> | undefined;

/** Opens the session that a call means. It goes on as its program left it, but for what flags say. */
export async function withSession<T>(
  options: SessionChoice,
  work: (session: Session, varve: Varve) => Promise<T>,
  { extra = () => undefined, ...access }: SessionAccess = {},
): Promise<T> {
  const open = async (varve: Varve, loaded: LoadedConfig): Promise<T> => {
    const id = await sessionIdOf(options, varve);
    const summary = await varve.describe(id);
    if (summary === undefined) throw noSession(id);
    return work(await varve.session(id, await optionsFor(options, { loaded, summary, extra })), varve);
  };
  return withVarve(options, open, access);
}

interface SessionAccess extends VarveAccess {
  readonly extra?: StrategyExtra;
}

interface Opening {
  readonly loaded: LoadedConfig;
  readonly summary: SessionSummary;
  readonly extra?: StrategyExtra;
}

/**
 * What the flags change. A session that was stored without a size takes that of the configuration, and one whose strategy
 * is not known any more the configured strategy.
 */
export async function optionsFor(options: SessionChoice, { loaded, summary, extra }: Opening): Promise<SessionOptions> {
  const { window, model } = options;
  const { strategyOptions = {}, ...stored } = summary.options ?? {};
  const kept = typeof stored.strategy === "string" ? stored.strategy : DEFAULT_STRATEGY;
  if (strategyFactory(kept) === undefined) await loadConfiguredPlugins(loaded);
  const named = options.strategy ?? replacement(kept, loaded);
  const name = named ?? kept;
  const more = extra?.(name);
  const own = named === undefined ? strategyOptions : {};
  const made =
    more === undefined && named === undefined ? undefined : await strategyOf(loaded, name, { ...own, ...more });
  const isSized = [stored.window, stored.model, window, model].some((each) => each !== undefined);
  return defined({ ...(isSized ? {} : sizeOf(loaded)), ...defined({ window, model, strategy: made }) });
}

/** The configured strategy where the session's own is known neither by its name nor by a plug-in. */
function replacement(kept: string, { config, values }: LoadedConfig): string | undefined {
  const isChosen = values.some(({ path, source }) => path === "strategy" && source.kind !== "default");
  if (strategyFactory(kept) !== undefined || !isChosen || config.strategy === undefined) return undefined;
  console.error(`Note: the session's strategy ${kept} is not known here; it goes on with ${config.strategy}.`);
  return config.strategy;
}

const WINDOW = 128_000;

function sizeOf({ config: { window, model, chat } }: LoadedConfig): SessionOptions {
  if (window !== undefined || model !== undefined) return defined({ window, model });
  if (chat?.model !== undefined && findModel(chat.model) !== undefined) return { model: chat.model };
  console.error(
    `Note: neither the session nor the configuration names a window; ${formatCount(WINDOW)} tokens are taken.`,
  );
  return { window: WINDOW };
}

function strategyOf(loaded: LoadedConfig, name: string, options: Readonly<Record<string, unknown>>) {
  const { config } = loaded;
  const configured = name === config.strategy ? config.strategyOptions : {};
  const strategyOptions = { ...configured, ...options };
  return configuredStrategy({ ...loaded, config: { ...config, strategy: name, strategyOptions } });
}
