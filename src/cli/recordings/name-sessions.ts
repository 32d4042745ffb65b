import { VarveError } from "../../errors.js";
import type { RecordedConversation } from "../../wire/recordings/recording.js";
import { nameOfFile, type RecordingFile } from "./read-file.js";

export interface NamedConversation {
  readonly id: string;
  readonly conversation: RecordedConversation;
}

/**
 * Gives every conversation of a file an id: the one given, its own, or the file's name. Where two would have the same,
 * the later ones get a number.
 */
export function nameSessions({ file, conversations }: RecordingFile, given?: string | undefined): NamedConversation[] {
  if (given !== undefined) checkOne(conversations, given);
  const taken = new Set<string>();
  return conversations.map((conversation) => {
    const own = conversation.id ?? nameOfFile(file);
    const id = unused(given !== undefined && conversation.parent === undefined ? given : own, taken);
    taken.add(id);
    return { id, conversation };
  });
}

function unused(name: string, taken: ReadonlySet<string>): string {
  let id = name;
  for (let number = 2; taken.has(id); number++) id = `${name}-${number}`;
  return id;
}

/** One id names one session; those of subagents keep their own. */
function checkOne(conversations: readonly RecordedConversation[], given: string): void {
  const count = conversations.filter(({ parent }) => parent === undefined).length;
  if (count === 1) return;
  throw new VarveError({
    code: "invalid-option",
    message: `--session ${given} names one session, and the recording holds ${count} conversations.`,
    hint: "Leave --session out: each gets the id that it has in the recording, or the file's name.",
    details: { option: "--session", value: given, conversations: count },
  });
}
