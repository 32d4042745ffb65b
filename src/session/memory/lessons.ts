/** What is worth remembering of a stretch of a session: what user and agent said, and said themselves. */
import { isJunk } from "../../memory/auditing.js";
import { draws, isMostlyOf, isOnly, Retold, tells, withoutEchoes } from "../../memory/echoes.js";
import { sentencesOf } from "../../memory/facts/sentences.js";
import type { Memory, MemoryInput } from "../../memory/memory.js";
import type { Retelling } from "../../memory/retellings.js";
import { callsOf } from "../../message/content.js";
import type { Entry } from "../../message/entry.js";
import { FORGOTTEN } from "./redacted-message.js";
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
}

export function lessonsOf(entries: readonly Entry[], options: LessonOptions): Lessons {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => names.get(id) ?? "";
  let turn = new Turn(options.recalled.get(options.request ?? "") ?? []);
  const texts: MemoryInput[] = [];
  const retellings: Retelling[] = [];
  for (const entry of entries) {
    const { role, message, id, sequence } = entry;
    if (role === "user") turn = new Turn(options.recalled.get(id) ?? []);
    for (const { toolCallId, toolName } of callsOf(message)) names.set(toolCallId, toolName);
    const looked = role === "tool" ? resultsIn(message, { own: true, nameOf }) : "";
    if (looked !== "") turn.looked(looked, options.found.get(id) ?? []);
    const ids = turn.retoldIn(role === "assistant" ? saidIn(message) : looked);
    if (ids.length > 0) retellings.push({ entry: { session: options.session, sequence }, ids });
    const lesson = lessonOf(entry, { ...options, turn, nameOf });
    if (lesson === undefined) continue;
    if (role === "user") turn.said({ id: lesson.id ?? "", content: lesson.content });
    texts.push(lesson);
  }
  return { texts, retellings };
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
    const isTold = ({ content }: ShownMemory): boolean => echoes.some((echo) => isMostlyOf(echo, content));
    return this.#shown.filter((memory) => isTold(memory) || tells(text, memory.content)).map(({ id }) => id);
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
  const said = saidIn(message).slice(0, LONGEST).toWellFormed();
  if (isWorthless(said)) return undefined;
  if (role === "user") return { ...details, content: said, source: "user", speaker: role };
  const content = turn.own(said);
  if (isWorthless(content)) return undefined;
  const recalled = turn.sources(content);
  const origin = recalled.length === 0 ? {} : { metadata: { recalled } };
  return { ...details, content, source: "agent", speaker: role, ...origin };
}

const isWorthless = (content: string): boolean => content === FORGOTTEN || isJunk(content);
