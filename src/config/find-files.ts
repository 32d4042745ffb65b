import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "./environment.js";

export const CONFIG_FILE = "varve.json";
const PLUGIN_FILE = "plugin.json";

/** The files that are read. */
export interface ConfigFiles {
  readonly project?: string;
  /** A plugin.json that names a context strategy, beside the project's file or in its place. */
  readonly plugin?: string;
  readonly user?: string;
}

/** The nearest project files upwards from a folder, and the user's own. */
export function findFiles(folder: string, environment: Environment): ConfigFiles {
  const user = userFile(environment);
  const named = environment.VARVE_CONFIG;
  const project = named ? resolve(folder, named) : upwards(folder, hasConfig);
  const beside = project === undefined ? upwards(folder, hasPlugin) : join(dirname(project), PLUGIN_FILE);
  return {
    ...(project !== undefined && project !== user && { project }),
    ...(beside !== undefined && isPlugin(beside) && { plugin: beside }),
    ...(existsSync(user) && { user }),
  };
}

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
    return readFileSync(file, "utf8").includes('"contextStrategy"');
  } catch {
    return false;
  }
}
