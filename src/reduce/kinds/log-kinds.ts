import { lineTemplate } from "../line-template.js";
import type { SourceLines } from "../source-lines.js";
import { type LogPrefix, splitPrefix } from "./log-prefix.js";

/** All lines of one kind: the shortest of them stands for the others. */
export interface LineKind {
  /** From 1, in the order of the first lines. */
  readonly id: number;
  index: number;
  size: number;
  count: number;
  readonly family: number;
  readonly level: string;
  /** Hash of the message without the prefix. */
  message: number;
  /** Which words of the message differ from line to line, though they are plain. */
  readonly values: number[];
  /** Key of the cells of the prefix. */
  readonly cells: number;
}

export interface LogKinds {
  readonly kinds: LineKind[];
  /** The kind of each line; none of a blank one. */
  readonly byLine: (LineKind | undefined)[];
  /** Where the message of each line begins. */
  readonly starts: Uint32Array;
}

/** So much of a line decides of what kind it is. */
export const LINE_HEAD = 1_000;

export function collectKinds(lines: SourceLines, prefix: LogPrefix | undefined): LogKinds {
  const byPrefix = new Map<string, Map<number, LineKind>>();
  const found: LogKinds = { kinds: [], byLine: [], starts: new Uint32Array(lines.count) };
  for (let index = 0; index < lines.count; index++) {
    const line = lines.head(index, LINE_HEAD);
    if (line.trim() === "") continue;
    const { start, level, cells } = splitPrefix(line, prefix);
    const scope = cells.key === 0 ? level : `${level} ${cells.key}`;
    const inScope = byPrefix.get(scope) ?? new Map<number, LineKind>();
    byPrefix.set(scope, inScope);
    const { kind: message, family } = lineTemplate(line, start);
    const size = lines.length(index) - start;
    const known = inScope.get(message);
    const kind = known ?? {
      id: found.kinds.length + 1,
      index,
      size,
      count: 0,
      family,
      level,
      message,
      cells: cells.key,
      values: [],
    };
    if (known === undefined) {
      inScope.set(message, kind);
      found.kinds.push(kind);
    }
    countLine(kind, index, size);
    found.byLine[index] = kind;
    found.starts[index] = start;
  }
  return found;
}

function countLine(kind: LineKind, index: number, size: number): void {
  kind.count++;
  if (size >= kind.size) return;
  kind.size = size;
  kind.index = index;
}
