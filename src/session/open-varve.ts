import { invalidOption, VarveError } from "../errors.js";
import { openStore } from "../store/open-store.js";
import type { Store } from "../store/store.js";
import { checkOptions, checkSessionId, checkSessionOptions, checkStore } from "./check-options.js";
import { Session, type SessionOptions, type SessionPorts } from "./session.js";
import { withStrategySettings } from "./strategy-settings.js";

export interface VarveOptions {
  /** Where sessions are kept: "memory", or a Store. */
  readonly store?: string | Store;
  /** The clock, in milliseconds since the epoch; the system's unless given. */
  readonly now?: () => number;
}

/** An open store with its sessions. */
export interface Varve {
  /**
   * Opens a session, or goes on with it. One id is one session: asked for again, it is the same object, and options
   * that differ from those before are taken over as by `session.configure`. An open session needs no options.
   */
  session(id: string, options?: SessionOptions): Promise<Session>;
  close(): Promise<void>;
}

/**
 * Opens varve on a store.
 *
 * @example
 * ```ts
 * const varve = await openVarve({ store: "memory" });
 * const session = await varve.session("user:agent:1", { window: 128_000 });
 * ```
 */
export async function openVarve(options: VarveOptions = {}): Promise<Varve> {
  const ports = checkPorts(options);
  const sessions = new Map<string, OpenSession>();
  let closed = false;
  return {
    async session(id, sessionOptions) {
      if (closed) throw closedError();
      checkSessionId(id);
      const known = sessions.get(id);
      if (known !== undefined) return goOn(known, sessionOptions);
      checkSessionOptions(sessionOptions);
      const given = sessionOptions ?? {};
      const opened = { options: given, session: new Session(id, withStrategySettings(given), ports).load() };
      sessions.set(id, opened);
      opened.session.catch(() => sessions.delete(id));
      return opened.session;
    },
    async close() {
      closed = true;
      await ports.store.close();
    },
  };
}

interface OpenSession {
  options: SessionOptions;
  /** A promise from the start, so that two calls at once get one session. */
  readonly session: Promise<Session>;
}

function checkPorts(options: VarveOptions): SessionPorts {
  checkOptions(options);
  const { now = Date.now } = options;
  if (typeof now !== "function")
    throw invalidOption({ option: "now", value: now, allowed: "a clock, such as Date.now" });
  return { store: openStore(checkStore(options.store)), now };
}

async function goOn(known: OpenSession, options: SessionOptions | undefined): Promise<Session> {
  if (options === undefined) return known.session;
  checkSessionOptions(options);
  const session = await known.session;
  if (differs(options, known.options)) session.configure(withStrategySettings(options));
  known.options = options;
  return session;
}

const differs = (options: SessionOptions, before: SessionOptions): boolean =>
  Object.entries(options).some(([name, value]) => value !== before[name as keyof SessionOptions]);

const closedError = (): VarveError =>
  new VarveError({ code: "closed", message: "This varve is closed.", hint: "Open it again with openVarve()." });
