/** Values as a reader would say them: keys as words, no quotes, no escapes. */
import { isObject } from "../message/plain-value.js";

/** Tools and fields as words: "get_user_details" and "getUserDetails" are "get user details". */
export const spoken = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();

/** Deeper values are data that nobody reads. */
const DEEPEST = 60;

/** All texts in a value. */
export function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > DEEPEST) return [];
  return Object.values(value).flatMap((each) => textsIn(each, depth + 1));
}

/** Pairs of key and value, for each object of a value its own group. Long texts are left to others. */
export function pairsOf(value: unknown, longest: number): string[][] {
  const groups: string[][] = [];
  let depth = 0;
  const visit = (key: string, each: unknown, group: string[]): void => {
    if (++depth <= DEEPEST) look(key, each, group);
    depth--;
  };
  const look = (key: string, each: unknown, group: string[]): void => {
    if (Array.isArray(each)) {
      const plain = each.filter((one) => !isObject(one) && !Array.isArray(one));
      for (const list of packed(plain.map(String), longest, ", ")) say(key, list, group);
      for (const one of each) if (isObject(one) || Array.isArray(one)) visit(key, one, open(key));
    } else if (isObject(each)) for (const [name, one] of Object.entries(each)) visit(name, one, group);
    else say(key, each, group);
  };
  const open = (key: string): string[] => {
    const group: string[] = [];
    if (key !== "" && !/^\d+$/.test(key)) group.push(spoken(key));
    groups.push(group);
    return group;
  };
  const say = (key: string, each: unknown, group: string[]): void => {
    const text = String(each ?? "")
      .replace(/\s+/g, " ")
      .trim();
    if (text === "" || text.length > longest || key.length > longest) return;
    group.push(key === "" ? text : `${isName(key) ? spoken(key) : key} ${text}`);
  };
  visit("", value, open(""));
  return groups.filter((group) => group.length > 0);
}

/** Keys that are data themselves, such as dates or ids, stay as they are. */
const isName = (key: string): boolean => /^[A-Za-z][A-Za-z_]*\d?$/.test(key);

/** Joins parts into lines of at most so many characters, never cutting one. */
export function packed(parts: readonly string[], longest: number, by = "; "): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + by.length + part.length <= longest)
      lines[lines.length - 1] = line + by + part;
    else lines.push(part);
  }
  return lines;
}
