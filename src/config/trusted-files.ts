/**
 * What the user trusts, in the user's own folder: project files by path, content and what they wanted, and the stores that
 * were made here. What changed, or wants more, is asked about again.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import { writeAtomically } from "../store/drivers/file-system.js";
import type { Environment } from "./environment.js";
import { userFile } from "./find-files.js";
import { type TrustRequest, wantedTexts } from "./trust.js";

const listFile = (environment: Environment): string => join(dirname(userFile(environment)), "trusted.json");

export function isTrustedFile(request: TrustRequest, environment: Environment): boolean {
  const known = readList(environment)[request.file];
  if (!isTrust(known) || known.hash !== request.hash) return false;
  return wantedTexts(request).every((text) => known.wants.includes(text));
}

/** What it wanted before stays trusted: a flag may have hidden it from this call. Files that are gone are left out. */
export function trustFile(request: TrustRequest, environment: Environment): void {
  const { file, hash } = request;
  const list = readList(environment);
  const known = list[file];
  const before = isTrust(known) && known.hash === hash ? known.wants : [];
  const wants = [...new Set([...before, ...wantedTexts(request)])];
  const there = Object.entries(list).filter(([each]) => existsSync(each));
  writeList({ ...Object.fromEntries(there), [file]: { hash, wants } satisfies Trust }, environment);
}

interface Trust {
  readonly hash: string;
  readonly wants: readonly unknown[];
}

const isTrust = (value: unknown): value is Trust =>
  isObject(value) && typeof value.hash === "string" && Array.isArray(value.wants);

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
    writeAtomically(file, `${JSON.stringify(list, undefined, 2)}\n`);
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
