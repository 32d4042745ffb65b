/**
 * Reads JSON into a tree of source ranges, so that numbers and strings are shown as they were written. Of a long
 * array or object only some children are kept: the first, the last, the first of each new shape, and the oddest. The
 * tree therefore stays small whatever the size of the text, and depth costs no stack.
 */
import type { JsonChild, JsonContainer, JsonNode, JsonScalar } from "./json-node.js";
import { createFields, judgeItem, type ListFields, learnItem, renewJudges } from "./json-odd.js";

/** An object with more keys than a record would have is a collection, like an array. */
export const MAP_LIKE = 24;

/** What the frames of one scan share. */
interface Scan {
  readonly text: string;
  /** Items of inner lists that may still be learnt from. */
  innerItems: number;
}

interface Frame {
  readonly scan: Scan;
  readonly type: "array" | "object";
  /** Not inside another list: most often what the text is about. */
  readonly outer: boolean;
  readonly children: JsonChild[];
  /** What its children hold; a short list and a record do without. */
  fields: ListFields | undefined;
  /** Children beyond the first that seemed odd when they came. */
  odd: JsonChild[];
  /** Shapes of an array's items so far. */
  shapes: Set<number> | undefined;
  /** The last but one and the last of the children beyond the first ones. */
  older: JsonChild | undefined;
  newest: JsonChild | undefined;
  count: number;
  notables: number;
  shape: number;
  grave: boolean;
  key: string | undefined;
}

const MAX_DEPTH = 1_000;
const FIRST_CHILDREN = 240;
const FIRST_OUTER_CHILDREN = 1_000;
const OUTER_DEPTH = 4;
/** Of more values that follow one another, lists are kept as those inside another list are. */
const OUTER_VALUES = 8;
/** A value that goes on for so long without a new line is taken for one line. */
const LONG_LINE = 10_000;
const INNER_ITEMS = 100_000;
/** A list takes the time of so many items before the first. */
const LIST_COST = 50;
const SHORT_LIST = 8;
const ODD_CHILDREN = 64;
const NOTABLE_CHILDREN = 24;
const MAX_SHAPES = 256;
const GRAVE = /^"(?:error|errors|failed|failure|fatal|critical|exception|panic|denied|timeout)"$/i;
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;

/** The tree of a text that is one JSON value and nothing else; undefined for any other text, or one nested too deep. */
export function scanJson(text: string): JsonNode | undefined {
  const value = scanValue({ text, innerItems: INNER_ITEMS }, { from: skipSpace(text, 0), outer: true });
  return value?.at === text.length ? value.root : undefined;
}

/** JSON values that follow one another, each from the line after the one before. */
export interface JsonStream {
  /** The value; an array of them where they are several. */
  readonly root: JsonNode;
  readonly count: number;
  /** Index after the last value. */
  readonly end: number;
}

/**
 * Reads as many values as follow one another from an index on; undefined where there is none. At most `most` of them
 * may be of one line each.
 */
export function scanJsonStream(
  text: string,
  { from, most }: { from: number; most: number },
): JsonStream | "too-many" | undefined {
  const scan: Scan = { text, innerItems: INNER_ITEMS };
  const values = openFrame(scan, "array", true);
  let [at, end] = [from, from];
  let lines = 0;
  while (isOpening(text.charCodeAt(at)) && (at === from || text.slice(end, at).includes("\n"))) {
    const value = scanValue(scan, { from: at, outer: values.count < OUTER_VALUES });
    if (value === undefined) break;
    addChild(values, value.root);
    end = spaceStart(text, value.at);
    if (!text.slice(at, Math.min(end, at + LONG_LINE)).includes("\n") && ++lines > most) return "too-many";
    at = value.at;
  }
  if (values.count === 0) return undefined;
  return { root: values.count === 1 ? values.children[0]!.node : closeFrame(values), count: values.count, end };
}

function isOpening(code: number): boolean {
  return code === 0x7b || code === 0x5b;
}

/** Reads one value; `at` is the index of what follows it, past any space. */
function scanValue(
  scan: Scan,
  { from, outer }: { from: number; outer: boolean },
): { readonly at: number; readonly root: JsonNode } | undefined {
  const { text } = scan;
  const stack: Frame[] = [];
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    let done: JsonNode | undefined;
    if (isOpening(code)) {
      if (stack.length >= MAX_DEPTH) return undefined;
      stack.push(openFrame(scan, code === 0x7b ? "object" : "array", outer && isOuter(stack)));
      at = skipSpace(text, at + 1);
    } else {
      done = readScalar(text, at);
      if (done === undefined) return undefined;
      at = skipSpace(text, done.end);
    }
    const next = settle(text, at, { stack, done });
    if (next === undefined) return undefined;
    if (next.root !== undefined) return { at: next.at, root: next.root };
    at = next.at;
  }
}

interface Step {
  readonly at: number;
  readonly root?: JsonNode;
}

/** Hands finished values to their parents, closes what ends here, and stops before the next value. */
function settle(text: string, from: number, state: { stack: Frame[]; done: JsonNode | undefined }): Step | undefined {
  const { stack } = state;
  let { done } = state;
  let at = from;
  for (;;) {
    const frame = stack.at(-1);
    if (frame === undefined) return done === undefined ? undefined : { at, root: done };
    const fresh = done === undefined;
    if (done !== undefined) addChild(frame, done);
    const code = text.charCodeAt(at);
    if (code === (frame.type === "object" ? 0x7d : 0x5d) && (!fresh || frame.count === 0)) {
      done = closeFrame(stack.pop()!);
      at = skipSpace(text, at + 1);
      continue;
    }
    if (!fresh && code !== 0x2c) return undefined;
    return startChild(text, fresh ? at : skipSpace(text, at + 1), frame);
  }
}

