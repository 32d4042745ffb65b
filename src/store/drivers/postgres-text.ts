/** Names that callers choose, as PostgreSQL keeps them: its indexes hold no long ones. */
import { createHash } from "node:crypto";
import { invalidOption } from "../../errors.js";
import { escaped } from "./escaped-text.js";

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
