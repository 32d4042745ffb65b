import { VarveError } from "../errors.js";
import type { Store } from "./store.js";

export interface StorePorts {
  /** Told of what was mended or dropped. */
  readonly warn?: (warning: VarveError) => void;
  /** Whether it is opened to be repaired, also where it is too damaged to be used. */
  readonly salvages?: boolean;
}

type OpenDriver = (place: string, address: string, ports: StorePorts) => Promise<Store>;

const openPostgres: OpenDriver = async (_, url, { warn }) =>
  (await import("./drivers/postgres.js")).postgresStore({ url, ...(warn && { onWarning: warn }) });

/** By the word in front of the colon of an address. A program loads the driver that it uses, and no other. */
const DRIVERS: Readonly<Record<string, OpenDriver>> = {
  postgres: openPostgres,
  postgresql: openPostgres,
  file: async (folder, _, { warn }) =>
    (await import("./drivers/file.js")).fileStore(folder, warn && { onWarning: warn }),
  sqlite: async (path, _, { warn, salvages }) => {
    const { damagedSqliteStore, sqliteStore } = await import("./drivers/sqlite.js");
    return salvages ? damagedSqliteStore(path, warn) : sqliteStore(path, warn && { onWarning: warn });
  },
};

/** A store by its address, or the store itself. */
export async function openStore(store: string | Store = "memory", ports: StorePorts = {}): Promise<Store> {
  if (typeof store !== "string") return store;
  if (store === "memory") return (await import("./drivers/memory.js")).memoryStore();
  const [, kind = "", place = ""] = /^([a-z]+):(.+)$/s.exec(store) ?? [];
  const open = Object.hasOwn(DRIVERS, kind) ? DRIVERS[kind] : undefined;
  if (open !== undefined) return open(place, store, ports);
  const shown = withoutPassword(store);
  throw new VarveError({
    code: "invalid-option",
    message: `There is no store for "${shown}".`,
    hint: 'Use "memory", "sqlite:PATH", "file:FOLDER" or "postgres://…", or pass a Store of your own.',
    details: { option: "store", value: shown },
  });
}

const withoutPassword = (address: string): string => address.replace(/\/\/.*@/s, "//…@");
