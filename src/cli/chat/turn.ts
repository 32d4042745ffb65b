/**
 * One turn: the model is asked, what it calls is carried out, and it is asked again until it calls nothing. Every message is
 * in the log as soon as it is complete, so that whatever ends the process leaves nothing behind but the message that was
 * being said.
 */
import { callsOf, isBlank } from "../../message/content.js";
import type { AssistantMessage } from "../../message/types.js";
import type { StreamEnd } from "../../model/streaming.js";
import { type Asked, askModel } from "./ask-model.js";
import type { TurnListener } from "./listener.js";
import { runCalls } from "./run-calls.js";
import type { TurnParts } from "./turn-parts.js";

export interface TurnOutcome {
  /** The words of the last message. */
  readonly answer: string;
  readonly finish: StreamEnd["finish"] | "interrupted" | "steps";
  /** Names of the tools called, in order. */
  readonly tools: readonly string[];
  readonly compactions: number;
}

/** Requests to the model that one turn may take. */
const STEPS = 100;
const INTERRUPTED = "[interrupted by the user]";

/** Answers what was appended last. */
export async function runTurn(parts: TurnParts): Promise<TurnOutcome> {
  const tools: string[] = [];
  let compactions = 0;
  for (let step = 0; step < STEPS; step++) {
    const asked = await askModel(parts);
    compactions += asked.compactions;
    const so = { tools, compactions };
    if (asked.end === undefined) return { ...so, answer: await keepPartial(asked, parts), finish: "interrupted" };
    const { message, finish } = asked.end;
    const answer = wordsOf(message);
    const calls = finish === "length" ? [] : callsOf(message);
    await keep(message, finish, parts);
    parts.listener.said();
    if (calls.length === 0) return { ...so, answer, finish };
    tools.push(...calls.map(({ toolName }) => toolName));
    if (!(await runCalls(calls, parts))) return { ...so, answer, finish: "interrupted" };
  }
  return { answer: "", finish: "steps", tools, compactions };
}

/** Calls of an answer that was cut may be cut themselves: its words alone are kept. */
async function keep(message: AssistantMessage, finish: StreamEnd["finish"], parts: TurnParts): Promise<void> {
  const { session, listener } = parts;
  const kept: AssistantMessage = finish === "length" ? { role: "assistant", content: wordsOf(message) } : message;
  if (isBlank(kept)) listener.note("The model said nothing.");
  else await session.append(kept);
  if (finish === "length") listener.note(cutWords(listener));
  if (finish === "refused") listener.note("The model, or its provider, refused to answer.");
}

const cutWords = ({ hasCommands }: TurnListener): string =>
  `The answer was cut at the limit of its output, which "chat": { "maxOutputTokens": … } raises${hasCommands ? "; /continue asks for the rest" : ""}.`;

async function keepPartial({ partial }: Asked, { session, listener }: TurnParts): Promise<string> {
  const words = partial.trimEnd();
  await session.append({ role: "assistant", content: words === "" ? INTERRUPTED : `${words} ${INTERRUPTED}` });
  listener.said();
  return words;
}

function wordsOf({ content }: AssistantMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}
