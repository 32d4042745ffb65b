/** What is worth remembering of a stretch of a session: what user and agent said, and said themselves. */
import { isJunk } from "../../memory/auditing.js";
import { draws, isMostlyOf, isOnly, Retold, tellingTerms, tells, withoutEchoes } from "../../memory/echoes.js";
import { sentencesOf } from "../../memory/facts/sentences.js";
import { FORGOTTEN } from "../../memory/forgotten-texts.js";
import type { EntryReference, Memory, MemoryInput } from "../../memory/memory.js";
import type { Retelling } from "../../memory/retellings.js";
import { termsOf } from "../../memory/text/terms.js";
import { callsOf } from "../../message/content.js";
import type { Entry } from "../../message/entry.js";
import { resultsIn, saidIn } from "./said.js";

/** A memory that a turn was shown. */
export type ShownMemory = Pick<Memory, "id" | "content">;

export interface LessonOptions {
  readonly session: string;
  /** Whether the results of tools are wanted too. */
  readonly tools: boolean;
  /** Id of the user message whose turn the first entry belongs to; undefined where there is none. */
  readonly request: string | undefined;
  /** What a turn was shown of its memories, by the id of its user message. */
  readonly recalled: ReadonlyMap<string, readonly ShownMemory[]>;
  /** The memories that the results of the agent's own tools name, by the id of their entry. */
  readonly found: ReadonlyMap<string, readonly ShownMemory[]>;
}

/** The name under which what an entry says is remembered. */
const lessonId = (session: string, sequence: number): string => `${session}:${sequence}`;

/** Longer results of tools are cut: they are kept whole in the log. */
const LONGEST_RESULT = 20_000;
const LONGEST = 1_000_000;

export interface Lessons {
  /** One text for each entry that says something new. */
  readonly texts: readonly MemoryInput[];
  /** The entries that say something of memories again. */
  readonly retellings: readonly Retelling[];
  /** The entries that hold more than words. */
  readonly attached: readonly EntryReference[];
}

export function lessonsOf(entries: readonly Entry[], options: LessonOptions): Lessons {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => names.get(id) ?? "";
  let turn = new Turn(options.recalled.get(options.request ?? "") ?? []);
  const texts: MemoryInput[] = [];
  const retellings: Retelling[] = [];
  const attached: EntryReference[] = [];
  for (const entry of entries) {
    const { role, message, id, sequence } = entry;
    if (role === "user") turn = new Turn(options.recalled.get(id) ?? []);
    for (const { toolCallId, toolName } of callsOf(message)) names.set(toolCallId, toolName);
    const looked = role === "tool" ? resultsIn(message, { own: true, nameOf }) : "";
    if (looked !== "") turn.looked(looked, options.found.get(id) ?? []);
    const ids = role === "assistant" ? turn.retoldIn(saidIn(message)) : turn.foundIn(looked);
    if (ids.length > 0) retellings.push({ entry: { session: options.session, sequence }, ids });
    const lesson = lessonOf(entry, { ...options, turn, nameOf });
    if (lesson === undefined) continue;
    if (role === "user") turn.said({ id: lesson.id ?? "", content: lesson.content });
    if (!isWords(message)) attached.push({ session: options.session, sequence });
    texts.push(lesson);
  }
  return { texts, retellings, attached };
}

const isWords = ({ content }: Entry["message"]): boolean =>
  typeof content === "string" || content.every(({ type }) => type === "text");

/** The sentences of a line; the line itself where it is code or a table. */
function piecesOf(line: string): string[] {
  const sentences = sentencesOf(line);
  return sentences.length === 0 ? [line] : sentences;
}

/** What the agent was told in a turn and may retell. */
class Turn {
  #shown: readonly ShownMemory[];
  #looked: readonly string[] = [];
  #said: ShownMemory | undefined;
  #retold: Retold | undefined;

  constructor(shown: readonly ShownMemory[]) {
    this.#shown = shown;
  }

