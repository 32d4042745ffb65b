/** The charts of a comparison. */
import type { ReplayData } from "../../output/recording-schemas.js";
import { formatCost, formatShare, formatShort, isRecommended, thresholdText } from "../../output/replay-lines.js";
import { formatCount } from "../../terminal/format.js";
import type { Run } from "../compare.js";
import type { Chart, Curve, Point } from "./chart.js";

type RunData = ReplayData["runs"][number];

export const strategiesOf = ({ runs }: ReplayData): string[] => [...new Set(runs.map(({ strategy }) => strategy))];
export const thresholdsOf = ({ runs }: ReplayData): string[] => [...new Set(runs.map(thresholdText))];

/** One for each pair of thresholds. */
const DASHES = ["", "6 4", "2 3", "9 3 2 3"];

/** One curve for each strategy and pair of thresholds, from window to window. */
function curvesOf(data: ReplayData, pointOf: (run: RunData) => Omit<Point, "says"> | undefined): Curve[] {
  return strategiesOf(data).flatMap((strategy, tone) =>
    thresholdsOf(data).map((cut, at) => {
      const runs = data.runs.filter((run) => run.strategy === strategy && thresholdText(run) === cut);
      const points = runs.flatMap((run): Point[] => {
        const point = pointOf(run);
        return point === undefined ? [] : [{ ...point, says: wordsOf(run, data), isMarked: isRecommended(run, data) }];
      });
      return { tone, points, group: `cut${at}`, dashes: DASHES[at % DASHES.length] };
    }),
  );
}

function wordsOf(run: RunData, { unit }: ReplayData): string {
  const { total } = run;
  const cost = `${formatCost(total.cost.cached, unit)} with the cache, ${formatCost(total.cost.plain, unit)} without`;
  return `${run.strategy}, window ${formatCount(run.window)}, cut at ${thresholdText(run)}: recall ${formatShare(total.recall)}, ${cost}, ${formatCount(total.compactions)} cuts`;
}

export function comparisonCharts(data: ReplayData): Chart[] {
  const windows = { label: "window, tokens", format: formatTick, isEven: true };
  const costs = {
    label: costLabel(data),
    format: (value: number) => (data.unit === "USD" ? `$${value}` : formatTick(value)),
  };
  const recall = { label: "recall", format: (value: number) => `${Number((value * 100).toFixed(2))} %` };
  const y = ({ total }: RunData) => total.recall;
  const at = (x: number, value: number | null) => (value === null ? undefined : { x, y: value });
  const charts: Chart[] = [
    {
      title: "Recall against cost",
      note: "Further up is better, further left is cheaper. A curve goes from window to window; the ring is the recommended setting.",
      curves: curvesOf(data, (run) => at(run.total.cost.cached, y(run))),
      x: costs,
      y: recall,
    },
    {
      title: "Recall by window",
      note: "Share of the identifiers in the agent's next calls, said somewhere before, that stand in the view.",
      curves: curvesOf(data, (run) => at(run.window, y(run))),
      x: windows,
      y: recall,
    },
    {
      title: "Far recall by window",
      note: "The same of those last said more than a window before: a plain window has none of them.",
      curves: curvesOf(data, (run) => at(run.window, run.total.farRecall)),
      x: windows,
      y: { ...recall, label: "far recall" },
    },
    {
      title: "Cost by window",
      note: "Input of all calls, with the provider's cache.",
      curves: curvesOf(data, (run) => at(run.window, run.total.cost.cached)),
      x: windows,
      y: { ...costs, with: 0 },
    },
    {
      title: "Cuts by window",
      note: "Each cut has the provider's cache written anew.",
      curves: curvesOf(data, (run) => at(run.window, run.total.compactions)),
      x: windows,
      y: { label: "cuts", format: formatTick, with: 0 },
    },
  ];
  return charts.filter(({ curves }) => curves.some(({ points }) => points.length > 0));
}

/** Marks of an axis are round numbers: 32k, 1.5M. */
const formatTick = (value: number): string => formatShort(value).replace(".0", "");

const costLabel = ({ unit }: ReplayData): string =>
  unit === "USD" ? "cost with the cache, USD" : "cost with the cache, tokens of input";

/** Points of a course at most: more than a screen has columns. */
const MOST_POINTS = 600;

/** The tone of what belongs to no strategy. */
const NEUTRAL = 4;

/** The longest conversation, call by call, under one setting. */
export function courseChart(run: Run, data: ReplayData): Chart | undefined {
  const [longest] = run.conversations.toSorted((a, b) => b.figures.fullTokens - a.figures.fullTokens);
  if (longest === undefined || longest.course.length < 2) return undefined;
  const { window, name } = run.setting;
  const last = longest.course.length;
  const line = (pick: "view" | "history") =>
    thinned(longest.course.map((sizes, at) => ({ x: at + 1, y: sizes[pick] })));
  return {
    title: "Tokens sent, call by call",
    note: `The longest conversation, ${longest.played.id}: the whole history (dashed, as far as twice the window), the views of ${name}, and the window of ${formatCount(window)}.`,
    curves: [
      { tone: NEUTRAL, points: line("history").filter(({ y }) => y <= 2 * window), dashes: "6 4" },
      { tone: NEUTRAL, points: [1, last].map((x) => ({ x, y: window })) },
      { tone: Math.max(0, strategiesOf(data).indexOf(name)), points: line("view") },
    ],
    x: { label: "call", format: formatCount },
    y: { label: "tokens", format: formatTick, with: 0 },
  };
}

/** The largest of each stretch. */
function thinned(points: readonly Point[]): Point[] {
  const stretch = Math.ceil(points.length / MOST_POINTS);
  return points.flatMap((_, at) =>
    at % stretch === 0 ? [points.slice(at, at + stretch).reduce((best, each) => (each.y > best.y ? each : best))] : [],
  );
}
