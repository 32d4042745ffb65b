/** Where paths really lead. A checkout may bring links. */
import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Links are followed, those that lead nowhere too, and what is missing is taken as it stands. */
export function truePath(path: string, links = LINKS): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    const folder = truePath(parent, links);
    const link = links > 0 ? linkAt(path) : undefined;
    return link === undefined ? join(folder, basename(path)) : truePath(resolve(folder, link), links - 1);
  }
}

const LINKS = 20;

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Whether a path is that of a folder or below it. Both are true paths. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
