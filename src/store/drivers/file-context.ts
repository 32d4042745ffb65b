import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ContextDocument, emptyContextDocument, parseContextDocument } from "../../compaction/context-document.js";
import { VarveError } from "../../errors.js";
import { isObject } from "../../message/plain-value.js";
import { checkPath } from "./check-path.js";
import { contextInFolder } from "./file-log-context.js";
import { fileNameOf, idOfFileName } from "./file-name.js";
import { fileError, freeName, makeFolder, namesIn, writeAtomically } from "./file-system.js";

/** The context documents in a folder, one human-readable file for each session. */
export interface ContextFiles {
  /** Makes the folder. */
  initialize(): Promise<void>;
  /** The document of a session; one that is not there is made, from its log where it has one. A damaged file is set aside and named in the error. */
  load(sessionId: string): Promise<ContextDocument>;
  /** Writes a document in place of the one before, in one step. */
  save(document: ContextDocument): Promise<void>;
  /** False where there was none. */
  delete(sessionId: string): Promise<boolean>;
  listSessions(): Promise<string[]>;
}

/**
 * Context documents in a folder, for programs that keep them without a session.
 *
 * @example
 * ```ts
 * const files = contextFiles("./data/context");
 * await files.initialize();
 * const document = await files.load("user:agent:123");
 * document.facts.push("User speaks English");
 * await files.save(document);
 * ```
 */
export function contextFiles(folder: string): ContextFiles {
  checkPath("folder", folder);
  const guarded = async <T>(work: () => T): Promise<T> => {
    try {
      return work();
    } catch (error) {
      throw fileError(error, folder);
    }
  };
  return {
    initialize: () => guarded(() => makeFolder(folder)),
    load: (sessionId) => guarded(() => readContext(folder, sessionId) ?? createContext(folder, sessionId)),
    save: (document) => guarded(() => saveContext(folder, document)),
    delete: (sessionId) => guarded(() => removeContext(folder, sessionId) !== undefined),
    listSessions: () => guarded(() => contextIds(folder)),
  };
}

const pathOf = (folder: string, sessionId: string): string => join(folder, `${fileNameOf(sessionId)}.json`);

function createContext(folder: string, sessionId: string): ContextDocument {
  const document = contextInFolder(folder, sessionId) ?? emptyContextDocument(sessionId);
  saveContext(folder, document);
  return document;
}

export function saveContext(folder: string, document: ContextDocument): void {
  const checked = parseContextDocument(document);
  makeFolder(folder);
  writeAtomically(pathOf(folder, checked.session_id), `${JSON.stringify(checked, undefined, 2)}\n`);
}

/** The document of a session; undefined where there is none. A damaged one is set aside: the error says where. */
export function readContext(folder: string, sessionId: string): ContextDocument | undefined {
  const path = pathOf(folder, sessionId);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8");
  try {
    return parseContextDocument(JSON.parse(text));
  } catch (error) {
    throw setAside(path, error);
  }
}

/** Whether a document is there and can be read; changes nothing. What is said of one that is not there may be given. */
export function hasContext(folder: string, sessionId: string, unlessThere = false): boolean {
  if (!existsSync(pathOf(folder, sessionId))) return unlessThere;
  try {
    return parseContextDocument(JSON.parse(readFileSync(pathOf(folder, sessionId), "utf8"))) !== undefined;
  } catch {
    return false;
  }
}

function setAside(path: string, cause: unknown): VarveError {
  const aside = freeName(`${path}.damaged`);
  renameSync(path, aside);
  return new VarveError({
    code: "store-damaged",
    message: `The context document "${path}" is damaged and was set aside as "${aside}".`,
    hint: "Its session is made from the log again; mend the file by hand if it holds more than that.",
    cause,
    details: { path, aside },
  });
}

/** Removes a document with those of its session that were set aside; returns as `removeFile`. */
export function removeContext(folder: string, sessionId: string): number | undefined {
  return removeFile(folder, `${fileNameOf(sessionId)}.json`);
}

/** What is made beside a file: copies that were set aside, and those that a killed process left half written. */
const BESIDE = /^(?:\.damaged-\d+|\.\d+-\d+\.tmp)$/;

/** Removes a file and what was made beside it; returns how many bytes they had, undefined where there was none. */
export function removeFile(folder: string, name: string): number | undefined {
  return removeNamed(folder, (each) => each === name || isBeside(each, name));
}

/** The same without the file itself. */
export function removeBeside(folder: string, name: string): void {
  removeNamed(folder, (each) => isBeside(each, name));
}

const isBeside = (each: string, name: string): boolean => each.startsWith(name) && BESIDE.test(each.slice(name.length));

function removeNamed(folder: string, isMeant: (name: string) => boolean): number | undefined {
  const found = namesIn(folder).filter(isMeant);
  let bytes = 0;
  for (const each of found) {
    bytes += statSync(join(folder, each), { throwIfNoEntry: false })?.size ?? 0;
    rmSync(join(folder, each), { force: true });
  }
  return found.length === 0 ? undefined : bytes;
}

function contextIds(folder: string): string[] {
  const names = namesIn(folder).filter((name) => name.endsWith(".json"));
  return names.flatMap((name) => idOfFileName(name.slice(0, -".json".length)) ?? idInside(join(folder, name)) ?? []);
}

function idInside(path: string): string | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isObject(value) && typeof value.session_id === "string" ? value.session_id : undefined;
  } catch {
    return undefined;
  }
}
