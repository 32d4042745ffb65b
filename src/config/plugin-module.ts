import { access } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { VarveError } from "../errors.js";
import type { PluginFile } from "./read-plugin.js";

/** What a plug-in's module exports under the name that its id asks for. */
export async function importPlugin(plugin: PluginFile): Promise<unknown> {
  const { specifier, name } = splitId(plugin.pluginId);
  const url = await locate(specifier, plugin);
  const module = await import(url).catch((cause: unknown) => {
    throw isMissing(cause, url) ? notFound(plugin, cause) : broken(plugin, cause);
  });
  return chosenExport(module, name, plugin);
}

/** "./strategies.js#short" is the export `short` of that module; without a name it is the default one. */
function splitId(pluginId: string): { specifier: string; name: string | undefined } {
  const at = pluginId.lastIndexOf("#");
  return at <= 0
    ? { specifier: pluginId, name: undefined }
    : { specifier: pluginId.slice(0, at), name: pluginId.slice(at + 1) };
}

/** Paths and packages are looked for from the plug-in's file. A package that only varve can see is left to `import`. */
async function locate(specifier: string, plugin: PluginFile): Promise<string> {
  if (/^\.{1,2}[/\\]/.test(specifier) || isAbsolute(specifier)) {
    const path = resolve(dirname(plugin.file), specifier);
    await access(path).catch((cause: unknown) => {
      throw notFound(plugin, cause);
    });
    return pathToFileURL(path).href;
  }
  if (specifier.startsWith("file:")) return specifier;
  try {
    return pathToFileURL(createRequire(plugin.file).resolve(specifier)).href;
  } catch {
    return specifier;
  }
}

const isMissing = (error: unknown, url: string): boolean => {
  const { code, message = "" } = Object(error) as { code?: string; message?: string };
  return code === "ERR_MODULE_NOT_FOUND" && !url.startsWith("file:") && message.includes(`'${url}'`);
};

function chosenExport(
  module: Readonly<Record<string, unknown>>,
  name: string | undefined,
  plugin: PluginFile,
): unknown {
  const names = Object.keys(module);
  const wanted = name ?? (names.length === 1 ? names[0]! : "default");
  if (names.includes(wanted)) return module[wanted];
  const there = names.length === 0 ? "It exports nothing." : `It exports ${names.join(", ")}.`;
  throw new VarveError({
    code: "invalid-plugin",
    message: `The module "${plugin.pluginId}" of ${plugin.file} has no export "${wanted}".`,
    hint: `${there} Name one behind a #, as in "./strategies.js#short", or export the ${plugin.kind ?? "strategy"} as the default.`,
    details: { file: plugin.file, pluginId: plugin.pluginId, export: wanted, exports: names },
  });
}

const notFound = ({ pluginId, file, kind = "strategy" }: PluginFile, cause: unknown): VarveError =>
  new VarveError({
    code: "not-found",
    message: `The ${kind} "${pluginId}" of ${file} is neither known by name, nor a package, nor a file.`,
    hint: "Give a path from the file that starts with ./, install the package, or register the name before.",
    cause,
    details: { file, pluginId },
  });

const broken = ({ pluginId, file }: PluginFile, cause: unknown): VarveError =>
  new VarveError({
    code: "invalid-plugin",
    message: `The module "${pluginId}" of ${file} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: "The cause of this error says why. The module must be JavaScript that this version of Node runs.",
    cause,
    details: { file, pluginId },
  });
