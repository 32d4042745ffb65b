import { charsMark, itemsMark, keysMark, nestedMark } from "../marks.js";
import type { CountTokens } from "../measure.js";
import { safeCut, safeCutAfter } from "../safe-cut.js";
import type { JsonChild, JsonContainer, JsonNode } from "./json-node.js";
import { MAP_LIKE } from "./json-scan.js";

/** How much of each part is shown. */
interface Limits {
  readonly items: number;
  readonly keys: number;
  readonly characters: number;
  readonly depth: number;
}

/** From generous to bare; the first whose rendering fits is taken. */
const STEPS: readonly Limits[] = [
  { items: 1_000, keys: 96, characters: 2_000, depth: 32 },
  { items: 480, keys: 96, characters: 2_000, depth: 32 },
  { items: 240, keys: 96, characters: 2_000, depth: 32 },
  { items: 160, keys: 96, characters: 2_000, depth: 32 },
  { items: 96, keys: 96, characters: 1_000, depth: 32 },
  { items: 72, keys: 96, characters: 400, depth: 32 },
  { items: 48, keys: 48, characters: 2_000, depth: 32 },
  { items: 48, keys: 48, characters: 400, depth: 32 },
  { items: 32, keys: 48, characters: 200, depth: 32 },
  { items: 24, keys: 48, characters: 120, depth: 32 },
  { items: 16, keys: 48, characters: 120, depth: 16 },
  { items: 12, keys: 48, characters: 100, depth: 16 },
  { items: 9, keys: 48, characters: 80, depth: 12 },
  { items: 7, keys: 40, characters: 80, depth: 12 },
  { items: 5, keys: 32, characters: 64, depth: 10 },
  { items: 4, keys: 32, characters: 48, depth: 8 },
  { items: 3, keys: 24, characters: 40, depth: 8 },
  { items: 3, keys: 24, characters: 32, depth: 6 },
  { items: 2, keys: 16, characters: 32, depth: 5 },
  { items: 2, keys: 12, characters: 24, depth: 4 },
  { items: 1, keys: 12, characters: 24, depth: 3 },
  { items: 1, keys: 8, characters: 20, depth: 2 },
  { items: 1, keys: 4, characters: 16, depth: 1 },
];

const CHARACTERS_PER_TOKEN = 8;
/** What being the first of its shape, or telling of a failure, counts for among odd items, in bits. */
const NOTABLE_BITS = 6;
/** Shares of the items shown: those from the start that come before all others, and at most so many odd ones. */
const START_SHARE = 0.25;
const ODD_SHARE = 0.5;

export interface JsonRequest {
  readonly text: string;
  readonly root: JsonNode;
  /** Whether the root is an array of values that stand on lines of their own, with no brackets around them. */
  readonly stream?: boolean;
  readonly maxTokens: number;
  readonly count: CountTokens;
}

/**
 * Shorter JSON of the same structure, still valid: what is left out is named in strings. Undefined if none fits; for a
 * stream also if its values would be hollow, since a log of JSON then shows more of them.
 */
export function reduceJson({ text, root, stream = false, maxTokens, count }: JsonRequest): string | undefined {
  const render = (limits: Limits) => {
    const rendered = renderJson(text, root, { limits, stream, room: maxTokens * CHARACTERS_PER_TOKEN });
    return rendered !== undefined && count(rendered) <= maxTokens ? rendered : undefined;
  };
  for (const [step, limits] of STEPS.entries()) {
    const rendered = render(limits);
    if (rendered !== undefined) return withMoreItems(render, limits, STEPS[step - 1]?.items ?? 0) ?? rendered;
  }
  return undefined;
}

/** The most items below a number that was too many, if more than the limits have fit. */
function withMoreItems(
  render: (limits: Limits) => string | undefined,
  limits: Limits,
  tooMany: number,
): string | undefined {
  let best: string | undefined;
  let [fits, fails] = [limits.items, tooMany];
  while (fails - fits > 1) {
    const items = Math.floor((fits + fails) / 2);
    const rendered = render({ ...limits, items });
    best = rendered ?? best;
    if (rendered === undefined) fails = items;
    else fits = items;
  }
  return best;
}

interface Writer {
  readonly text: string;
  readonly limits: Limits;
  readonly stream: boolean;
  readonly parts: string[];
  room: number;
  /** Whether so much of a value is left out that what it tells may be gone. */
  hollow: boolean;
}

function renderJson(
  text: string,
  root: JsonNode,
  options: Pick<Writer, "limits" | "stream" | "room">,
): string | undefined {
  const writer: Writer = { text, parts: [], hollow: false, ...options };
  writeNode(writer, root, options.stream ? STREAM_DEPTH : 0);
  return writer.room < 0 || (options.stream && writer.hollow) ? undefined : writer.parts.join("");
}

function write(writer: Writer, part: string): void {
  writer.parts.push(part);
  writer.room -= part.length;
}

function writeNode(writer: Writer, node: JsonNode, depth: number): void {
  if (writer.room < 0) return;
  if ("children" in node) writeContainer(writer, node, depth);
  else write(writer, shortString(writer.text.slice(node.start, node.end), writer.limits));
}

