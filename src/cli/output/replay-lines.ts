import { countOf, formatCount, formatPercent, wrap } from "../terminal/format.js";
import { formatDuration } from "../terminal/progress.js";
import type { Screen } from "../terminal/screen.js";
import { numberTableLines } from "./number-table.js";
import type { ReplayData } from "./recording-schemas.js";
import { factLines } from "./tables.js";

type Run = ReplayData["runs"][number];
type Figures = Run["total"];
type Unit = ReplayData["unit"];

/** One setting, conversation by conversation. */
export function replayLines(data: ReplayData, screen: Screen): string[] {
  const [run] = data.runs;
  if (run === undefined) return [];
  const head = ["conversation", "views", "tokens", "cuts", "over", "illegal", "cached", "time"];
  const rows = run.conversations.map((each) => [each.id, ...replayCells(each)]);
  const total = run.conversations.length > 1 ? [["all", ...replayCells(run.total)]] : [];
  return [
    ...titleLines(settingText(run), data, screen),
    "",
    ...numberTableLines({ head, rows: [...rows, ...total] }, screen),
    "",
    ...factLines(replayFacts(run, data.unit), screen),
    ...unfitLines(run, screen),
  ];
}

const replayCells = (figures: Figures): string[] => [
  formatCount(figures.views),
  formatCount(figures.tokens),
  formatCount(figures.compactions),
  formatShare(figures.overShare),
  formatShare(figures.illegalShare),
  formatShare(figures.cachedShare),
  formatDuration(figures.milliseconds),
];

const replayFacts = ({ total }: Run, unit: Unit): [string, string][] => [
  ["input", `${costText(total, unit)}; the whole history ${fullText(total, unit)}`],
  ["recall", recallText(total)],
];

/** Every setting that was compared, by window. */
export function compareLines(data: ReplayData, screen: Screen): string[] {
  const windows = [...new Set(data.runs.map(({ window }) => window))];
  const title = `${countOf(data.runs.length, "setting")} compared`;
  return [
    ...titleLines(title, data, screen),
    ...windows.flatMap((window) => windowLines(window, data, screen)),
    "",
    ...adviceLines(data, screen),
  ];
}

const HEAD = ["strategy", "cut at", "sent", "cost", "cached", "cuts", "recall", "far", "in ctx", "time"];

function windowLines(window: number, data: ReplayData, screen: Screen): string[] {
  const runs = data.runs.filter((run) => run.window === window);
  const rows = runs.map((run) => [run.strategy, thresholdText(run), ...compareCells(run.total, data.unit)]);
  const marked = runs.findIndex((run) => isRecommended(run, data));
  const [first] = runs;
  const full = first === undefined ? [] : [["whole history", "", ...fullCells(first.total, data.unit)]];
  const table = { head: HEAD, rows: [...rows, ...full], marked: marked < 0 ? undefined : marked };
  const unfit = first === undefined || first.unfit === 0 ? [] : unfitLines(first, screen);
  return ["", ` ${screen.ink.bold(`Window ${formatCount(window)}`)}`, ...numberTableLines(table, screen), ...unfit];
}

const compareCells = (figures: Figures, unit: Unit): string[] => [
  formatShort(figures.tokens),
  formatCost(figures.cost.plain, unit),
  formatCost(figures.cost.cached, unit),
  formatCount(figures.compactions),
  tightShare(figures.recall),
  tightShare(figures.farRecall),
  tightShare(figures.farContextShare),
  formatDuration(figures.milliseconds),
];

const fullCells = ({ fullTokens, fullCost }: Figures, unit: Unit): string[] => [
  formatShort(fullTokens),
  formatCost(fullCost.plain, unit),
  formatCost(fullCost.cached, unit),
  ...["", "", "", "", ""],
];

