import { existsSync, lstatSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "./environment.js";
import { readSmall } from "./read-small.js";

export const CONFIG_FILE = "varve.json";
const PLUGIN_FILE = "plugin.json";

/** The files that are read. */
export interface ConfigFiles {
  readonly project?: string;
  /** A plugin.json that names a context strategy, beside the project's file or in its place. */
  readonly plugin?: string;
  readonly user?: string;
  /** Who else may have put the project's files in a folder above, in words; undefined where it is nobody. */
  readonly foreign?: string;
}

/** The nearest project files upwards from a folder, and the user's own. */
export function findFiles(folder: string, environment: Environment): ConfigFiles {
  const user = userFile(environment);
  const named = environment.VARVE_CONFIG;
  const project = named ? resolve(folder, named) : upwards(folder, hasConfig);
  const beside = project === undefined ? upwards(folder, hasPlugin) : join(dirname(project), PLUGIN_FILE);
  const found = {
    ...(project !== undefined && project !== user && { project }),
    ...(beside !== undefined && isPlugin(beside) && { plugin: beside }),
  };
  const above = named ? [] : Object.values(found).filter((file) => dirname(file) !== resolve(folder));
  const foreign = above.map(foreignness).find((words) => words !== undefined);
  return { ...found, ...(existsSync(user) && { user }), ...(foreign !== undefined && { foreign }) };
}

/** Windows has no such numbers. */
function foreignness(file: string): string | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  const owner = [lstatSync(file), statSync(file)].find((stats) => stats.uid !== uid)?.uid;
  if (owner !== undefined) return `belongs to another user (${owner})`;
  const isOpen = (statSync(dirname(file)).mode & WRITABLE_BY_ALL) !== 0;
  return isOpen ? "lies in a folder that every user may write to" : undefined;
}

const WRITABLE_BY_ALL = 0o002;

/** Where the user's own file lies, whether or not it is there. */
export function userFile({ XDG_CONFIG_HOME, APPDATA }: Environment): string {
  const home = process.platform === "win32" && APPDATA ? APPDATA : XDG_CONFIG_HOME || join(homedir(), ".config");
  return join(home, "varve", CONFIG_FILE);
}

function upwards(folder: string, find: (folder: string) => string | undefined): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const found = find(at);
    if (found !== undefined || dirname(at) === at) return found;
  }
}

function hasConfig(folder: string): string | undefined {
  const file = join(folder, CONFIG_FILE);
  return existsSync(file) ? file : undefined;
}

function hasPlugin(folder: string): string | undefined {
  const file = join(folder, PLUGIN_FILE);
  return isPlugin(file) ? file : undefined;
}

/** Other programs have files of this name too. */
function isPlugin(file: string): boolean {
  try {
    return readSmall(file).includes('"contextStrategy"');
  } catch {
    return false;
  }
}
