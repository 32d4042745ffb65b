import { VarveError } from "../errors.js";
import { openStore } from "../store/open-store.js";
import type { Store } from "../store/store.js";
import { Session, type SessionOptions } from "./session.js";

export interface VarveOptions {
  /** Where sessions are kept: "memory", or a Store. */
  readonly store?: string | Store;
  /** The clock, in milliseconds since the epoch; the system's unless given. */
  readonly now?: () => number;
}

/** An open store with its sessions. */
export interface Varve {
  /** Opens a session, or goes on with it. */
  session(id: string, options: SessionOptions): Promise<Session>;
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
  const store = openStore(options.store);
  const now = options.now ?? Date.now;
  let closed = false;
  return {
    async session(id, sessionOptions) {
      if (closed)
        throw new VarveError({
          code: "closed",
          message: "This varve is closed.",
          hint: "Open it again with openVarve().",
        });
      return new Session(id, sessionOptions, { store, now }).load();
    },
    async close() {
      closed = true;
      await store.close();
    },
  };
}
