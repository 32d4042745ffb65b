/** Which notes are shown in so many tokens. */
import type { Note } from "./notes.js";
import { choose } from "./select.js";
import { HALF_LIFE, isNaming, type Worth } from "./worth.js";

/** Share of the room that the user's words may take before anything else is looked at, and more where room is scarce. */
const SAID_SHARE = 0.36;
const LARGEST_SAID_SHARE = 0.7;
const LEAST_SAID = 300;
/** Half of this is what an old word of the user is worth beside a new one. */
const SAID_HALF_LIFE = 400;
/** What a reply refers to: the end of the answer before it, and the items it names by their numbers. */
const REPLIED = 0.3;
const SHORT_REPLY = 240;
/** What stays true however old it is. */
const LASTING: ReadonlySet<Note["kind"]> = new Set(["user", "change", "tasks", "list"]);

/** Lines of files that were only read are worth so much beside those of files that were changed. */
const ASIDE = 0.3;

interface Choice {
  readonly note: Note;
  readonly place: number;
  readonly tokens: number;
  readonly identifiers: readonly string[];
  readonly bonus: number;
  readonly share: number;
  readonly isShort?: true;
}

/** The short form names what the whole names as an argument. */
function shortOf(choice: Choice): Choice {
  const { short = "", shortTokens: tokens = 0 } = choice.note;
  const identifiers = choice.identifiers.filter((name) => isNaming(name) || short.includes(name));
  const note = { ...choice.note, text: short, of: undefined, tokens };
  return { ...choice, note, tokens, identifiers, bonus: choice.bonus / 2, isShort: true };
}

/** The notes that say most in a number of tokens, in the order of the log. */
export function chooseNotes(
  notes: readonly Note[],
  room: number,
  { worth, now }: { worth: Worth; now: number },
): Note[] {
  const said = chooseSaid(notes, Math.max(room * SAID_SHARE, Math.min(room * LARGEST_SAID_SHARE, LEAST_SAID)), now);
  const spent = [...said.values()].reduce((sum, { tokens }) => sum + tokens, 0);
  const covered = new Set([...said.values()].flatMap(({ identifiers }) => identifiers));
  const replied = repliedTo(notes);
  const changed = new Set(notes.flatMap(({ kind, file }) => (kind === "change" ? [file] : [])));
  const rest = notes.flatMap((note, place): Choice[] => {
    if (said.has(place)) return [];
    const age = LASTING.has(note.kind) ? 0 : (now - note.at) / HALF_LIFE;
    const bonus = note.bonus / (1 + age) + (replied.has(place) ? REPLIED : 0);
    const share = note.kind === "fact" && !changed.has(note.file) ? ASIDE : 1;
    const whole = { note, place, tokens: note.tokens, identifiers: note.identifiers, bonus: bonus * share, share };
    return note.short === undefined ? [whole] : [whole, shortOf(whole)];
  });
  const chosen = choose(rest, room - spent, (name) => (covered.has(name) ? 0 : worth(name)));
  const all = new Map(said);
  for (const { note, place, isShort } of chosen) if (!isShort || !all.has(place)) all.set(place, note);
  return [...all].sort(([a], [b]) => a - b).map(([, note]) => note);
}

/** The user's words: whole, or by their beginning where there is no room for all of them. */
function chooseSaid(notes: readonly Note[], room: number, now: number): Map<number, Note> {
  const said = notes.flatMap((note, place) => (note.kind === "user" ? [{ note, place }] : []));
  const choices = (of: typeof said, tokensOf: (note: Note) => number) =>
    of.map(({ note, place }) => ({
      note,
      place,
      tokens: tokensOf(note),
      identifiers: [],
      bonus: 1 / (1 + (now - note.at) / SAID_HALF_LIFE) + 0.2,
    }));
  const whole = choose(
    choices(said, ({ tokens }) => tokens),
    room,
    () => 0,
  );
  const chosen = new Map(whole.map(({ place, note }) => [place, note]));
  const left = room - whole.reduce((sum, { tokens }) => sum + tokens, 0);
  const rest = said.filter(({ note, place }) => !chosen.has(place) && note.short !== undefined);
  for (const { place, note } of choose(
    choices(rest, ({ shortTokens }) => shortTokens!),
    left,
    () => 0,
  ))
    chosen.set(place, { ...note, text: note.short!, tokens: note.shortTokens! });
  return chosen;
}

const NUMBERS = /(?<![\w.])#?(\d{1,4}|[A-Ha-h](?=[).:]))(?![\w])/g;

/** Statements that a short reply is about. */
function repliedTo(notes: readonly Note[]): Set<number> {
  const found = new Set<number>();
  let answer: number[] = [];
  for (const [place, note] of notes.entries()) {
    if (note.kind === "answer") {
      if (notes[answer[0] ?? -1]?.at !== note.at) answer = [];
      answer.push(place);
    }
    if (note.kind !== "user" || answer.length === 0) continue;
    if (note.text.length <= SHORT_REPLY) {
      const numbers = new Set(Array.from(note.text.matchAll(NUMBERS), (match) => match[1]!));
      for (const at of answer) if (numbers.has(notes[at]!.number ?? "")) found.add(at);
      for (const at of answer.slice(-2)) found.add(at);
    }
    answer = [];
  }
  return found;
}
