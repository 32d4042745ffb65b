/** Layers of settings, and what comes of laying them over each other. Each value knows where it comes from. */

/** Where a value comes from. */
export type ConfigSource =
  | { readonly kind: "flag"; readonly name: string }
  | { readonly kind: "environment"; readonly name: string }
  /** `key` is where it stands in the file, where that is not its own path. */
  | { readonly kind: "project" | "user"; readonly file: string; readonly key?: string }
  | { readonly kind: "default" };

/** One value of the configuration: its path such as "memory.enabled". */
export interface ConfigValue {
  readonly path: string;
  readonly value: unknown;
  readonly source: ConfigSource;
}

/** Values of equal rank, one for each path. */
export type Layer = readonly ConfigValue[];

/** Objects that are one value: their fields make no sense without each other. */
const WHOLE = new Set(["embedder", "summariser", "store", "memory.scope", "strategyOptions.schema"]);

/** What a new value of a key makes void in the layers beneath. */
const VOIDS: Readonly<Record<string, readonly string[]>> = {
  strategy: ["strategyOptions"],
  model: ["window", "reserve"],
};

/** The values of an object, each with its path. */
export function valuesOf(object: object, source: ConfigSource, base = ""): ConfigValue[] {
  return Object.entries(object).flatMap(([key, value]): ConfigValue[] => {
    const path = base === "" ? key : `${base}.${key}`;
    if (value === undefined) return [];
    const isPlain = typeof value === "object" && value !== null && !Array.isArray(value) && !WHOLE.has(path);
    return isPlain ? valuesOf(value, source, path) : [{ path, value, source }];
  });
}

/** Lays layers over each other, the first one on top. */
export function mergeLayers(layers: readonly Layer[]): ConfigValue[] {
  const merged = new Map<string, ConfigValue>();
  for (const layer of layers.toReversed()) {
    for (const { path, value } of layer)
      if (Object.hasOwn(VOIDS, path) && merged.get(path)?.value !== value) drop(merged, VOIDS[path]!);
    for (const each of layer) {
      drop(merged, [each.path]);
      for (const outer of outerPaths(each.path)) merged.delete(outer);
      merged.set(each.path, each);
    }
  }
  return [...merged.values()];
}

/** Removes paths with all beneath them. */
function drop(values: Map<string, ConfigValue>, paths: readonly string[]): void {
  for (const path of values.keys())
    if (paths.some((each) => path === each || path.startsWith(`${each}.`))) values.delete(path);
}

/** "a.b.c" → "a", "a.b". */
const outerPaths = (path: string): string[] =>
  path
    .split(".")
    .slice(0, -1)
    .map((_, at, parts) => parts.slice(0, at + 1).join("."));

/** The object that values are of. */
export function objectOf(values: readonly ConfigValue[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const { path, value } of values) {
    const keys = path.split(".");
    let holder = object;
    for (const key of keys.slice(0, -1)) {
      holder[key] ??= {};
      holder = holder[key] as Record<string, unknown>;
    }
    holder[keys.at(-1)!] = value;
  }
  return object;
}

/** A source in a few words: "flag --window", "VARVE_WINDOW", a file. */
export function describeSource(source: ConfigSource): string {
  if (source.kind === "default") return "default";
  if (source.kind === "flag") return `flag ${source.name}`;
  if (source.kind === "environment") return `environment ${source.name}`;
  return `${source.kind} ${source.file}${source.key === undefined ? "" : ` (${source.key})`}`;
}
