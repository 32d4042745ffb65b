import { VarveError } from "../errors.js";
import { causeWords } from "./cause-words.js";
import { exitCodeOf, INTERRUPTED, WRONG_USAGE } from "./exit-codes.js";
import { commandLineHint } from "./report-hints.js";
import { wasInterrupted } from "./terminal/confirm.js";
import { visible } from "./terminal/visible.js";

interface Failed {
  readonly name: string;
  readonly json: boolean;
}

const FAILURE = 1;

/** Says what failed and what to do, on stderr for people and with `--json` on stdout for programs; returns the exit code. */
export function reportFailure(error: unknown, { name, json }: Failed): number {
  const failure = VarveError.isInstance(error) ? wordsOf(error) : unexpected(error);
  const { cause, ...told } = failure;
  if (json) process.stdout.write(`${JSON.stringify({ varve: 1, command: name, error: told }, plain, 2)}\n`);
  console.error(visible(failure.message));
  if (cause !== undefined) console.error(visible(`Cause: ${cause}`));
  console.error(visible(`What to do: ${failure.hint}`));
  if (process.env.VARVE_DEBUG) console.error(error);
  if (!VarveError.isInstance(error)) return FAILURE;
  return wasInterrupted() ? INTERRUPTED : exitCodeOf(error);
}

/** Tells programs of wrong usage; people have been told by then. */
export function reportUsage(message: string, { name, json }: Failed): number {
  const hint = `Run \`${["varve", name].filter(Boolean).join(" ")} --help\` to see what there is.`;
  const error = { code: "wrong-usage", message, hint, details: {} };
  if (json) process.stdout.write(`${JSON.stringify({ varve: 1, command: name, error }, undefined, 2)}\n`);
  return WRONG_USAGE;
}

interface Words {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly cause?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Of what is not there, or is no JSON, the message says all that the cause does. */
function wordsOf(error: VarveError): Words {
  const { code, message, hint = NEXT, details } = error;
  const words = { code, message, hint: commandLineHint(hint) };
  const cause = code === "not-found" || error.cause instanceof SyntaxError ? undefined : causeWords(error);
  return cause === undefined ? { ...words, details } : { ...words, cause, details: { ...details, cause } };
}

const NEXT = "Run the command with --help; `varve doctor` checks the installation.";

const plain = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

/** What should not have happened is named as well as it can be. */
const unexpected = (error: unknown): Words => ({
  code: "unexpected",
  message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  hint: "This should not have happened. Run it again with VARVE_DEBUG=1 and report what it says; `varve doctor` checks the installation.",
  details: {},
});
