import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Folders that hold what others made. */
const SKIPPED = new Set([".git", ".hg", ".svn", ".varve", "node_modules", "__pycache__", ".venv", "dist", "target"]);

export interface Found {
  readonly path: string;
  readonly isFolder: boolean;
}

/** What lies below a folder, in the order of names. Links are named and not followed. */
export async function* walk(folder: string, depth = Number.POSITIVE_INFINITY): AsyncGenerator<Found> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const isFolder = entry.isDirectory();
    if (isFolder || entry.isFile() || entry.isSymbolicLink()) yield { path, isFolder };
    if (isFolder && depth > 1 && !SKIPPED.has(entry.name)) yield* walk(path, depth - 1);
  }
}
