/** Maps values onto a stretch of a drawing. */
export interface Scale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

const STEPS = [1, 2, 2.5, 5, 10];

/** A scale whose ends and marks are round numbers. */
export function roundScale(values: readonly number[], { from, to }: Stretch, marks = 4): Scale {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const step = roundStep((high - low || Math.abs(high) || 1) / marks);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
  return { ticks, at: (value) => from + ((value / step - first) / (last - first)) * (to - from) };
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((step) => step * power >= least * (1 - 1e-9)) ?? 10) * power;
}

/** A scale with the same distance from each value to the next. */
export function evenScale(values: readonly number[], { from, to }: Stretch): Scale {
  const ticks = [...new Set(values)].sort((a, b) => a - b);
  const gap = (to - from) / Math.max(1, ticks.length);
  return { ticks, at: (value) => from + gap * (ticks.indexOf(value) + 0.5) };
}
