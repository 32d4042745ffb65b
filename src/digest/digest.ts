import type { Candidate } from "./select.js";

/** Under which heading an item stands in a digest. */
export type ItemGroup = "Constraints" | "Requests" | "Decisions" | "Notes" | "Calls" | "Errors" | "Found";

export const GROUPS: readonly ItemGroup[] = [
  "Constraints",
  "Requests",
  "Decisions",
  "Notes",
  "Calls",
  "Errors",
  "Found",
];

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
  readonly id: string;
  /** 0 for one made from messages, one more for each time digests were merged. */
  readonly level: number;
  /** Positions of the entries it covers, the end not included. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly tokens: number;
  readonly items: readonly DigestItem[];
  /** Names what made it: "extractive", or a model. */
  readonly madeBy: string;
  /** The digests that were merged into it. */
  readonly children: readonly string[];
}

export interface DigestHead {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** The first line says what the text is, what it covers and how to read the original. */
function headLine({ id, from, to }: DigestHead): string {
  const count = to - from;
  return `[Digest ${id}: e${from} to e${to - 1}, ${count} ${count === 1 ? "message" : "messages"}, word for word in parts]`;
}

/** The items as a text, by heading and in the order of the log. */
export function renderItems(head: DigestHead, items: readonly DigestItem[]): string {
  return [headLine(head), ...renderGroups(items)].join("\n");
}

/** The items as lines, each heading in front of its own. */
export function renderGroups(items: readonly DigestItem[]): string[] {
  return GROUPS.flatMap((group) => {
    const lines = items.filter((item) => item.group === group).map(lineOf);
    return lines.length === 0 ? [] : [`${group}:`, ...lines];
  });
}

export const lineOf = ({ text, state }: Pick<DigestItem, "text" | "state">): string =>
  state === undefined ? text : `${text} (${state})`;
