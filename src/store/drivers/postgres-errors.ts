/** What the server and the network say, as errors that say what to do. None of them holds the address with its password. */
import { VarveError, type VarveErrorCode } from "../../errors.js";
import type { Place } from "./postgres-options.js";

/** The code that PostgreSQL or Node gave an error: "28P01", "ECONNREFUSED". */
export function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

interface Failure {
  readonly code: VarveErrorCode;
  readonly problem: string;
  readonly hint: string;
  /** Whether trying again may help with nothing changed; the connection is lost or the server had to give up. */
  readonly passing?: boolean;
}

type Teller = (place: Place) => Failure;

/** The server is away or going; whether a statement that was under way is carried out, nobody knows. */
const away: Teller = ({ host }) => ({
  code: "store-unreachable",
  problem: `The server at ${host} cannot be reached.`,
  hint: "Check that it is running, and host and port in the address.",
  passing: true,
});

const refused: Teller = ({ user, host }) => ({
  code: "store-denied",
  problem: `The server at ${host} does not let ${user} in.`,
  hint: "Check user and password in the address (or PGUSER and PGPASSWORD), and what pg_hba.conf allows.",
});

const forbidden: Teller = ({ user, schema, database }) => ({
  code: "store-denied",
  problem: `${user} may not do this in the schema ${schema} of ${database}.`,
  hint: `As an owner: CREATE SCHEMA "${schema}" AUTHORIZATION "${user}", or GRANT CREATE ON DATABASE "${database}" TO "${user}".`,
});

const missingDatabase: Teller = ({ database, host }) => ({
  code: "store-failed",
  problem: `There is no database ${database} on ${host}.`,
  hint: `Make it with CREATE DATABASE "${database}", or correct the address.`,
});

const busy: Teller = ({ host }) => ({
  code: "store-busy",
  problem: `The server at ${host} could not finish in time.`,
  hint: "Try again; if it lasts, allow more connections or a longer statementTimeout.",
  passing: true,
});

const full: Teller = ({ host }) => ({
  code: "store-full",
  problem: `The disk of the server at ${host} is full.`,
  hint: "Make room on the server's disk; nothing that was acknowledged is lost.",
});

const readOnly: Teller = ({ host, database }) => ({
  code: "store-read-only",
  problem: `${database} on ${host} takes no writes.`,
  hint: "Use the address of the primary, not of a standby, and a role without default_transaction_read_only.",
});

const damaged: Teller = ({ schema, database }) => ({
  code: "store-damaged",
  problem: `The schema ${schema} of ${database} is not as varve made it.`,
  hint: "Restore it from a backup, or use another schema.",
});

const TELLERS: readonly (readonly [RegExp, Teller])[] = [
  [/^(?:08|57P0[123])/, away],
  [/^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/, away],
  [/^28/, refused],
  [/^42501$/, forbidden],
  [/^3D000$/, missingDatabase],
  [/^(?:40001|40P01|55P03|57014|53300)$/, busy],
  [/^53100$/, full],
  [/^25006$/, readOnly],
  [/^(?:XX001|XX002|42P01|42P07|42883|42703)$/, damaged],
];

/** The client library's own failures, which have no code. */
const WORDINGS: readonly (readonly [RegExp, Teller])[] = [
  [/^Connection terminated|^Client has encountered a connection error|not queryable/, away],
  [/^timeout exceeded when trying to connect|^Query read timeout/, busy],
  [/password must be a string|SASL/, refused],
];

function failureOf(error: unknown, place: Place): Failure {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const teller =
    TELLERS.find(([pattern]) => pattern.test(code))?.[1] ??
    (code === "" ? WORDINGS.find(([pattern]) => pattern.test(message))?.[1] : undefined);
  const problem = `The server at ${place.host} said: ${message}`;
  return teller?.(place) ?? { code: "store-failed", problem, hint: "Look into the server's log." };
}

/** Whether the same statement may succeed in a moment, or on another connection. */
export const isPassing = (error: unknown, place: Place): boolean => failureOf(error, place).passing === true;

/** The error as varve's own; one that is varve's already is handed on. */
export function postgresError(error: unknown, place: Place): VarveError {
  if (VarveError.isInstance(error)) return error;
  const { code, problem, hint, passing = false } = failureOf(error, place);
  const details = { ...place, sqlState: codeOf(error) };
  return new VarveError({ code, message: `PostgreSQL: ${problem}`, hint, cause: error, retryable: passing, details });
}
