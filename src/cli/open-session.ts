import { configuredStrategy, loadConfiguredPlugins, varveOptions } from "../config/configured.js";
import type { LoadedConfig } from "../config/load-config.js";
import { openVarve, type Varve } from "../session/open-varve.js";
import type { Session } from "../session/session.js";
import type { SessionOptions } from "../session/session-options.js";
import type { SessionSummary } from "../session/session-summary.js";
import { defined } from "../session/strategy-settings.js";
import { openStore } from "../store/open-store.js";
import type { Store } from "../store/store.js";
import { addressOf, configOf, noSession, type OpenOptions, type SessionChoice, sessionIdOf } from "./open.js";

/** Opens varve as configured, and closes it whatever happens. */
export async function withVarve<T>(
  options: SessionChoice,
  work: (varve: Varve, loaded: LoadedConfig) => Promise<T>,
  { create = false, look = false }: VarveAccess = {},
): Promise<T> {
  const { opened } = options;
  if (opened !== undefined && !(look && isTrial(options))) return work(opened.varve, opened.loaded);
  const loaded = await configOf(options);
  const address = await addressOf(loaded, create);
  const store = look ? unchanged(await openStore(address)) : address;
  const varve = await openVarve({ ...(await varveOptions(loaded)), store });
  try {
    return await work(varve, loaded);
  } finally {
    await varve.close();
  }
}

const isTrial = ({ window, model, strategy }: SessionChoice): boolean =>
  window !== undefined || model !== undefined || strategy !== undefined;

interface VarveAccess extends OpenOptions {
  /** Only looks: whatever is tried out, such as another window, leaves the store as it is. */
  readonly look?: boolean;
}

/** A store that takes every change and makes none. */
const unchanged = (store: Store): Store => ({
  ...store,
  commit: async (_, { version }) => ({ status: "committed", version }),
});

/** Options that a command lays over those of the session's strategy; from then on they are the session's. */
type StrategyExtra = (strategy: string) => Readonly<Record<string, unknown>> | undefined;

/** Opens the session that a call means. It goes on as its program left it, but for what flags say. */
export async function withSession<T>(
  options: SessionChoice,
  work: (session: Session, varve: Varve) => Promise<T>,
  { look = false, extra = () => undefined }: SessionAccess = {},
): Promise<T> {
  const open = async (varve: Varve, loaded: LoadedConfig): Promise<T> => {
    const id = await sessionIdOf(options, varve);
    const summary = await varve.describe(id);
    if (summary === undefined) throw noSession(id);
    await loadConfiguredPlugins(loaded);
    return work(await varve.session(id, await changes(options, { loaded, summary, extra })), varve);
  };
  return withVarve(options, open, { look });
}

interface SessionAccess {
  readonly look?: boolean;
  readonly extra?: StrategyExtra;
}

interface Opening {
  readonly loaded: LoadedConfig;
  readonly summary: SessionSummary;
  readonly extra: StrategyExtra;
}

/** What the flags change; a session that was stored without a size takes that of the configuration. */
async function changes(options: SessionChoice, { loaded, summary, extra }: Opening): Promise<SessionOptions> {
  const { window, model, strategy: named } = options;
  const { strategyOptions = {}, ...stored } = summary.options ?? {};
  const name = named ?? (typeof stored.strategy === "string" ? stored.strategy : "sliding-window");
  const more = extra(name);
  const own = named === undefined ? strategyOptions : {};
  const made =
    more === undefined && named === undefined ? undefined : await strategyOf(loaded, name, { ...own, ...more });
  const { config } = loaded;
  const size =
    stored.window === undefined && stored.model === undefined ? { window: config.window, model: config.model } : {};
  return defined({ ...size, ...defined({ window, model, strategy: made }) });
}

function strategyOf(loaded: LoadedConfig, name: string, options: Readonly<Record<string, unknown>>) {
  const { config } = loaded;
  const configured = name === config.strategy ? config.strategyOptions : {};
  const strategyOptions = { ...configured, ...options };
  return configuredStrategy({ ...loaded, config: { ...config, strategy: name, strategyOptions } });
}
