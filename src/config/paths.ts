/** Paths in a file start at its folder, those of flags and variables at the working folder. */
import { resolve } from "node:path";
import type { ConfigValue } from "./layer.js";

export const resolvePaths = (values: readonly ConfigValue[], folder: string): ConfigValue[] =>
  values.map((each) => ({ ...each, value: resolved(each, folder) }));

function resolved({ path, value }: ConfigValue, folder: string): unknown {
  if (path === "store" && typeof value === "string") return storePath(value, folder);
  if (path === "snapshots.folder" && typeof value === "string") return resolve(folder, value);
  if (path === "plugins" && Array.isArray(value)) return value.map((each) => resolve(folder, String(each)));
  if (typeof value !== "object" || value === null) return value;
  return withFields(value as Readonly<Record<string, unknown>>, folder);
}

function storePath(address: string, folder: string): string {
  const [, kind, place] = /^(sqlite|file):(?!\/\/)(.+)$/s.exec(address) ?? [];
  return kind === undefined || place === ":memory:" ? address : `${kind}:${resolve(folder, place!)}`;
}

/** A model's folder, and a module where it is a path and no package. */
function withFields(value: Readonly<Record<string, unknown>>, folder: string): unknown {
  const { onnx, plugin } = value;
  if (typeof onnx === "string") return { ...value, onnx: resolve(folder, onnx) };
  if (typeof plugin === "string" && /^\.{1,2}[/\\]/.test(plugin)) return { ...value, plugin: resolve(folder, plugin) };
  return value;
}
