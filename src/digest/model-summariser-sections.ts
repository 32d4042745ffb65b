import { isSectionName, linesOf, type NotesLine, SECTIONS, type SectionName } from "./model-summariser-lines.js";
import { decodeContent } from "./prompts.js";

/**
 * Notes as sections of items. A model names only what changes; code merges it. An item that nobody names stays as it
 * is, byte for byte, however often the notes are carried on.
 */
export type Sections = Readonly<Record<SectionName, readonly string[]>>;

const NO_SECTIONS: Sections = {
  earlier: [],
  goal: [],
  constraints: [],
  decisions: [],
  done: [],
  open: [],
  files: [],
  errors: [],
  next: [],
};

/** The notes of a text; what stands under no heading of ours goes to `earlier`. */
export function parseSections(text: string): Sections {
  return addItems(NO_SECTIONS, linesOf(text).map(itemOf));
}

export interface NotesChange {
  readonly sections: Sections;
  /** False where the answer had no heading of ours and did not say that nothing changes. */
  readonly understood: boolean;
}

const NO_CHANGES = /^\W*no(thing)? (further )?changes?\W*$/i;

/** The notes after a model's answer. */
export function changeSections(sections: Sections, answer: string): NotesChange {
  const lines = linesOf(decodeContent(answer));
  const named = lines.filter((line): line is NotesLine & { section: SectionName } => line.section !== undefined);
  if (named.every(({ section }) => section === "earlier"))
    return { sections, understood: NO_CHANGES.test(answer.trim()) };
  const removed = new Set(named.filter(({ mark }) => mark === "-").flatMap((line) => namesMeant(line, sections)));
  const added = named.filter((line) => line.mark !== "-" || namesMeant(line, sections).length === 0);
  const kept = mapSections(sections, (items, name) => items.filter((_, at) => !removed.has(`${name}-${at + 1}`)));
  return { sections: addItems(kept, added.map(itemOf)), understood: true };
}

const itemOf = ({ section = "earlier", text }: NotesLine): readonly [SectionName, string] => [section, text];

/** The items that a line with a minus removes, by name or by their words; none where it adds one. */
function namesMeant({ section, text }: NotesLine & { section: SectionName }, sections: Sections): string[] {
  const name = /^\[?([a-z]+)-(\d+)\]?(?=$|[\s:.,)])/i.exec(text);
  const named = name?.[1]?.toLowerCase() ?? "";
  // A name that no item has is returned all the same: the line is no item to add.
  if (isSectionName(named)) return [`${named}-${name?.[2]}`];
  const at = sections[section].findIndex((item) => sameWords(item, text));
  return at < 0 ? [] : [`${section}-${at + 1}`];
}

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
const sameWords = (left: string, right: string): boolean => wordsOf(left) === wordsOf(right);

/** Adds items that are not there yet; what is said last decides whether a thing is done or open. */
function addItems(sections: Sections, added: readonly (readonly [SectionName, string])[]): Sections {
  return added.reduce((before, [name, text]) => {
    const others = OPPOSITES[name] ?? [];
    return mapSections(before, (items, each) => {
      if (each === name) return items.some((item) => sameWords(item, text)) ? items : [...items, text];
      return others.includes(each) ? items.filter((item) => !sameWords(item, text)) : items;
    });
  }, sections);
}

const OPPOSITES: Partial<Record<SectionName, readonly SectionName[]>> = {
  done: ["open", "next"],
  open: ["done"],
  next: ["done"],
};

type Change = (items: readonly string[], name: SectionName) => readonly string[];

export function mapSections(sections: Sections, change: Change): Sections {
  const changed: Record<SectionName, readonly string[]> = { ...sections };
  for (const name of SECTIONS) changed[name] = change(sections[name], name);
  return changed;
}

const title = (name: SectionName): string => `## ${name[0]!.toUpperCase()}${name.slice(1)}`;

/** The notes as a text; with names, so that a model can say which item it means. */
export function renderSections(sections: Sections, names = false): string {
  return SECTIONS.flatMap((name) => {
    const items = sections[name].map((item, at) => (names ? `- [${name}-${at + 1}] ${item}` : `- ${item}`));
    return items.length === 0 ? [] : [[title(name), ...items].join("\n")];
  }).join("\n\n");
}
