import { VarveError } from "../errors.js";
import { fileStore } from "./drivers/file.js";
import { memoryStore } from "./drivers/memory.js";
import { postgresStore } from "./drivers/postgres.js";
import { sqliteStore } from "./drivers/sqlite.js";
import type { Store } from "./store.js";

export interface StorePorts {
  /** Told of what was mended or dropped. */
  readonly warn?: (warning: VarveError) => void;
}

/** By the word in front of the colon of an address. */
const DRIVERS: Readonly<Record<string, (place: string, address: string, ports: StorePorts) => Promise<Store>>> = {
  postgres: (_, url) => postgresStore({ url }),
  postgresql: (_, url) => postgresStore({ url }),
  file: (folder, _, { warn }) => fileStore(folder, warn && { onWarning: warn }),
  sqlite: (path) => sqliteStore(path),
};

/** A store by its address, or the store itself. */
export async function openStore(store: string | Store = "memory", ports: StorePorts = {}): Promise<Store> {
  if (typeof store !== "string") return store;
  if (store === "memory") return memoryStore();
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