/** The depth of a stream of values: that of each of them is 0. */
const STREAM_DEPTH = -1;

/** A value without what it nests up to this depth, or without keys that a wide record can have, is hollow. */
const TELLING_DEPTH = 6;
const TELLING_KEYS = 96;

/** What stands before, between and after the children of a container. */
function signsOf({ type }: JsonContainer, depth: number, stream: boolean): readonly [string, string, string] {
  if (depth === STREAM_DEPTH) return ["", "\n", ""];
  const between = depth === 0 && !stream ? ",\n" : ",";
  return type === "array" ? ["[", between, "]"] : ["{", between, "}"];
}

/** The children of the outermost value stand on lines of their own; everything deeper is compact. */
function writeContainer(writer: Writer, node: JsonContainer, depth: number): void {
  const isArray = node.type === "array";
  if (depth >= writer.limits.depth && node.count > 0) {
    write(writer, `"${nestedMark(node.type, node.count)}"`);
    writer.hollow ||= depth < TELLING_DEPTH;
    return;
  }
  const [open, between, close] = signsOf(node, depth, writer.stream);
  write(writer, open);
  const isList = node.count > MAP_LIKE || (isArray && depth !== STREAM_DEPTH);
  const shown = pickItems(node, isList ? writer.limits.items : writer.limits.keys);
  let next = 0;
  shown.forEach((child, position) => {
    if (isArray && child.index > next) write(writer, `"${itemsMark(next, child.index - 1)}"${between}`);
    if (child.key !== undefined) write(writer, `${child.key}:`);
    writeNode(writer, child.node, depth + 1);
    next = child.index + 1;
    if (position < shown.length - 1) write(writer, between);
  });
  const missing = isArray ? node.count - next : node.count - shown.length;
  writer.hollow ||= depth === 0 && !isArray && missing > 0 && node.count <= TELLING_KEYS;
  if (missing > 0) write(writer, (shown.length > 0 ? between : "") + restMark(node, next, missing));
  write(writer, close);
}

function restMark(node: JsonContainer, next: number, missing: number): string {
  return node.type === "array" ? `"${itemsMark(next, node.count - 1)}"` : `"...":"${keysMark(missing)}"`;
}

/** The first children, the last, the oddest ones, and of the others as many as there is room for, in their order. */
function pickItems(node: JsonContainer, limit: number): JsonChild[] {
  if (node.count <= limit) return [...node.children];
  const wanted = new Set<JsonChild>();
  const add = (child: JsonChild | undefined) => {
    if (child !== undefined && wanted.size < limit) wanted.add(child);
  };
  // One child alone is better the one that tells of a failure.
  if (limit === 1) add(node.children.find((child) => child.node.grave));
  node.children.slice(0, Math.ceil(limit * START_SHARE)).forEach(add);
  if (node.type === "array" && limit > 2) add(node.children.at(-1));
  oddestItems(node)
    .slice(0, Math.ceil(limit * ODD_SHARE))
    .forEach(add);
  node.children.forEach(add);
  return [...wanted].sort((a, b) => a.index - b.index);
}

function oddestItems({ children }: JsonContainer): JsonChild[] {
  const bits = (child: JsonChild) => child.oddity + (child.notable ? NOTABLE_BITS : 0);
  return children.filter((child) => bits(child) > 0).sort((a, b) => bits(b) - bits(a) || a.index - b.index);
}

const MARK_LENGTH = 32;
/** Two `\\uXXXX` in a row can be one character. */
const ESCAPE_REACH = 12;

/** Cuts a string literal in its middle, never inside an escape. */
function shortString(literal: string, { characters }: Limits): string {
  if (literal.length <= characters + MARK_LENGTH || literal[0] !== '"') return literal;
  const head = literal.slice(0, headEnd(literal, Math.ceil(characters * 0.7)));
  const tail = literal.slice(tailStart(literal, literal.length - 1 - Math.floor(characters * 0.3)));
  return `${head}${charsMark(literal.length - head.length - tail.length)}${tail}`;
}

/** Walks whole characters and whole escapes up to the limit. */
function headEnd(literal: string, limit: number): number {
  let end = 1;
  for (let at = 1; at <= limit; ) {
    end = at;
    if (literal[at] !== "\\") at++;
    else at += literal[at + 1] === "u" ? unicodeLength(literal, at) : 2;
  }
  return safeCut(literal, end);
}

function unicodeLength(literal: string, at: number): number {
  return /^\\u[dD][89abAB]..\\u/.test(literal.slice(at, at + 8)) ? 12 : 6;
}

/** The first index from `from` on with no escape near before it; the closing quote alone if there is none. */
function tailStart(literal: string, from: number): number {
  for (let at = safeCutAfter(literal, from); at < literal.length - 1; at++) {
    if (!literal.slice(at - ESCAPE_REACH, at).includes("\\") && safeCut(literal, at) === at) return at;
  }
  return literal.length - 1;
}
