import { crc32 } from "node:zlib";

/**
 * The checksum of a stored row: of what stands in front, and of its long text, if it has one. Signed, since SQLite keeps
 * small numbers in fewer bytes and PostgreSQL has no unsigned ones.
 */
export const rowSum = (front: string, text: string | Uint8Array = ""): number => crc32(text, crc32(front)) | 0;

/** Whether a row is as it was written. Rows of 0.1.0 have no sum until they are written again. */
export const isIntact = (stored: unknown, sum: number): boolean => stored === null || stored === sum;

export function isJSON(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
