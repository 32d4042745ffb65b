import { type LineWord, lineWords } from "../line-template.js";
import type { SourceLines } from "../source-lines.js";
import { LINE_HEAD, type LineKind, type LogKinds } from "./log-kinds.js";

/**
 * Kinds that differ in one word alone are one kind if that word has many values: the user of "Invalid user chen". What
 * tells a value from a word of the message is how many there are of it, and how much of the line is the same.
 */
const MOST_WORDS = 40;
/** A plain word has so many values, and so many of them times the words that are the same in all lines. */
const LEAST_VALUES = 5;
const EVIDENCE = 20;
/** As much is asked for where a usual value has more lines than there are values. */
const SURE = 100;
/** A path or a dotted name is a value more often than not. */
const NAME = /\w[./\\]\w/;
const NAME_EVIDENCE = 6;

interface Candidate {
  readonly kind: LineKind;
  readonly line: string;
  readonly words: readonly LineWord[];
  /** Sum of the words that are the same in all lines of the kind, each hashed with its place. */
  sum: number;
}

export function mergeKinds(lines: SourceLines, log: LogKinds): LogKinds {
  const merged = new Map<LineKind, LineKind>();
  for (const alike of sameShape(lines, log)) mergeAlike(alike, merged);
  if (merged.size === 0) return log;
  const kinds = log.kinds.filter((kind) => !merged.has(kind));
  return { ...log, kinds, byLine: log.byLine.map((kind) => kind && finalKind(kind, merged)) };
}

function finalKind(kind: LineKind, merged: ReadonlyMap<LineKind, LineKind>): LineKind {
  let found = kind;
  for (let next = merged.get(found); next !== undefined; next = merged.get(found)) found = next;
  return found;
}

/** Kinds with the same prefix and the same signs between their words. */
function sameShape(lines: SourceLines, { kinds, starts }: LogKinds): Iterable<Candidate[]> {
  const candidates = kinds.map((kind) => {
    const line = lines.head(kind.index, LINE_HEAD);
    const { words, shape } = lineWords(line, starts[kind.index]);
    const sum = words.reduce((total, { hash }, place) => total + placed(hash, place), 0);
    return { kind, line, words, sum, key: `${shape} ${kind.cells} ${kind.level}` };
  });
  return Map.groupBy(candidates, ({ key }) => key).values();
}

function placed(hash: number, place: number): number {
  return Math.imul(hash ^ (place * 0x9e3779b1), 0x85ebca6b) >>> 0;
}

function mergeAlike(alike: readonly Candidate[], merged: Map<LineKind, LineKind>): void {
  let left = alike;
  for (let place = 0; left.length > 1 && place < Math.min(MOST_WORDS, left[0]!.words.length); place++) {
    const groups = Map.groupBy(left, ({ sum, words }) => sum - placed(words[place]!.hash, place));
    for (const [same, group] of groups) {
      if (group.length === 1 || !isVariable(group, place)) continue;
      openWord(group[0]!, place, same);
      for (const { kind } of group.slice(1)) {
        merged.set(kind, group[0]!.kind);
        addKind(group[0]!.kind, kind);
      }
    }
    left = left.filter(({ kind }) => !merged.has(kind));
  }
}

function isVariable(group: readonly Candidate[], place: number): boolean {
  const same = group[0]!.words.filter(({ variable, start, end }, at) => at !== place && !variable && end > start + 1);
  const areNames = group.every(({ line, words }) => {
    const { start, end, variable } = words[place]!;
    return variable || NAME.test(line.slice(start, end));
  });
  const evidence = group.length * same.length;
  if (areNames) return evidence >= NAME_EVIDENCE;
  const counts = group.map(({ kind }) => kind.count).sort((a, b) => a - b);
  const isSeldom = counts[counts.length >> 1]! <= group.length;
  return group.length >= LEAST_VALUES && evidence >= (isSeldom ? EVIDENCE : SURE);
}

/** From here on the word at this place does not tell the kind from others. */
function openWord(candidate: Candidate, place: number, sum: number): void {
  candidate.sum = sum;
  candidate.kind.message = sum;
  candidate.kind.values.push(place);
}

function addKind(kind: LineKind, { index, size, count }: LineKind): void {
  kind.count += count;
  if (size >= kind.size) return;
  kind.size = size;
  kind.index = index;
}