function startChild(text: string, at: number, frame: Frame): Step | undefined {
  if (frame.type === "array") return { at };
  const end = stringEnd(text, at);
  if (end === undefined) return undefined;
  frame.key = text.slice(at, end);
  const colon = skipSpace(text, end);
  return text.charCodeAt(colon) === 0x3a ? { at: skipSpace(text, colon + 1) } : undefined;
}

/** Whether a value is inside records alone. */
function isOuter(stack: readonly Frame[]): boolean {
  if (stack.length > OUTER_DEPTH) return false;
  return stack.every((frame) => frame.type === "object" && frame.count < MAP_LIKE);
}

function openFrame(scan: Scan, type: "array" | "object", outer: boolean): Frame {
  return {
    scan,
    type,
    outer,
    children: [],
    fields: undefined,
    odd: [],
    shapes: undefined,
    older: undefined,
    newest: undefined,
    count: 0,
    notables: 0,
    shape: type === "object" ? 1 : 2,
    grave: false,
    key: undefined,
  };
}

function closeFrame(frame: Frame): JsonContainer {
  const { type, count, grave, shape, older, newest, odd } = frame;
  const late = [...odd, older, newest].filter((child) => child !== undefined);
  const children = late.length === 0 ? frame.children : [...frame.children, ...late].sort((a, b) => a.index - b.index);
  return { type, count, children: withOddity(frame, children), grave, shape };
}

function withOddity({ fields, scan }: Frame, children: readonly JsonChild[]): readonly JsonChild[] {
  if (fields === undefined) return children;
  renewJudges(fields);
  return children.map((child) => {
    const oddity = judgeItem(fields, scan.text, child.node);
    return oddity === child.oddity ? child : { ...child, oddity };
  });
}

function addChild(frame: Frame, node: JsonNode): void {
  const notable = (isNewShape(frame, node) || node.grave) && frame.notables < NOTABLE_CHILDREN;
  if (notable) frame.notables++;
  const child: JsonChild = { index: frame.count, key: frame.key, node, notable, oddity: 0 };
  if (frame.count < (frame.outer ? FIRST_OUTER_CHILDREN : FIRST_CHILDREN)) frame.children.push(child);
  else keepLate(frame, child);
  learnChild(frame, node);
  if (frame.type === "object") frame.shape = mix(frame.shape, frame.key ?? "");
  frame.grave ||= node.grave;
  frame.count++;
}

/** A list is learnt from as soon as it is long enough to be one, then from its start. */
function learnChild(frame: Frame, node: JsonNode): void {
  const { fields, scan, outer, children } = frame;
  if (!outer && scan.innerItems <= 0) return;
  if (fields !== undefined) {
    learnItem(fields, scan.text, node);
    if (!outer) scan.innerItems--;
  } else if (children.length > (frame.type === "array" ? SHORT_LIST : MAP_LIKE)) {
    frame.fields = createFields();
    for (const child of children) learnItem(frame.fields, scan.text, child.node);
    if (!outer) scan.innerItems -= LIST_COST + children.length;
  }
}

/** Whether an array's item differs in shape from all before it. */
function isNewShape(frame: Frame, node: JsonNode): boolean {
  if (frame.type === "object") return false;
  const shape = shapeOf(node);
  if (frame.shapes === undefined) {
    frame.shapes = new Set([shape]);
    return false;
  }
  if (frame.shapes.has(shape)) return false;
  if (frame.shapes.size < MAX_SHAPES) frame.shapes.add(shape);
  return true;
}

/** The last two children wait; one that a later child pushes out is kept only if it is notable or odd. */
function keepLate(frame: Frame, child: JsonChild): void {
  const { older, fields } = frame;
  frame.older = frame.newest;
  frame.newest = child;
  if (older === undefined) return;
  if (older.notable) frame.children.push(older);
  else if (fields !== undefined) keepOdd(frame, { ...older, oddity: judgeItem(fields, frame.scan.text, older.node) });
}

function keepOdd(frame: Frame, child: JsonChild): void {
  if (child.oddity === 0) return;
  frame.odd.push(child);
  if (frame.odd.length < 2 * ODD_CHILDREN) return;
  frame.odd = frame.odd.sort((a, b) => b.oddity - a.oddity || a.index - b.index).slice(0, ODD_CHILDREN);
}

function shapeOf(node: JsonNode): number {
  if ("children" in node) return node.shape;
  return node.type === "string" ? -1 : -2;
}

function mix(hash: number, key: string): number {
  let mixed = hash;
  for (let at = 0; at < Math.min(key.length, 40); at++) mixed = Math.imul(mixed ^ key.charCodeAt(at), 0x01000193);
  return mixed >>> 0;
}

function readScalar(text: string, at: number): JsonScalar | undefined {
  if (text.charCodeAt(at) === 0x22) {
    const end = stringEnd(text, at);
    if (end === undefined) return undefined;
    return { type: "string", start: at, end, grave: end - at < 14 && GRAVE.test(text.slice(at, end)) };
  }
  LITERAL.lastIndex = at;
  return LITERAL.test(text) ? { type: "literal", start: at, end: LITERAL.lastIndex, grave: false } : undefined;
}

/** Index after the closing quote of the string that starts at `at`. */
function stringEnd(text: string, at: number): number | undefined {
  if (text.charCodeAt(at) !== 0x22) return undefined;
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** Index of the space that ends at `end`. */
function spaceStart(text: string, end: number): number {
  let at = end;
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}
