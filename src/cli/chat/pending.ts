import { callsOf } from "../../message/content.js";
import type { Message } from "../../message/types.js";
import type { Session } from "../../session/session.js";

/** True where the log ends with something that the model has not answered. */
export function isUnanswered(session: Session): boolean {
  const last = session.entries().at(-1)?.message;
  return last !== undefined && (last.role !== "assistant" || callsOf(last).length > 0);
}

const MORE: Message = { role: "user", content: "Go on." };

/** Makes the log end with something to answer: what is missing, or a request for more. */
export async function askForMore(session: Session): Promise<void> {
  if (!isUnanswered(session)) await session.append(MORE);
}
