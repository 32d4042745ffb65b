/** Lines of a file, from 1, both ends included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

export const WHOLE_FILE: LineRange = { from: 1, to: Number.POSITIVE_INFINITY };

const START = /^(?:offset|from|start|start_?line|line_?start|from_?line|begin.*)$/i;
const END = /^(?:to|end|end_?line|line_?end|to_?line)$/i;
const COUNT = /^(?:limit|count|num_?lines|max_?lines|line_?count|length)$/i;
const PAIR = /^(?:view_?range|line_?range|range|lines)$/i;
/** Arguments of a read that choose no lines. */
const NEUTRAL = /^(?:command|encoding|should_?read.*|format|type|mode|pages?)$/i;

/** The lines that the arguments of a read ask for; undefined where they ask for something else. */
export function rangeOf(fields: Readonly<Record<string, unknown>>, keys: readonly string[]): LineRange | undefined {
  let { from, to } = WHOLE_FILE;
  let count: number | undefined;
  for (const key of keys) {
    const value = fields[key];
    if (value === undefined || value === null) continue;
    if (START.test(key)) from = Math.max(1, numberOf(value) ?? 1);
    else if (END.test(key)) to = endOf(numberOf(value));
    else if (COUNT.test(key)) count = numberOf(value);
    else if (PAIR.test(key)) [from, to] = pairOf(value);
    else if (!NEUTRAL.test(key)) return undefined;
  }
  return { from, to: count === undefined ? to : Math.min(to, from + count - 1) };
}

export const covers = (outer: LineRange, inner: LineRange): boolean => outer.from <= inner.from && inner.to <= outer.to;

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number.parseInt(value, 10) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

const endOf = (end: number | undefined): number => (end === undefined || end < 0 ? WHOLE_FILE.to : end);

function pairOf(value: unknown): [number, number] {
  const ends = Array.isArray(value)
    ? value
    : String(value)
        .split(/[^\d]+/)
        .filter(Boolean);
  return [Math.max(1, numberOf(ends[0]) ?? 1), endOf(numberOf(ends[1]))];
}
