/**
 * Names of files for session ids: different ids have different names, also where case does not count, and no id leaves
 * its folder. Letters and digits stay; everything else is written as the bytes of its UTF-8, such as `%3a` for a colon.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";

/** What the name of a session's log ends in. */
export const LOG_ENDING = ".log.jsonl";

export const logPathOf = (folder: string, sessionId: string): string =>
  join(folder, `${fileNameOf(sessionId)}${LOG_ENDING}`);

/** Longer names are cut and told apart by a hash; file systems allow 255 bytes with endings. */
const LONGEST = 150;
const KEPT = 100;
/** Names that Windows keeps for devices, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/;

export function fileNameOf(id: string): string {
  const safe = id.replace(/[^a-z0-9_.-]/gu, escaped).replace(/^\.|\.$|\.(?=\.)/g, "%2e");
  const name = RESERVED.test(safe) ? escaped(safe[0]!) + safe.slice(1) : safe;
  if (name.length <= LONGEST) return name;
  const hash = createHash("sha256").update(id).digest("hex").slice(0, 32);
  return `${name.slice(0, KEPT).replace(/%[0-9a-f]?$/, "")}~${hash}`;
}

/** The id that a name stands for; undefined for one that was cut. */
export function idOfFileName(name: string): string | undefined {
  if (name.includes("~")) return undefined;
  const id = decode(name);
  return id !== undefined && fileNameOf(id) === name ? id : undefined;
}

const escaped = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

function decode(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
