/** Checks of where sessions are kept. */
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { LoadedConfig } from "../../config/load-config.js";
import { configuredStore } from "../../config/parts.js";
import { searchesWords } from "../../store/drivers/sqlite-database.js";
import { openStore } from "../../store/open-store.js";
import { allSessions } from "../open.js";
import { formatBytes } from "../output/tables.js";
import { heldWords, verified } from "../store-faults.js";
import { countOf } from "../terminal/format.js";
import { type Check, type CheckResult, failed, ok, warning } from "./check.js";

/** The file or folder of a store; undefined for one that lies elsewhere. */
function pathOf({ config: { store } }: LoadedConfig): string | undefined {
  return typeof store === "string" ? /^(?:sqlite|file):(.+)$/s.exec(store)?.[1] : undefined;
}

const addressOf = ({ config: { store } }: LoadedConfig): string =>
  typeof store === "string" ? store.replace(/(:\/\/[^:/@\s]*:)[^@\s]*@/, "$1…@") : "a plug-in";

/** The nearest folder that is there. */
function nearestFolder(path: string): string {
  return existsSync(path) && statSync(path).isDirectory() ? path : nearestFolder(dirname(path));
}

export const storeCheck: Check = {
  name: "store",
  async run(loaded) {
    const text = `${addressOf(loaded)}: ${await heldBy(loaded)}`;
    if (!isSqlite(loaded) || (await searchesWords())) return ok(text);
    const without = `${text}; no memories, as the SQLite of Node ${process.versions.node} has no full-text search`;
    return warning(without, "For memories use Node 22.16 or later, but not 23, or another store.");
  },
};

const isSqlite = ({ config: { store } }: LoadedConfig): boolean =>
  typeof store === "string" && store.startsWith("sqlite:");

async function heldBy(loaded: LoadedConfig): Promise<string> {
  const path = pathOf(loaded);
  if (path !== undefined && !existsSync(path)) return "not there yet, made when first used";
  const store = await openStore(await configuredStore(loaded));
  try {
    return countOf((await allSessions(store)).length, "session");
  } finally {
    await store.close();
  }
}

/** Reads everything, which is the only way to find out. */
export const damageCheck: Check = {
  name: "integrity",
  async run(loaded) {
    const path = pathOf(loaded);
    if (path !== undefined && !existsSync(path)) return ok("nothing to read yet");
    const store = await openStore(await configuredStore(loaded));
    try {
      if (store.verify === undefined) return ok("the store has no sums to check");
      const { faults, ...held } = await verified(store);
      if (faults.length === 0) return ok(`${heldWords(held)}: all as written`);
      const more = faults.length > 1 ? ` And ${faults.length - 1} more.` : "";
      return failed(`${faults[0]!.message}${more}`, "Run `varve store verify` for all, and `varve store repair`.");
    } finally {
      await store.close();
    }
  },
};

export const permissionCheck: Check = {
  name: "permissions",
  async run(loaded) {
    const path = pathOf(loaded);
    if (path === undefined) return ok("the store is no file");
    return existsSync(path) ? mayWrite(path, isOpenToOthers(path)) : mayWrite(nearestFolder(path), false);
  },
};

function mayWrite(path: string, isOpen: boolean): CheckResult {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch {
    return failed(
      `${path} cannot be read and written by this user`,
      `Run chown or chmod on it, or name another store.`,
    );
  }
  if (isOpen)
    return warning(`${path} can be read by other users`, `Run chmod 600 ${path}: sessions hold what was said.`);
  return ok(`${path} can be read and written`);
}

const isOpenToOthers = (path: string): boolean => {
  const entry = statSync(path);
  return process.platform !== "win32" && entry.isFile() && (entry.mode & 0o077) !== 0;
};

const LEAST_BYTES = 50_000_000;
const FEW_BYTES = 1_000_000_000;

export const diskCheck: Check = {
  name: "disk",
  async run(loaded) {
    const folder = nearestFolder(pathOf(loaded) ?? process.cwd());
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const text = `${formatBytes(free)} free at ${folder}`;
    if (free < LEAST_BYTES) return failed(text, "Free some space: a full disk keeps sessions from being written.");
    return free < FEW_BYTES ? warning(text, "Free some space before it runs out.") : ok(text);
  },
};

/** Seconds by which another machine's clock may be ahead. */
const AHEAD = 60;
/** No clock that is right shows less. */
const BEGINNING = Date.UTC(2025, 0, 1);

export const clockCheck: Check = {
  name: "clock",
  async run(loaded) {
    const now = Date.now();
    if (now < BEGINNING) return failed(`it is ${new Date(now).toISOString()} here`, "Set the clock of this machine.");
    const path = pathOf(loaded);
    if (path !== undefined && !existsSync(path)) return ok(new Date(now).toISOString());
    const store = await openStore(await configuredStore(loaded));
    try {
      const latest = Math.max(0, ...(await allSessions(store)).map(({ updated }) => updated));
      if (latest <= now + AHEAD * 1_000) return ok(new Date(now).toISOString());
      const text = `a session was changed at ${new Date(latest).toISOString()}, which is yet to come`;
      return warning(text, "Set the clock of this machine, or of the one that wrote the session.");
    } finally {
      await store.close();
    }
  },
};
