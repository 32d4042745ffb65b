/** The working folder, as the one place that tools may touch. Links are followed before it is decided where a path leads. */
import { realpath } from "node:fs/promises";
import { basename, relative, resolve, sep } from "node:path";
import { isWithin, truePath } from "../../../config/true-path.js";
import type { VarveError } from "../../../errors.js";
import { refusal } from "./tool.js";

export interface Place {
  readonly folder: string;
  /** The true path of a file that is there. */
  existing(path: string): Promise<string>;
  /** The true path of a file to write, which need not be there. */
  writable(path: string): Promise<string>;
  /** The path as the model names it. */
  shown(path: string): string;
}

/** Folders whose files decide what programs do, or hold the sessions themselves. */
const KEPT = new Set([".git", ".varve"]);

/** Files that name code to load: leave to write must not become leave to run. */
const SETTINGS = new Set(["varve.json", "plugin.json"]);

export async function openPlace(folder: string): Promise<Place> {
  const root = await realpath(folder);
  const within = (path: string): string => {
    if (!isWithin(root, path)) throw outside(path, root);
    return path;
  };
  const existing = async (path: string): Promise<string> => {
    const wanted = within(resolve(root, path));
    const found = await realpath(wanted).catch(() => undefined);
    if (found === undefined) throw refusal(`There is no ${path}.`, "list_files shows what there is.");
    return within(found);
  };
  const writable = async (path: string): Promise<string> => {
    const target = within(truePath(within(resolve(root, path))));
    const kept = relative(root, target)
      .split(sep)
      .find((part) => KEPT.has(part.toLowerCase()));
    if (SETTINGS.has(basename(target).toLowerCase()))
      throw refusal(`${basename(target)} is not written here: it decides what varve itself does.`, "Ask the user to.");
    if (kept !== undefined)
      throw refusal(`Nothing is written into ${kept}.`, "Run a command for it, such as git's own.");
    return target;
  };
  return { folder: root, existing, writable, shown: (path) => relative(root, path) || "." };
}

const outside = (path: string, root: string): VarveError =>
  refusal(`${path} lies outside the working folder ${root}.`, "Only files below it can be used; links are followed.");
