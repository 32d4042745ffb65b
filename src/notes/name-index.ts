/** Names that no statement tells of, by the file that they belong to: an index to search by, and said to be no more. */
import type { TokenCounter } from "../tokens/counter.js";
import type { Note } from "./notes.js";
import { isNaming, type Worth } from "./worth.js";

export interface NameIndexInput {
  readonly notes: readonly Note[];
  /** The notes whose statements are shown. */
  readonly chosen: readonly Note[];
  readonly room: number;
  readonly counter: TokenCounter;
  readonly worth: Worth;
}

export const NAMES_HEAD = "Names that came up besides, as an index to search by:";
const LEAST_WORTH = 0.001;
const SHORTEST = 6;
/** So many names of one file stand behind its path; fewer stand with the others. */
const LEAST_OF_FILE = 3;
/** Share of the room for the paths. */
const PATHS_SHARE = 0.15;

/** The index as a text with a line break in front; empty where there is no name, or no room for one. */
export function nameIndex(input: NameIndexInput): string {
  const { counter } = input;
  const room = input.room - counter.text(NAMES_HEAD);
  const names = namesWithin(room * (1 - PATHS_SHARE), input);
  if (names.length === 0) return "";
  let left = room * PATHS_SHARE;
  const byFile = Map.groupBy(names, ({ file }) => file);
  const others: string[] = [];
  const lines: string[] = [];
  for (const [file, group] of byFile) {
    const list = group.map(({ name }) => name);
    const tokens = counter.text(file) + 3;
    if (file === "" || list.length < LEAST_OF_FILE || tokens > left) others.push(...list);
    else {
      left -= tokens;
      lines.push(`  ${file}: ${list.join(", ")}.`);
    }
  }
  if (others.length > 0) lines.push(`  ${others.join(", ")}.`);
  return ["", NAMES_HEAD, ...lines].join("\n");
}

/** The names most likely to be needed again for their tokens, each with the file that it was named with last. */
function namesWithin(room: number, { notes, chosen, counter, worth }: NameIndexInput) {
  const told = new Set(chosen.flatMap(({ identifiers }) => identifiers));
  const files = new Map<string, string>();
  for (const { identifiers, inside = [], file = "" } of notes)
    for (const name of [...identifiers, ...inside])
      if (!told.has(name) && !isNaming(name) && !isWord(name)) files.set(name, file);
  let left = room;
  return Array.from(files, ([name, file]) => ({ name, file, worth: worth(name) }))
    .filter((each) => each.worth > LEAST_WORTH)
    .map((each) => ({ ...each, tokens: counter.text(`, ${each.name}`) }))
    .sort((a, b) => b.worth / b.tokens - a.worth / a.tokens)
    .filter(({ tokens }) => {
      if (tokens > left) return false;
      left -= tokens;
      return true;
    });
}

/** What says nothing by itself: words ("side-by-side", "README"), numbers, and what is too short to search for. */
const isWord = (name: string): boolean =>
  name.length < SHORTEST || /^(?:[A-Za-z]?[a-z]+(?:-[a-z]+)*|[A-Z]+|[\d.,:]+)$/.test(name);
