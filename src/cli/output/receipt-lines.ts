import type { Receipt } from "../../view/receipt.js";
import { countOf, formatCount, formatPercent, wrap } from "../terminal/format.js";
import type { Screen } from "../terminal/screen.js";
import type { ReceiptData } from "./schemas.js";
import { factLines, formatEntries } from "./tables.js";

/** A receipt for people: what was replaced by what, why, and how to get it back. */
export function receiptLines(receipt: Receipt, screen: Screen): string[] {
  const { id, strategy, reason, tokensBefore, tokensAfter, estimated, leftOut } = receipt;
  const title = [id, strategy, reason].filter(Boolean).join(" · ");
  const saved = tokensBefore === 0 ? 0 : (tokensBefore - tokensAfter) / tokensBefore;
  return [
    ...wrap(title, screen.width() - 1).map((line) => ` ${screen.ink.bold(line)}`),
    ...factLines(
      [
        [
          "Tokens",
          `${estimated ? "about " : ""}${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} (${formatPercent(saved)} less)`,
        ],
        ...(leftOut === undefined
          ? []
          : [["Left out", `${leftOut.from}–${leftOut.to}, ${formatEntries(leftOut.entries)}`] as const]),
        ["What became", fatesText(receipt)],
        ["Get it back", "varve context undo, as long as it is the latest; varve context expand ID shows the original"],
      ],
      screen,
    ),
  ];
}

function fatesText({ items }: Receipt): string {
  const counts = new Map<string, number>();
  for (const { fate, entries } of items) counts.set(fate, (counts.get(fate) ?? 0) + entries);
  const parts = [...counts].map(([fate, count]) => `${countOf(count, "entry", "entries")} ${fate.replace("-", " ")}`);
  return parts.length === 0 ? "nothing else changed" : parts.join(", ");
}

/** A receipt as programs get it: with no field that is undefined. */
export const receiptData = (receipt: Receipt): ReceiptData => JSON.parse(JSON.stringify(receipt)) as ReceiptData;
