import { invalidOption, VarveError } from "../../errors.js";
import type { OptionNames } from "../../message/option-names.js";

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`. What it leaves out comes from `PGUSER`, `PGPASSWORD` and the like. */
  readonly url: string;
  /** Where varve's tables are, made where there is none; "varve" unless given here or as `?schema=` in the address. */
  readonly schema?: string;
  /** Connections at most; 10 unless given. */
  readonly poolSize?: number;
  /** Milliseconds that one statement may take; 30,000 unless given, 0 for no limit. */
  readonly statementTimeout?: number;
  /** Milliseconds to wait for a connection; 10,000 unless given. */
  readonly connectTimeout?: number;
  /** Milliseconds to go on trying while the server is away, as when it restarts; 15,000 unless given. */
  readonly retryFor?: number;
  /** Told of what is damaged and left out. */
  readonly onWarning?: (warning: VarveError) => void;
}

/** The options with nothing left open. The address holds the password: it goes to the client library and nowhere else. */
export interface PostgresSettings extends Required<PostgresOptions> {
  readonly place: Place;
}

/** Where a store is, in words that may be shown to anybody. */
export interface Place {
  readonly host: string;
  readonly database: string;
  readonly user: string;
  readonly schema: string;
}

export const POSTGRES_OPTIONS: OptionNames<PostgresOptions> = {
  url: true,
  schema: true,
  poolSize: true,
  statementTimeout: true,
  connectTimeout: true,
  retryFor: true,
  onWarning: true,
};

const DEFAULTS = { poolSize: 10, statementTimeout: 30_000, connectTimeout: 10_000, retryFor: 15_000 };

/** Longest name that PostgreSQL keeps whole, less what the queue's schema adds. */
const MAX_SCHEMA_BYTES = 63 - "_queue".length;

/** Whether an address is one of PostgreSQL. */
const isPostgresAddress = (address: string): boolean => /^postgres(?:ql)?:/i.test(address);

export function postgresSettings(options: PostgresOptions): PostgresSettings {
  const address = parseAddress(options.url);
  const schema = checkSchema(options.schema ?? address.searchParams.get("schema") ?? "varve");
  address.searchParams.delete("schema");
  const place = {
    host: hostOf(address),
    database: decodeURIComponent(address.pathname.slice(1)) || process.env.PGDATABASE || "the user's own",
    user: decodeURIComponent(address.username) || process.env.PGUSER || "the system's user",
    schema,
  };
  const { onWarning = (warning) => process.emitWarning(warning) } = options;
  return { ...numbers(options), url: address.href, schema, place, onWarning };
}

/** The error of `URL` shows the address, so it is not passed on. */
function parseAddress(url: unknown): URL {
  const address = typeof url === "string" && isPostgresAddress(url) ? URL.parse(url) : null;
  if (address !== null) return address;
  throw new VarveError({
    code: "invalid-option",
    message: "The option url is not an address of PostgreSQL.",
    hint: "Give postgres://user:password@host:5432/database, with special characters percent-encoded: @ as %40.",
    details: { option: "url" },
  });
}

function hostOf(address: URL): string {
  const host = address.searchParams.get("host") ?? (decodeURIComponent(address.hostname) || process.env.PGHOST);
  const port = address.port || address.searchParams.get("port") || process.env.PGPORT || "5432";
  return host?.startsWith("/") ? host : `${host || "localhost"}:${port}`;
}

function checkSchema(schema: string): string {
  const fits = schema !== "" && !schema.includes("\0") && Buffer.byteLength(schema) <= MAX_SCHEMA_BYTES;
  if (fits && !/^pg_/i.test(schema)) return schema;
  const allowed = `a name of 1 to ${MAX_SCHEMA_BYTES} bytes that does not begin with pg_`;
  throw invalidOption({ option: "schema", value: schema, allowed });
}

function numbers(options: PostgresOptions): typeof DEFAULTS {
  const poolSize = options.poolSize ?? DEFAULTS.poolSize;
  if (!Number.isInteger(poolSize) || poolSize < 1)
    throw invalidOption({ option: "poolSize", value: poolSize, allowed: "a whole number from 1" });
  return {
    poolSize,
    statementTimeout: milliseconds("statementTimeout", options),
    connectTimeout: milliseconds("connectTimeout", options),
    retryFor: milliseconds("retryFor", options),
  };
}

function milliseconds(option: "statementTimeout" | "connectTimeout" | "retryFor", options: PostgresOptions): number {
  const value = options[option] ?? DEFAULTS[option];
  if (Number.isInteger(value) && value >= 0) return value;
  throw invalidOption({ option, value, allowed: "a whole number of milliseconds from 0" });
}
