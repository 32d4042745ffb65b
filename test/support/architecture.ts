import { isBuiltin } from "node:module";
import { type ImportGraph, importCycles } from "./import-cycles.js";
import { importsOf, resolveImport } from "./source-imports.js";
import { maskSource } from "./source-mask.js";

/** A module imports from its own folder and from those before it here. `index` is `src/index.ts`. */
const LAYERS = [
  ..."errors assets message wire tokens model embed reduce notes view compaction store memory session".split(" "),
  ..."observe config index integrations gateway cli testing".split(" "),
];

/** Where a file below `session/` may reach for Node, and why. */
const NODE_ALLOWED: ReadonlyMap<string, string> = new Map([
  ["src/store/drivers/", "a driver is where a store meets files and databases"],
  ["src/store/memories/", "so is a driver of memories"],
  ["src/embed/model-files.ts", "models are files of megabytes, read by the first call"],
  ["src/embed/fetch-model.ts", "writes the file that it fetches"],
  ["src/assets.ts", "the package's own files: token tables are megabytes, read by the first count"],
]);

/** Folders whose results depend on their arguments alone; clocks, chance and networks come in as arguments. */
const PURE = new Set("message wire tokens reduce notes view compaction".split(" "));
const IMPURE =
  /\b(?:Math\.random|Date\.now|performance\.now|randomUUID|getRandomValues|(?<![.\w])fetch|setTimeout|setInterval)\s*\(|\bnew Date\(\s*\)/g;

const MAX_LINES = 500;
const TEST_FILE = /\.(?:test|test-d|test-helpers)\.ts$/;
const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export type Rule =
  | "layer"
  | "cli"
  | "folder"
  | "test-import"
  | "cycle"
  | "node"
  | "impure"
  | "export-star"
  | "default-export"
  | "lines"
  | "name";

export interface Violation {
  readonly rule: Rule;
  readonly file: string;
  readonly detail: string;
}

/** Path from the repository's root → text. */
export type SourceFiles = ReadonlyMap<string, string>;

/** What in these files breaks the rules of the layout; empty when all is well. */
export function checkArchitecture(files: SourceFiles): Violation[] {
  const sources = [...files].filter(([path]) => path.startsWith("src/"));
  return [
    ...[...files].flatMap(([path, text]) => [...checkName(path), ...checkLength(path, text)]),
    ...sources.flatMap(([path, text]) => [...checkImports(path, text), ...checkCode(path, text)]),
    ...checkCycles(files),
  ];
}

function checkName(file: string): Violation[] {
  const bad = file.split("/").flatMap((part) => part.split(".").filter((word) => !KEBAB.test(word)));
  return bad.length > 0 ? [{ rule: "name", file, detail: `${bad.join(", ")} is not kebab-case` }] : [];
}

function checkLength(file: string, text: string): Violation[] {
  const lines = text.replace(/\n$/, "").split("\n").length;
  return lines > MAX_LINES ? [{ rule: "lines", file, detail: `${lines} lines, at most ${MAX_LINES}` }] : [];
}

/** `src/wire/openai.ts` → `wire`, `src/errors.ts` and `src/errors.test.ts` → `errors`; empty outside `src/`. */
const layerOf = (path: string): string => /^src\/([^/.]+)/.exec(path)?.[1] ?? "";

function checkImports(file: string, text: string): Violation[] {
  if (!LAYERS.includes(layerOf(file))) return [{ rule: "folder", file, detail: "is in no folder of the layout" }];
  return importsOf(text).flatMap((specifier) => {
    if (isBuiltin(specifier)) return checkNode(file, specifier);
    const target = resolveImport(file, specifier);
    return target === undefined ? [] : checkDirection(file, target);
  });
}

function checkNode(file: string, specifier: string): Violation[] {
  const outer = LAYERS.indexOf(layerOf(file)) >= LAYERS.indexOf("session");
  const allowed = [...NODE_ALLOWED.keys()].some((prefix) => file.startsWith(prefix));
  return outer || allowed || TEST_FILE.test(file) ? [] : [{ rule: "node", file, detail: `imports ${specifier}` }];
}

function checkDirection(file: string, target: string): Violation[] {
  const [from, to] = [layerOf(file), layerOf(target)];
  const violation = (rule: Rule): Violation[] => [{ rule, file, detail: `imports ${target}` }];
  if (!TEST_FILE.test(file) && TEST_FILE.test(target)) return violation("test-import");
  if (to === "cli" && from !== "cli") return violation("cli");
  return mayImport(file, target) ? [] : violation("layer");
}

function mayImport(file: string, target: string): boolean {
  const [from, to] = [layerOf(file), layerOf(target)];
  if (TEST_FILE.test(file) && (to === "testing" || target.startsWith("test/support/"))) return true;
  if (from === "index" && to !== "") return true;
  return LAYERS.includes(to) && LAYERS.indexOf(to) <= LAYERS.indexOf(from);
}

function checkCode(file: string, text: string): Violation[] {
  const mask = maskSource(text);
  const found = (rule: Rule, pattern: RegExp): Violation[] =>
    [...mask.matchAll(pattern)].map((match) => ({ rule, file, detail: match[0].trim() }));
  return [
    ...found("export-star", /\bexport\s+(?:type\s+)?\*/g),
    ...found("default-export", /\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/g),
    ...(PURE.has(layerOf(file)) && !TEST_FILE.test(file) ? found("impure", IMPURE) : []),
  ];
}

function checkCycles(files: SourceFiles): Violation[] {
  const graph: ImportGraph = new Map(
    [...files].map(([file, text]) => [
      file,
      importsOf(text).flatMap((specifier) => resolveImport(file, specifier) ?? []),
    ]),
  );
  return importCycles(graph).map((path) => ({ rule: "cycle", file: path[0] ?? "", detail: path.join(" → ") }));
}