  /** What it found of its own past. */
  looked(text: string, found: readonly ShownMemory[]): void {
    this.#looked = [...this.#looked, text];
    this.#shown = [...this.#shown, ...found.filter(({ id }) => !this.#shown.some((shown) => shown.id === id))];
    this.#retold = undefined;
  }

  said(request: ShownMemory): void {
    this.#said = request;
  }

  /** An agent's text without what it only retells of its past. */
  own(text: string): string {
    this.#retold ??= new Retold([...this.#shown.map(({ content }) => content), ...this.#looked]);
    return withoutEchoes(text, this.#retold);
  }

  /** The memories of which a text says something again that is not kept for it. */
  retoldIn(text: string): string[] {
    if (text === "" || this.#shown.length === 0) return [];
    const own = new Set(sentencesOf(this.own(text)));
    const echoes = sentencesOf(text).filter((sentence) => !own.has(sentence));
    const told = new Set(echoes.flatMap((echo) => this.#nearest(echo)));
    const pieces = text.split("\n").flatMap(piecesOf);
    const isTold = (memory: ShownMemory): boolean =>
      told.has(memory) || pieces.some((piece) => tells(piece, memory.content));
    return this.#shown.filter(isTold).map(({ id }) => id);
  }

  /** The memories that the result of a tool tells. */
  foundIn(looked: string): string[] {
    if (looked === "" || this.#shown.length === 0) return [];
    const isTold = ({ content }: ShownMemory): boolean =>
      tells(looked, content) || sentencesOf(looked).some((sentence) => isMostlyOf(sentence, content));
    return this.#shown.filter(isTold).map(({ id }) => id);
  }

  /** The memories that an echo has most of its words from: what shares a word with it besides is not what it tells. */
  #nearest(echo: string): ShownMemory[] {
    const terms = tellingTerms(echo);
    const shared = this.#shown
      .filter(({ content }) => isMostlyOf(echo, content))
      .map((memory) => {
        const known = new Set(termsOf(memory.content));
        return { memory, count: terms.filter((term) => known.has(term)).length };
      });
    const most = Math.max(...shared.map(({ count }) => count));
    return shared.filter(({ count }) => count === most).map(({ memory }) => memory);
  }

  /** The memories that an agent's text may have its words from: when those are forgotten, it may have to go too. */
  sources(text: string): string[] {
    const shown = this.#shown.filter(({ content }) => draws(text, content));
    const said = this.#said;
    const isRetold = said !== undefined && (tells(text, said.content) || isOnly(text, said.content));
    return [...shown.map(({ id }) => id), ...(isRetold ? [said.id] : [])];
  }
}

interface Standpoint extends LessonOptions {
  readonly turn: Turn;
  nameOf(toolCallId: string): string;
}

function lessonOf({ role, message, sequence, time }: Entry, standpoint: Standpoint): MemoryInput | undefined {
  const { session, tools, turn, nameOf } = standpoint;
  const details = { id: lessonId(session, sequence), at: time, thread: session, entries: [{ session, sequence }] };
  if (role === "tool") {
    const content = tools ? resultsIn(message, { own: false, nameOf }).slice(0, LONGEST_RESULT).toWellFormed() : "";
    return isWorthless(content) ? undefined : { ...details, content, source: "tool", speaker: "tool" };
  }
  if (role === "system") return undefined;
  const said = saidIn(message).replace(FORGOTTEN, "").trim().slice(0, LONGEST).toWellFormed();
  if (isWorthless(said)) return undefined;
  if (role === "user") return { ...details, content: said, source: "user", speaker: role };
  const content = turn.own(said);
  if (isWorthless(content)) return undefined;
  const recalled = turn.sources(content);
  const origin = recalled.length === 0 ? {} : { metadata: { recalled } };
  return { ...details, content, source: "agent", speaker: role, ...origin };
}

const isWorthless = (content: string): boolean => content === FORGOTTEN || isJunk(content);