function adviceLines(data: ReplayData, screen: Screen): string[] {
  const { recommended, reason, applied, html } = data;
  if (recommended === null)
    return wrap(`Nothing is recommended: ${reason ?? "nothing was compared"}.`, screen.width() - 1).map(
      (line) => ` ${line}`,
    );
  const run = data.runs.find((each) => isRecommended(each, data));
  const facts: [string, string][] = [
    ["recommended", settingText(recommended)],
    ["rule", recommended.rule],
    ...(run === undefined ? [] : replayFacts(run, data.unit)),
    ...(html === null ? [] : ([["page", html]] satisfies [string, string][])),
    ["varve.json", applied === null ? "as it was; --apply writes these settings into it" : `written: ${applied}`],
  ];
  return factLines(facts, screen);
}

/** Whether a run is of the recommended setting. */
export const isRecommended = (run: Run, { recommended }: Pick<ReplayData, "recommended">): boolean =>
  recommended !== null &&
  run.strategy === recommended.strategy &&
  run.window === recommended.window &&
  run.trigger === recommended.trigger &&
  run.target === recommended.target;

function titleLines(title: string, { files, model, unit }: ReplayData, screen: Screen): string[] {
  const conversations = files.reduce((sum, file) => sum + file.conversations, 0);
  const formats = [...new Set(files.map(({ format }) => format))].join(", ");
  const priced = unit === "USD" ? `prices of ${model}` : "costs in tokens of input, read from the cache at a tenth";
  const about = wrap(`${countOf(conversations, "conversation")} (${formats}); ${priced}`, screen.width() - 1);
  return [` ${screen.ink.bold(title)}`, ...about.map((line) => ` ${line}`)];
}

function unfitLines({ conversations, unfit }: Run, screen: Screen): string[] {
  if (unfit === 0) return [];
  const [first] = conversations.flatMap((each) => (each.unfit === null ? [] : [{ ...each, why: each.unfit }]));
  const text = `${unfit === 1 ? "1 conversation does" : `${formatCount(unfit)} conversations do`} not fit; ${first?.id} from call ${first?.why.step} on: ${first?.why.reason}`;
  return wrap(text, screen.width() - 1).map((line) => ` ${screen.ink.tone("red", line)}`);
}

const settingText = ({ strategy, window, trigger, target }: Pick<Run, "strategy" | "window" | "trigger" | "target">) =>
  `${strategy}, window ${formatCount(window)}${trigger === null ? "" : `, cut at ${trigger}`}${target === null ? "" : ` down to ${target}`}`;

export const thresholdText = ({ trigger, target }: Pick<Run, "trigger" | "target">): string =>
  trigger === null && target === null ? "default" : `${trigger ?? 1}${target === null ? "" : `/${target}`}`;

const costText = ({ tokens, cost }: Figures, unit: Unit): string =>
  `${formatShort(tokens)} tokens, ${formatCost(cost.plain, unit)}, with the cache ${formatCost(cost.cached, unit)}`;

const fullText = ({ fullTokens, fullCost }: Figures, unit: Unit): string =>
  `${formatShort(fullTokens)} tokens, ${formatCost(fullCost.plain, unit)}, with the cache ${formatCost(fullCost.cached, unit)}`;

function recallText({ needed, recall, far, farRecall, farContextShare }: Figures): string {
  if (recall === null) return "no call used anything that was said before";
  const all = `${formatPercent(recall)} of ${countOf(needed, "identifier")} that the agent used next stood in the view`;
  if (farRecall === null || farContextShare === null) return all;
  return `${all}; of ${formatCount(far)} last said more than a window before ${formatPercent(farRecall)}, with the words around them ${formatPercent(farContextShare)}`;
}

export const formatShare = (share: number | null): string => (share === null ? "–" : formatPercent(share));

/** For columns that have to stand side by side on 80. */
const tightShare = (share: number | null): string => formatShare(share).replace("\u00a0", "");

const UNITS: readonly (readonly [size: number, sign: string])[] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];

/** 950, 12.3k, 4.5M, 1.2G */
export function formatShort(count: number): string {
  const [size, sign] = UNITS.find(([each]) => count >= each) ?? [];
  return size === undefined ? String(Math.round(count)) : `${(count / size).toFixed(1)}${sign}`;
}

export const formatCost = (amount: number, unit: Unit): string =>
  unit === "USD" ? `$${amount.toFixed(amount < 0.1 ? 4 : 2)}` : formatShort(amount);
