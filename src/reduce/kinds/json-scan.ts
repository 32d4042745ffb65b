/**
 * Reads JSON into a tree of source ranges, so that numbers and strings are shown as they were written. Of a long
 * array or object only some children are kept: the first, the last, and the first of each new shape. The tree
 * therefore stays small whatever the size of the text, and depth costs no stack.
 */
export type JsonNode = JsonScalar | JsonContainer;

export interface JsonScalar {
  readonly type: "string" | "literal";
  readonly start: number;
  readonly end: number;
  /** Tells of a failure, by a word such as "error" for its value. */
  readonly grave: boolean;
}

export interface JsonContainer {
  readonly type: "array" | "object";
  /** Children in the source, kept or not. */
  readonly count: number;
  readonly children: readonly JsonChild[];
  readonly grave: boolean;
  /** Hash of an object's keys; the same for all arrays. */
  readonly shape: number;
}

export interface JsonChild {
  readonly index: number;
  /** The key with its quotes, in an object. */
  readonly key: string | undefined;
  readonly node: JsonNode;
  /** First of its shape among its siblings, or tells of a failure: worth showing for itself. */
  readonly notable: boolean;
}

interface Frame {
  readonly type: "array" | "object";
  readonly children: JsonChild[];
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
const NOTABLE_CHILDREN = 24;
const MAX_SHAPES = 256;
const GRAVE = /^"(?:error|errors|failed|failure|fatal|critical|exception|panic|denied|timeout)"$/i;
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;

/** The tree of a text that is one JSON value and nothing else; undefined for any other text, or one nested too deep. */
export function scanJson(text: string): JsonNode | undefined {
  const stack: Frame[] = [];
  let at = skipSpace(text, 0);
  for (;;) {
    const code = text.charCodeAt(at);
    let done: JsonNode | undefined;
    if (code === 0x7b || code === 0x5b) {
      if (stack.length >= MAX_DEPTH) return undefined;
      stack.push(openFrame(code === 0x7b ? "object" : "array"));
      at = skipSpace(text, at + 1);
    } else {
      done = readScalar(text, at);
      if (done === undefined) return undefined;
      at = skipSpace(text, done.end);
    }
    const next = settle(text, at, { stack, done });
    if (next === undefined) return undefined;
    if (next.root !== undefined) return next.at === text.length ? next.root : undefined;
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

function openFrame(type: "array" | "object"): Frame {
  return {
    type,
    children: [],
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

function closeFrame({ type, count, children, older, newest, grave, shape }: Frame): JsonContainer {
  const late = [older, newest].filter((child) => child !== undefined);
  return { type, count, children: late.length === 0 ? children : [...children, ...late], grave, shape };
}

function addChild(frame: Frame, node: JsonNode): void {
  const notable = (isNewShape(frame, node) || node.grave) && frame.notables < NOTABLE_CHILDREN;
  if (notable) frame.notables++;
  const child: JsonChild = { index: frame.count, key: frame.key, node, notable };
  if (frame.count < FIRST_CHILDREN) frame.children.push(child);
  else keepLate(frame, child);
  if (frame.type === "object") frame.shape = mix(frame.shape, frame.key ?? "");
  frame.grave ||= node.grave;
  frame.count++;
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

/** The last two children wait; one that a later child pushes out is kept only if it is notable. */
function keepLate(frame: Frame, child: JsonChild): void {
  if (frame.older?.notable) frame.children.push(frame.older);
  frame.older = frame.newest;
  frame.newest = child;
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
  for (let code = text.charCodeAt(at); code === 32 || (code >= 9 && code <= 13); ) code = text.charCodeAt(++at);
  return at;
}
