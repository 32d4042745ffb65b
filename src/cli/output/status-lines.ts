import { countOf, formatCount, formatPercent, wrap } from "../terminal/format.js";
import type { Segment } from "../terminal/grid.js";
import type { Screen } from "../terminal/screen.js";
import { windowLines } from "../terminal/window-lines.js";
import type { Output } from "./schemas.js";
import { factLines, formatEntries, formatTime } from "./tables.js";

type Status = Output<"context status">;

const HEIGHT = 14;

/** The status for people: title, grid with its legend, and facts. */
export function statusLines(status: Status, screen: Screen): string[] {
  const { session, strategy, budget } = status;
  const width = screen.width();
  const title = `${session.id} · ${strategy} · window ${formatCount(budget.window)}`;
  const grid = windowLines(status.segments as Segment[], { ink: screen.ink, width, height: HEIGHT });
  return [
    "",
    ...wrap(title, width - 1).map((line) => ` ${screen.ink.bold(line)}`),
    "",
    ...grid,
    "",
    ...factLines(factsOf(status), screen),
    "",
  ];
}

function factsOf(status: Status): [label: string, text: string][] {
  const { session, tokens, budget, leftOut, since, pins, checkpoints } = status;
  const kept = [countOf(pins.length, "pin"), countOf(checkpoints, "checkpoint")].join(", ");
  const recent = since === 0 ? "" : `; ${formatEntries(since)} since`;
  return [
    [
      "View",
      `${formatCount(tokens)} of ${formatCount(budget.usable)} usable tokens (${formatPercent(status.percentUsed)})${recent}`,
    ],
    ["Log", `${formatEntries(session.entries)}, ${formatCount(leftOut)} not shown; ${kept}`],
    ["Blocks", status.blocks.map(({ name, tokens: each }) => `${name} ${formatCount(each)}`).join(", ") || "none"],
    [
      "Budget",
      `trigger ${formatCount(budget.trigger)}, target ${formatCount(budget.target)}, reserve ${formatCount(budget.reserve)}`,
    ],
    ["Counting", countingText(status)],
    ["Cache", cacheText(status)],
    ["Next cut", nextText(status)],
    ...(status.summariser === null ? [] : [["Summariser", failureText(status.summariser)] as [string, string]]),
    ["Changed", formatTime(session.updated)],
    ...(status.recorded
      ? []
      : [["Note", "made for this status, without the program's system prompt and tools"] as [string, string]]),
  ];
}

function countingText({ counter: { name, errorBound, factor, reports } }: Status): string {
  const bound = errorBound === 0 ? "exact" : `off by ${formatPercent(errorBound)} at most`;
  const by = reports === 0 ? "no usage reported yet" : `corrected by ${factor} after ${countOf(reports, "report")}`;
  return `${name}, ${bound}; ${by}`;
}

function cacheText({ cache }: Status): string {
  if (cache === null) return "not known: no view was recorded";
  return `about ${formatPercent(cache.share)} of ${formatCount(cache.sent)} tokens in ${countOf(cache.views, "view")} repeat the view before`;
}

function failureText({ message, times, since, fallback }: NonNullable<Status["summariser"]>): string {
  const instead = fallback === "extractive" ? "the conversation's own words stand in" : "the summary before stands";
  return `failed ${countOf(times, "time")} since ${formatTime(since)}, ${instead}: ${message}`;
}

function nextText({ next: { tokensLeft, entriesLeft } }: Status): string {
  if (tokensLeft === 0) return "with the next view";
  const entries = entriesLeft === null ? "" : `, about ${formatEntries(entriesLeft)}`;
  return `in ${countOf(tokensLeft, "token")}${entries}`;
}
