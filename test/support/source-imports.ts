import { posix } from "node:path";
import { maskSource } from "./source-mask.js";

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(["'`])/g;

/** Every module a source names: static, dynamic, re-exporting and type imports, in order of appearance. */
export function importsOf(text: string): string[] {
  const mask = maskSource(text);
  return [...mask.matchAll(SPECIFIER)].map((match) => {
    const start = match.index + match[0].length;
    return text.slice(start, mask.indexOf(match[1] ?? "", start));
  });
}

/** The path a relative specifier leads to, with the extension of the source file; undefined for a package. */
export function resolveImport(importer: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  return posix.join(posix.dirname(importer), specifier).replace(/\.js$/, ".ts");
}
