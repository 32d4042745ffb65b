/** Texts looked for in files as somebody would who has the files, and nothing that reads them. */
import { open } from "node:fs/promises";

/** Shorter ones stand in files by chance. */
const SHORTEST = 12;
const PIECE = 8 * 1024 * 1024;

const inJSON = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A text as it may stand in a file: as it is, as JSON writes it, and as JSON within JSON. */
export function formsOf(text: string): readonly string[] {
  if (text.length < SHORTEST) return [];
  return [...new Set([text, inJSON(text), inJSON(inJSON(text))])];
}

/** Those among some forms of texts that stand in a file; none where there is no file. */
export async function formsInFile(path: string, forms: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const wanted = new Map(forms.map((form) => [form, Buffer.from(form)]));
  const overlap = Math.max(0, ...[...wanted.values()].map(({ length }) => length - 1));
  const file = await open(path).catch(() => undefined);
  if (file === undefined || wanted.size === 0) {
    await file?.close();
    return found;
  }
  try {
    const bytes = Buffer.alloc(PIECE + overlap);
    for (let at = 0; ; at += PIECE) {
      const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
      const piece = bytes.subarray(0, bytesRead);
      for (const [form, sought] of wanted) if (piece.includes(sought)) found.add(form);
      if (bytesRead < bytes.length) return found;
    }
  } finally {
    await file.close();
  }
}
