/**
 * PostgreSQL's texts cannot hold the character 0 or half a surrogate pair, and its indexes no long ones. Names that
 * callers choose are escaped so that any two stay apart and the beginning of one is the beginning of the other.
 */
import { createHash } from "node:crypto";
import { invalidOption } from "../../errors.js";

const SPECIAL = /[\0\\]|\p{Surrogate}/gu;

export const escaped = (text: string): string =>
  text.replace(SPECIAL, (character) => `\\${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

export const unescaped = (text: string): string =>
  text.replace(/\\([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** What an index takes in the worst case is about 2,700 bytes. */
const LONGEST_ID = 2_000;

/** A session's id as it is kept. */
export function storedId(id: string): string {
  const stored = escaped(id);
  if (Buffer.byteLength(stored) <= LONGEST_ID) return stored;
  throw invalidOption({ option: "id", value: id, allowed: `a name of at most ${LONGEST_ID} bytes` });
}

const LONGEST_MARK = 200;

/** What a client's key is known by, and the key itself where that is a fingerprint of it. */
export function keyParts(key: string | undefined): [mark: string | null, key: string | null] {
  if (key === undefined) return [null, null];
  const stored = escaped(key);
  if (stored.length <= LONGEST_MARK) return [stored, null];
  return [`\\sha256 ${createHash("sha256").update(stored).digest("hex")}`, stored];
}
