/** The project files that the user trusts, by path and content, in the user's own folder. A file that changed is asked about again. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import type { Environment } from "./environment.js";
import { userFile } from "./find-files.js";
import type { TrustRequest } from "./trust.js";

type Asked = Pick<TrustRequest, "file" | "hash">;

const listFile = (environment: Environment): string => join(dirname(userFile(environment)), "trusted.json");

export const isTrustedFile = ({ file, hash }: Asked, environment: Environment): boolean =>
  readList(environment)[file] === hash;

export function trustFile({ file, hash }: Asked, environment: Environment): void {
  writeList({ ...readList(environment), [file]: hash }, environment);
}

/** True where the file was trusted before. */
export function distrustFile(file: string, environment: Environment): boolean {
  const { [file]: before, ...rest } = readList(environment);
  if (before !== undefined) writeList(rest, environment);
  return before !== undefined;
}

function readList(environment: Environment): Readonly<Record<string, unknown>> {
  try {
    const list: unknown = JSON.parse(readFileSync(listFile(environment), "utf8"));
    return isObject(list) ? list : {};
  } catch {
    return {};
  }
}

function writeList(list: Readonly<Record<string, unknown>>, environment: Environment): void {
  const file = listFile(environment);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(list, undefined, 2)}\n`, { mode: 0o600 });
  } catch (cause) {
    throw notKept(file, cause);
  }
}

const notKept = (file: string, cause: unknown): VarveError =>
  new VarveError({
    code: "store-failed",
    message: `The list of trusted files ${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: "Check the permissions of its folder, or trust for one call with --trust or VARVE_TRUST=1.",
    cause,
    details: { file },
  });
