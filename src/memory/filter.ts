import { isObject } from "../message/plain-value.js";
import { checkTime } from "./check-input.js";
import type { Memory, MemoryFilter } from "./memory.js";

/** Whether a memory is one of those that a filter names. */
export function matchesFilter(memory: Memory, where: MemoryFilter): boolean {
  const { tags = [], speaker, source, kind, from, to, metadata = {} } = where;
  const time = Date.parse(memory.at);
  return (
    tags.every((tag) => memory.scope.tags?.includes(tag)) &&
    (speaker === undefined || memory.speaker === speaker) &&
    (source === undefined || memory.source === source) &&
    (kind === undefined || memory.facts.some((fact) => fact.kind === kind)) &&
    (from === undefined || time >= checkTime(from, "where.from")) &&
    (to === undefined || time < checkTime(to, "where.to")) &&
    Object.entries(metadata).every(([key, value]) => isSame(memory.metadata[key], value))
  );
}

/** Whether two plain values are equal, whatever the order of their fields. */
function isSame(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) {
    if (!Array.isArray(left) || !Array.isArray(right)) return left === right;
    return left.length === right.length && left.every((item, at) => isSame(item, right[at]));
  }
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => isSame(left[name], right[name]));
}
