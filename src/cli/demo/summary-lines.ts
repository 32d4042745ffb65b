import type { Ink } from "../terminal/colour.js";
import { countOf, formatCount, formatPercent, padEnd, wrap } from "../terminal/format.js";
import type { DemoSummary } from "./summary.js";

const LABEL = 15;
const NEXT = [
  `const session = await varve.session("user:agent:1", { window: 128_000 });`,
  "const view = await session.view({ system, tools });",
];

/** The summary for people, in lines of at most `width` columns. */
export function summaryLines(summary: DemoSummary, { ink, width }: { ink: Ink; width: number }): string[] {
  const rows = rowsOf(summary).flatMap(([label, text]) => rowLines(label, text, { ink, width }));
  const code = NEXT.flatMap((line) => wrap(line, width - 3).map((each, at) => `   ${at > 0 ? "  " : ""}${each}`));
  return [
    ` ${ink.bold("Summary")}`,
    ...rows,
    "",
    ` ${ink.bold("Next")}`,
    ...wrap("README.md shows the rest. In your own agent it is two lines:", width - 1).map((line) => ` ${line}`),
    ...code.map((line) => ink.tone("teal", line)),
  ];
}

function rowLines(label: string, text: string, { ink, width }: { ink: Ink; width: number }): string[] {
  return wrap(text, width - LABEL - 1).map(
    (line, at) => ` ${ink.tone("muted", padEnd(at === 0 ? label : "", LABEL))}${line}`,
  );
}

function rowsOf(summary: DemoSummary): [label: string, text: string][] {
  return [
    ["Log", logText(summary)],
    [
      "Views",
      `${formatCount(summary.views)}; ${formatCount(summary.viewsThatNeededReduction)} had a log larger than the window`,
    ],
    ["Largest view", largestText(summary)],
    ["Accepted", acceptedText(summary)],
    ["Cuts", cutsText(summary)],
    ["Shortened", shorterText(summary.shortened)],
    ["Replaced", `${shorterText(summary.replaced)}: cleared, or superseded by a newer result`],
    ["Repairs", repairsText(summary)],
    ["Cacheable", `${formatPercent(summary.unchangedShare)} of the tokens sent repeat the start of the view before`],
    [
      "Sent",
      `${countOf(summary.tokensSent, "token")}; the whole log each time would be ${formatCount(summary.tokensOfWholeLog)}`,
    ],
  ];
}

const shorterText = ({ results, tokensBefore, tokensAfter }: DemoSummary["shortened"]): string =>
  `${countOf(results, "result")}, ${formatCount(tokensBefore)} → ${countOf(tokensAfter, "token")}`;

function logText({ logTokens, messages, messagesKept }: DemoSummary): string {
  const kept = messagesKept === messages ? "all of it still there" : `${formatCount(messagesKept)} still there`;
  return `${countOf(logTokens, "token")} in ${countOf(messages, "message")}, ${kept}`;
}

function largestText({ largestView, window, viewsOverWindow }: DemoSummary): string {
  const verdict =
    viewsOverWindow === 0 ? "never over the window" : `${countOf(viewsOverWindow, "view")} over the window`;
  return `${formatCount(largestView)} of ${countOf(window, "token")}: ${verdict}`;
}

function acceptedText({ views, viewsRefused, providers }: DemoSummary): string {
  const count = viewsRefused === 0 ? "every view" : `${formatCount(views - viewsRefused)} of ${countOf(views, "view")}`;
  return `${count}: ${providers.join(", ")}`;
}

function cutsText({ cuts, entriesLeftOut, recover }: DemoSummary): string {
  if (cuts === 0) return "none needed";
  return `${formatCount(cuts)}; in the end ${countOf(entriesLeftOut, "entry", "entries")} not shown. ${recover ?? ""}`;
}

function repairsText({ repairs }: DemoSummary): string {
  const kinds = Object.entries(repairs).map(([kind, count]) => countOf(count, kind.replaceAll("-", " ")));
  return kinds.length === 0 ? "none needed" : kinds.join(", ");
}
