/** Texts that files of a folder hold though nothing that the store shows has them: logs are written anew without. */
import { readdirSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Erasure } from "../memories/memories.js";
import { type FileLog, sessionInLog } from "./file-log.js";
import { idOfFileName, LOG_ENDING } from "./file-name.js";
import { redactLog } from "./file-redaction.js";
import { formsInFile, formsOf } from "./texts-in-files.js";

export interface ErasedFolder {
  readonly folder: string;
  /** The log of memories, whether it shows a text, and what writes it anew. */
  readonly memories: { readonly path: string; shows(form: string): boolean; rewrite(): void };
  sessionLog(sessionId: string): FileLog | undefined;
  /** Does work that nobody else writes during. */
  locked<T>(work: () => T): Promise<T>;
}

export async function eraseInFolder(texts: readonly string[], place: ErasedFolder): Promise<Erasure> {
  const forms = texts.flatMap(formsOf);
  const found: string[] = [];
  const remains: string[] = [];
  const paths = readdirSync(place.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths) {
    const held = [...(await formsInFile(path, forms))];
    if (held.length === 0) continue;
    const name = relative(place.folder, path);
    const outcome = await place.locked(() => rewritten(path, held, place));
    if (outcome === "strange") remains.push(`The file ${name}, which no session reads, holds it.`);
    if (outcome === "rewritten" && (await formsInFile(path, held)).size > 0) found.push(name);
  }
  return { found, remains };
}

/** Writes a file anew that holds what it does not show. A file that is shown as it is may be what somebody else said. */
function rewritten(path: string, held: readonly string[], place: ErasedFolder): "rewritten" | "shown" | "strange" {
  const name = relative(place.folder, path);
  if (path === place.memories.path) {
    if (held.every((form) => place.memories.shows(form))) return "shown";
    place.memories.rewrite();
    return "rewritten";
  }
  if (name.includes(sep)) return "strange";
  const log = logOf(name, place);
  if (log === undefined) return "strange";
  if (held.every((form) => shows(log, form))) return "shown";
  if (!name.endsWith(LOG_ENDING)) rmSync(path, { force: true });
  else {
    const { id: session, version, updated: time } = log.info;
    redactLog(place.folder, log, { session, version, time, messages: [], documents: [] });
  }
  return "rewritten";
}

/** The log that a file is, or that the document beside it is made from. */
function logOf(name: string, { folder, sessionLog }: ErasedFolder): FileLog | undefined {
  const ending = [LOG_ENDING, ".json"].find((each) => name.endsWith(each));
  if (ending === undefined) return undefined;
  const base = name.slice(0, -ending.length);
  const id = idOfFileName(base) ?? sessionInLog(join(folder, `${base}${LOG_ENDING}`));
  return id === undefined ? undefined : sessionLog(id);
}

const shows = (log: FileLog, form: string): boolean =>
  log.rows.some(({ message }) => message.includes(form)) ||
  [...log.documents.values()].some((text) => text.includes(form)) ||
  [...log.keys.keys()].some((key) => JSON.stringify(key).includes(form));
