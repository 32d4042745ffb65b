import { foreignText } from "../message/foreign-text.js";
import type { Candidate } from "./select.js";

/** The headings under which items stand in a digest, in their order. */
export const GROUPS = ["Constraints", "User", "Decided", "Notes", "Calls", "Errors", "Seen"] as const;

/** What lines of a digest begin with that are not an item's. */
const MARKS: readonly string[] = [...GROUPS.map((group) => `${group.toLowerCase()}:`), "[digest", "[memorysummary]"];

export type ItemGroup = (typeof GROUPS)[number];

/** One line of a digest: words of the conversation, to the letter. */
export interface DigestItem extends Candidate {
  readonly text: string;
  readonly group: ItemGroup;
  /** The entry it was taken from. */
  readonly position: number;
  /** What became of it, e.g. "failed"; shown behind the text. */
  readonly state: string | undefined;
}

/** Text that stands in for a range of the log. */
export interface Digest {
  /** Names the first and the last entry that it covers, and opens them: "e12-e80". */
  readonly id: string;
  /** 0 for one made from messages, one more for each time digests were merged. */
  readonly level: number;
  /** Positions of the entries it covers, the end not included. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly tokens: number;
  readonly items: readonly DigestItem[];
}

/** The first line says what the text is, what it covers and how to read the original. */
function headLine({ id, from, to }: Pick<Digest, "id" | "from" | "to">): string {
  const count = to - from;
  return `[Digest ${id}: ${count} ${count === 1 ? "message" : "messages"}, word for word in parts]`;
}

/** The items as a text, by heading and in the order of the log. */
export function renderItems(head: Pick<Digest, "id" | "from" | "to">, items: readonly DigestItem[]): string {
  return [headLine(head), ...renderGroups(items)].join("\n");
}

/** The items as lines, each heading in front of its own. */
export function renderGroups(items: readonly DigestItem[]): string[] {
  return GROUPS.flatMap((group) => {
    const lines = items.filter((item) => item.group === group).map(lineOf);
    return lines.length === 0 ? [] : [`${group}:`, ...lines];
  });
}

/** Words that run over several lines get a mark in front, so that one can tell where the next begin. */
export function lineOf({ text, state }: Pick<DigestItem, "text" | "state">): string {
  const said = foreignText(text, MARKS);
  const line = state === undefined ? said : `${said} (${state})`;
  return line.includes("\n") ? `- ${line}` : line;
}
