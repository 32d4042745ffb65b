/**
 * What the checkers of all providers share. They read a request as it is sent, as JSON, and know nothing of how it was
 * made: nothing here or beside it may come from `src/`.
 */

/** An object of a request, with whatever fields it has. */
export type Item = { readonly [key: string]: unknown };

/** A rule that a request breaks, the place where, and what stands there. */
export interface Breach {
  readonly rule: string;
  readonly at: string;
  readonly excerpt: unknown;
}

export const isItem = (value: unknown): value is Item =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const itemsOf = (value: unknown): readonly Item[] => (Array.isArray(value) ? value.filter(isItem) : []);

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const isBlank = (value: unknown): boolean => typeof value !== "string" || value.trim() === "";

/** Collects the breaches of one request. */
export class Breaches {
  readonly found: Breach[] = [];

  /** Notes a breach unless what a rule demands is so. */
  demand(holds: boolean, rule: string, [at, excerpt]: readonly [string, unknown]): void {
    if (!holds) this.found.push({ rule, at, excerpt });
  }
}

/** All texts of a value, the names of fields among them: the least that a model reads of it. */
export function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(leaves);
  return isItem(value) ? Object.entries(value).flatMap(([name, field]) => [name, ...leaves(field)]) : [];
}

/** The size of a PNG as its header says; undefined for anything else. */
export function sizeOf(base64: string): { readonly width: number; readonly height: number } | undefined {
  const bytes = Buffer.from(base64.slice(0, 64), "base64");
  if (bytes.length < 24 || bytes.toString("latin1", 1, 4) !== "PNG") return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
