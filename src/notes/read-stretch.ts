/** Reads a stretch of a log into notes. */

import { callsOf } from "../message/content.js";
import type { EntryId, Position } from "../message/positions.js";
import type { History, Message, Part, ToolCallPart, ToolOutput } from "../message/types.js";
import type { Draft } from "./notes.js";
import { actNotes } from "./read-calls.js";
import { agentNotes, userNotes } from "./read-talk.js";
import { spokenIn } from "./word-index.js";

export interface Stretch {
  readonly history: History;
  readonly from: Position;
  readonly to: Position;
  /** Entries of the log: what follows the stretch tells whether a turn has ended. */
  readonly length: number;
  readonly idAt: (position: Position) => EntryId;
}

/** What the user said in one entry. */
export const readRequest = (at: Position, { history, idAt }: Pick<Stretch, "history" | "idAt">): Draft[] =>
  userNotes(spokenIn(history.messageAt(at)), { at, id: idAt(at) });

export function readStretch(stretch: Stretch): Draft[] {
  const { history, from, to } = stretch;
  const results = resultsIn(stretch);
  const drafts: Draft[] = [];
  let failed = false;
  for (let at = from; at < to; at++) {
    const message = history.messageAt(at);
    if (message.role === "user") drafts.push(...readRequest(at, stretch));
    if (message.role !== "assistant") continue;
    const notes = assistantNotes(at, stretch, results);
    drafts.push(...(failed ? notes.map(asCause) : notes));
    failed = notes.some((note) => note.failed) || (failed && notes.every(({ kind }) => kind === "remark"));
  }
  return drafts;
}

/** What the agent says right after a failure tells its cause. */
const CAUSE = 0.2;
const asCause = (note: Draft): Draft => (note.kind === "remark" ? { ...note, bonus: CAUSE } : note);

function assistantNotes(at: Position, stretch: Stretch, results: Results): Draft[] {
  const message = stretch.history.messageAt(at);
  const id = stretch.idAt(at);
  const calls = partsOf(message).filter((part): part is ToolCallPart => part.type === "tool-call");
  const isClosing = callsOf(message).length === 0 && endsTurn(stretch, at);
  const acts = calls.map((call) => {
    const known = results.get(call.toolCallId) ?? [];
    const place = known.findIndex((each) => each.at >= at);
    const [answer] = place < 0 ? [] : known.splice(place, 1);
    return { call, at, id, output: answer?.output, answeredAt: answer?.at ?? at };
  });
  return [...agentNotes(spokenIn(message), { at, id }, isClosing), ...acts.flatMap(actNotes)];
}

function endsTurn({ history, length }: Stretch, at: Position): boolean {
  for (let next = at + 1; next < length; next++) {
    const { role } = history.messageAt(next);
    if (role !== "system") return role === "user";
  }
  return true;
}

type Results = ReadonlyMap<string, { readonly at: Position; readonly output: ToolOutput }[]>;

/** Results by the id of their call, in order: ids are used again, and each result answers one call. */
function resultsIn({ history, from, to, length }: Stretch): Results {
  const results = new Map<string, { at: Position; output: ToolOutput }[]>();
  for (let at = from; at < Math.min(length, to + LATE); at++) {
    const message = history.messageAt(at);
    for (const part of partsOf(message)) {
      if (part.type !== "tool-result") continue;
      const known = results.get(part.toolCallId) ?? [];
      known.push({ at, output: part.output });
      results.set(part.toolCallId, known);
    }
  }
  return results;
}

/** Results are looked for so far behind a stretch. */
const LATE = 64;

const partsOf = ({ content }: Message): readonly Part[] => (typeof content === "string" ? [] : content);
