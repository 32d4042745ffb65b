/** A comparison as one page: no script, style, font or picture from elsewhere. */
import type { ReplayData } from "../../output/recording-schemas.js";
import { formatCost, formatShare, formatShort, isRecommended, thresholdText } from "../../output/replay-lines.js";
import { countOf, formatCount } from "../../terminal/format.js";
import { formatDuration } from "../../terminal/progress.js";
import type { Outcome } from "../replay-data.js";
import { chartMarkup, shapeAt } from "./chart.js";
import { comparisonCharts, courseChart, strategiesOf, thresholdsOf } from "./curves.js";
import { escapeMarkup } from "./markup.js";
import { SCRIPT } from "./script.js";
import { STYLE } from "./style.js";

type RunData = ReplayData["runs"][number];

export function replayPage(data: ReplayData, { advice, runs }: Outcome): string {
  const shown = advice?.recommended ?? runs[0];
  const course = shown === undefined ? undefined : courseChart(shown, data);
  const charts = [...comparisonCharts(data), ...(course === undefined ? [] : [course])];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>varve replay</title>
<style>${STYLE}</style>
</head>
<body>
<h1>What each setting would have cost</h1>
<p class="muted">${escapeMarkup(aboutText(data))}</p>
${adviceMarkup(data)}
${keysMarkup(data)}
<div class="charts">
${charts.map(chartMarkup).join("\n")}
</div>
<h2>All settings</h2>
<p class="muted">A click on a heading sorts by it.</p>
${tableMarkup(data)}
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function aboutText({ files, runs, model, unit }: ReplayData): string {
  const conversations = files.reduce((sum, file) => sum + file.conversations, 0);
  const priced = unit === "USD" ? `prices of ${model}` : "costs in tokens of input, read from the cache at a tenth";
  const calls = countOf(runs[0]?.total.views ?? 0, "call");
  return `${countOf(conversations, "conversation")} with ${calls}, replayed under ${countOf(runs.length, "setting")}; ${priced}. No model was called: digests are made of the conversation's own words.`;
}

function adviceMarkup(data: ReplayData): string {
  const { recommended, unit } = data;
  const run = data.runs.find((each) => isRecommended(each, data));
  if (recommended === null || run === undefined)
    return `<div class="advice"><p>Nothing is recommended: ${escapeMarkup(data.reason ?? "nothing was compared")}.</p></div>`;
  const { total } = run;
  const cards: [string, string][] = [
    [formatShare(total.recall), "recall"],
    [formatShare(total.farRecall), "far recall"],
    [formatCost(total.cost.cached, unit), "input, with the cache"],
    [formatCost(total.cost.plain, unit), "input, without it"],
    [formatCost(total.fullCost.plain, unit), "whole history, without it"],
    [formatCount(total.compactions), "cuts"],
  ];
  const text = `${run.strategy}, window ${formatCount(run.window)}, cut at ${thresholdText(run)}`;
  return `<div class="advice"><p><b>Recommended: ${escapeMarkup(text)}</b></p><p class="muted">The rule: ${escapeMarkup(recommended.rule)}.</p></div>
<ul class="cards">${cards.map(([value, label]) => `<li><b>${escapeMarkup(value)}</b>${escapeMarkup(label)}</li>`).join("")}</ul>`;
}

function keysMarkup(data: ReplayData): string {
  const strategies = strategiesOf(data).map(
    (name, tone) =>
      `<li class="curve tone${tone}"><svg viewBox="-7 -7 14 14" aria-hidden="true"><path class="mark" d="${shapeAt(tone, 0, 0)}"/></svg>${escapeMarkup(name)}</li>`,
  );
  const cuts = thresholdsOf(data);
  const buttons = [["", "all cuts"], ...cuts.map((cut, at) => [`cut${at}`, `cut at ${cut}`])].map(
    ([group = "", label = ""]) =>
      `<button type="button" data-cut="${group}" aria-pressed="${group === ""}">${escapeMarkup(label)}</button>`,
  );
  return `<ul class="keys">${strategies.join("")}</ul>${cuts.length > 1 ? `<p class="keys">${buttons.join("")}</p>` : ""}`;
}

interface Column {
  readonly head: string;
  readonly value: (run: RunData) => string | number | null;
  readonly text: (run: RunData, unit: ReplayData["unit"]) => string;
}

const COLUMNS: readonly Column[] = [
  { head: "strategy", value: ({ strategy }) => strategy, text: ({ strategy }) => strategy },
  { head: "window", value: ({ window }) => window, text: ({ window }) => formatCount(window) },
  { head: "cut at", value: thresholdText, text: thresholdText },
  { head: "tokens sent", value: ({ total }) => total.tokens, text: ({ total }) => formatShort(total.tokens) },
  {
    head: "cost",
    value: ({ total }) => total.cost.plain,
    text: ({ total }, unit) => formatCost(total.cost.plain, unit),
  },
  {
    head: "cost, cached",
    value: ({ total }) => total.cost.cached,
    text: ({ total }, unit) => formatCost(total.cost.cached, unit),
  },
  { head: "cached", value: ({ total }) => total.cachedShare, text: ({ total }) => formatShare(total.cachedShare) },
  { head: "cuts", value: ({ total }) => total.compactions, text: ({ total }) => formatCount(total.compactions) },
  { head: "recall", value: ({ total }) => total.recall, text: ({ total }) => formatShare(total.recall) },
  { head: "far", value: ({ total }) => total.farRecall, text: ({ total }) => formatShare(total.farRecall) },
  {
    head: "far in context",
    value: ({ total }) => total.farContextShare,
    text: ({ total }) => formatShare(total.farContextShare),
  },
  { head: "over", value: ({ total }) => total.over, text: ({ total }) => formatCount(total.over) },
  { head: "illegal", value: ({ total }) => total.illegal, text: ({ total }) => formatCount(total.illegal) },
  { head: "time", value: ({ total }) => total.milliseconds, text: ({ total }) => formatDuration(total.milliseconds) },
];

function tableMarkup(data: ReplayData): string {
  const head = COLUMNS.map((column) => `<th scope="col">${column.head}</th>`).join("");
  const rows = data.runs.map((run) => {
    const cells = COLUMNS.map(
      ({ value, text }) =>
        `<td data-value="${escapeMarkup(String(value(run) ?? -1))}">${escapeMarkup(text(run, data.unit))}</td>`,
    );
    return `<tr${isRecommended(run, data) ? ' class="best"' : ""}>${cells.join("")}</tr>`;
  });
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
}
