import { escapeMarkup, place } from "./markup.js";
import { evenScale, roundScale, type Scale } from "./scale.js";

export interface Point {
  readonly x: number;
  readonly y: number;
  /** What is said of it where somebody points at it. */
  readonly says?: string | undefined;
  readonly isMarked?: boolean | undefined;
}

/** One curve; `tone` picks its colour and the shape of its points. */
export interface Curve {
  readonly tone: number;
  readonly points: readonly Point[];
  /** A class of its own, by which it can be shown and hidden. */
  readonly group?: string | undefined;
  /** The dashes of its line, as SVG has them; none unless given. */
  readonly dashes?: string | undefined;
}

export interface Chart {
  readonly title: string;
  readonly note: string;
  readonly curves: readonly Curve[];
  readonly x: Axis;
  readonly y: Axis;
}

export interface Axis {
  readonly label: string;
  readonly format: (value: number) => string;
  /** Values at equal distances, such as windows that double. */
  readonly isEven?: boolean;
  /** A value that the axis is to show in any case. */
  readonly with?: number | undefined;
}

const WIDTH = 480;
const HEIGHT = 320;
const LEFT = 52;
const RIGHT = 24;
const TOP = 34;
const BOTTOM = 50;

/** A chart as a figure of its own. */
export function chartMarkup(chart: Chart): string {
  const points = chart.curves.flatMap((curve) => curve.points);
  const x = scaleOf(
    chart.x,
    points.map((point) => point.x),
    { from: LEFT, to: WIDTH - RIGHT },
  );
  const y = scaleOf(
    chart.y,
    points.map((point) => point.y),
    { from: HEIGHT - BOTTOM, to: TOP },
  );
  return `<figure>
<h2>${escapeMarkup(chart.title)}</h2>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeMarkup(`${chart.title}. ${chart.note}`)}">
${axes(chart, x, y)}
${chart.curves.map((curve) => curveMarkup(curve, x, y)).join("\n")}
</svg>
<p class="said" aria-live="polite"></p>
<figcaption>${escapeMarkup(chart.note)}</figcaption>
</figure>`;
}

function scaleOf(axis: Axis, values: readonly number[], stretch: { from: number; to: number }): Scale {
  if (axis.isEven) return evenScale(values, stretch);
  return roundScale(axis.with === undefined ? values : [...values, axis.with], stretch);
}

function axes(chart: Chart, x: Scale, y: Scale): string {
  const foot = HEIGHT - BOTTOM;
  const rows = y.ticks.map((value) => {
    const at = place(y.at(value));
    const line = `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>`;
    return `${line}<text x="${LEFT - 6}" y="${at}" dy="0.35em" text-anchor="end">${escapeMarkup(chart.y.format(value))}</text>`;
  });
  const columns = x.ticks.map((value) => {
    const at = place(x.at(value));
    return `<text x="${at}" y="${foot + 18}" text-anchor="middle">${escapeMarkup(chart.x.format(value))}</text>`;
  });
  const middle = (LEFT + WIDTH - RIGHT) / 2;
  const labels = [
    `<text class="label" x="${middle}" y="${HEIGHT - 8}" text-anchor="middle">${escapeMarkup(chart.x.label)}</text>`,
    `<text class="label" x="4" y="14">${escapeMarkup(chart.y.label)}</text>`,
  ];
  return [...rows, ...columns, ...labels].join("\n");
}

function curveMarkup({ tone, points, group = "", dashes }: Curve, x: Scale, y: Scale): string {
  const places = points.map((point) => ({ ...point, left: x.at(point.x), top: y.at(point.y) }));
  const path = places.map(({ left, top }, at) => `${at === 0 ? "M" : "L"}${place(left)} ${place(top)}`).join("");
  const marks = places.flatMap((point) => (point.says === undefined ? [] : [markMarkup(tone, point)]));
  const dash = dashes ? ` stroke-dasharray="${dashes}"` : "";
  return `<g class="curve tone${tone} ${escapeMarkup(group)}"><path d="${path}"${dash}/>${marks.join("")}</g>`;
}

interface Mark extends Point {
  readonly left: number;
  readonly top: number;
}

const SIZE = 4.5;

/** Shapes as well as colours, for those who do not tell these colours apart. */
function markMarkup(tone: number, { left, top, says = "", isMarked }: Mark): string {
  const words = escapeMarkup(says);
  const ring = isMarked ? `<circle class="ring" cx="${place(left)}" cy="${place(top)}" r="10"/>` : "";
  return `${ring}<path class="mark" data-says="${words}" d="${shapeAt(tone, left, top)}"><title>${words}</title></path>`;
}

export function shapeAt(tone: number, left: number, top: number): string {
  const [l, t] = [place(left), place(top)];
  const s = SIZE;
  if (tone % 4 === 0) return `M${l} ${t}m${-s} 0a${s} ${s} 0 1 0 ${2 * s} 0a${s} ${s} 0 1 0 ${-2 * s} 0z`;
  if (tone % 4 === 1) return `M${l} ${t}m${-s} ${-s}h${2 * s}v${2 * s}h${-2 * s}z`;
  if (tone % 4 === 2) return `M${l} ${t}m0 ${-s * 1.3}l${s * 1.3} ${s * 2.3}h${-s * 2.6}z`;
  return `M${l} ${t}m0 ${-s * 1.4}l${s * 1.4} ${s * 1.4}l${-s * 1.4} ${s * 1.4}l${-s * 1.4} ${-s * 1.4}z`;
}
