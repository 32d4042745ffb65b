import type { EntryScore } from "../../notes/importance.js";
import type { Screen } from "../terminal/screen.js";
import { rowLines } from "./tables.js";

/** The scores of entries for people: each with what it is made of, and the beginning of what it says. */
export function scoreLines(
  scores: readonly EntryScore[] | undefined,
  texts: ReadonlyMap<string, string>,
  screen: Screen,
): string[] {
  if (scores === undefined) return [" The strategy does not go by scores.", ""];
  const rows = scores.map((each) => [each.entry, each.score.toFixed(2), partsText(each), texts.get(each.entry) ?? ""]);
  return [...rowLines([["Entry", "Score", "Why", ""], ...rows], screen), ""];
}

/** "words 0.60, label 0.50": the parts that are there. */
function partsText({ parts, pinned }: EntryScore): string {
  const named = Object.entries(parts).flatMap(([name, part]) => (part < LEAST ? [] : [`${name} ${part.toFixed(2)}`]));
  return [...(pinned ? ["pinned"] : []), ...named].join(", ");
}

const LEAST = 0.005;
