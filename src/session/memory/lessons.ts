/** What is worth remembering of a stretch of a session: what user and agent said, and said themselves. */
import { isJunk } from "../../memory/auditing.js";
import { areNearlyEqual } from "../../memory/facts/duplicates.js";
import { sentencesOf } from "../../memory/facts/sentences.js";
import type { MemoryInput } from "../../memory/memory.js";
import { callsOf } from "../../message/content.js";
import type { Entry } from "../../message/entry.js";
import { FORGOTTEN } from "./redacted-message.js";
import { resultsIn, saidIn } from "./said.js";

export interface LessonOptions {
  readonly session: string;
  /** Whether the results of tools are wanted too. */
  readonly tools: boolean;
  /** Id of the user message whose turn the first entry belongs to; undefined where there is none. */
  readonly request: string | undefined;
  /** The texts that a turn was shown as memories, by the id of its user message. */
  readonly recalled: ReadonlyMap<string, readonly string[]>;
}

/** The name under which what an entry says is remembered. */
const lessonId = (session: string, sequence: number): string => `${session}:${sequence}`;

/** Longer results of tools are cut: they are kept whole in the log. */
const LONGEST_RESULT = 20_000;
const LONGEST = 1_000_000;

/** One text for each entry that says something new. */
export function lessonsOf(entries: readonly Entry[], options: LessonOptions): MemoryInput[] {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => names.get(id) ?? "";
  let known = (options.request === undefined ? undefined : options.recalled.get(options.request)) ?? [];
  const lessons: MemoryInput[] = [];
  for (const entry of entries) {
    const { role, message, id } = entry;
    if (role === "user") known = options.recalled.get(id) ?? [];
    for (const { toolCallId, toolName } of callsOf(message)) names.set(toolCallId, toolName);
    const looked = role === "tool" ? resultsIn(message, { own: true, nameOf }) : "";
    if (looked !== "") known = [...known, looked];
    const lesson = lessonOf(entry, { ...options, known, nameOf });
    if (lesson !== undefined) lessons.push(lesson);
  }
  return lessons;
}

interface Standpoint extends LessonOptions {
  /** What the agent was told in this turn and may repeat. */
  readonly known: readonly string[];
  nameOf(toolCallId: string): string;
}

function lessonOf({ role, message, sequence, time }: Entry, standpoint: Standpoint): MemoryInput | undefined {
  const { session, tools, known, nameOf } = standpoint;
  const details = { id: lessonId(session, sequence), at: time, thread: session, entries: [{ session, sequence }] };
  if (role === "tool") {
    const content = tools ? resultsIn(message, { own: false, nameOf }).slice(0, LONGEST_RESULT).toWellFormed() : "";
    return isWorthless(content) ? undefined : { ...details, content, source: "tool", speaker: "tool" };
  }
  if (role === "system") return undefined;
  const content = saidIn(message).slice(0, LONGEST).toWellFormed();
  if (isWorthless(content) || (role === "assistant" && isEcho(content, known))) return undefined;
  return { ...details, content, source: role === "user" ? "user" : "agent", speaker: role };
}

const isWorthless = (content: string): boolean => content === FORGOTTEN || isJunk(content);

/** Whether a text only repeats others: as a whole, or in all its sentences. */
function isEcho(text: string, known: readonly string[]): boolean {
  if (known.length === 0) return false;
  if (known.some((each) => areNearlyEqual(text, each))) return true;
  const said = sentencesOf(text).filter((sentence) => !isJunk(sentence));
  const sentences = known.flatMap((each) => [each, ...sentencesOf(each)]);
  return said.length > 0 && said.every((one) => sentences.some((other) => areNearlyEqual(one, other)));
}
