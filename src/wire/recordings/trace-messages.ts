/** The messages in what a tracer kept of a call: requests, responses and states of many libraries. */
import type { Message } from "../../message/types.js";
import { attemptDecode } from "./conversation-builder.js";
import { decodeMessages } from "./decode-messages.js";
import { isObject, listField, objectField, promptText, textField, unquoted, type WireObject } from "./fields.js";
import { fromLangChain, langChainMessage } from "./langchain-messages.js";
import { type Dialect, dialectOf, isMessage } from "./message-dialect.js";
import type { Notes } from "./notes.js";

/** Who speaks where a tracer kept a bare text. */
type Speaker = "user" | "assistant";

const NESTED = ["messages", "contents", "output", "input", "chat_history"];
const TEXTS = ["question", "query", "prompt", "text", "content", "completion", "answer", "response"];

/** The messages as they stand; none where the value holds no conversation. */
export function rawMessages(value: unknown, speaker: Speaker): readonly unknown[] {
  const held = unquoted(value);
  if (typeof held === "string") return held === "" ? [] : [{ role: speaker, content: held }];
  if (Array.isArray(held)) return listMessages(held, speaker);
  return isObject(held) ? objectMessages(held, speaker) : [];
}

/** A list of lists is a batch, nearly always of one. */
function listMessages(list: readonly unknown[], speaker: Speaker): readonly unknown[] {
  if (list.length > 0 && list.every(Array.isArray)) return rawMessages(list[0], speaker);
  return list.filter((item) => isMessage(item) || langChainMessage(item) !== undefined);
}

function objectMessages(held: WireObject, speaker: Speaker): readonly unknown[] {
  if (isMessage(held) || langChainMessage(held) !== undefined) return [held];
  const [answer] = [...listField(held.generations).flat(), ...listField(held.choices)].filter(isObject);
  if (answer !== undefined) return rawMessages(answer.message ?? answer.text, speaker);
  for (const name of NESTED) {
    const messages = rawMessages(held[name], speaker);
    if (messages.length > 0) return [...systemOf(held), ...messages];
  }
  const text = TEXTS.map((name) => textField(held[name])).find((found) => found !== undefined);
  return text === undefined ? [] : [...systemOf(held), { role: speaker, content: text }];
}

function systemOf({ system, instructions }: WireObject): WireObject[] {
  const text = promptText(system ?? instructions);
  return text === undefined ? [] : [{ role: "system", content: text }];
}

/** Who says what, for telling the beginnings of conversations apart. */
export function fingerprint(message: unknown): string {
  const known = langChainMessage(message);
  if (known !== undefined) return `${ROLES[known.kind] ?? known.kind} ${gist(known.fields.content)}`;
  const { role, content, parts } = objectField(message);
  return `${String(role)} ${gist(content ?? parts)}`;
}

/** Long texts that begin alike and have one length are the same. */
const gist = (content: unknown): string =>
  typeof content === "string" ? `${content.length} ${content.slice(0, 500)}` : JSON.stringify(content);
const ROLES: Readonly<Record<string, string>> = { human: "user", ai: "assistant" };

export function decodeTraced(messages: readonly unknown[], notes: Notes): Message[] {
  const dialect = dialectOf(messages.filter((message) => langChainMessage(message) === undefined));
  if (!messages.some((message) => langChainMessage(message) !== undefined))
    return decodeMessages(messages, dialect, notes);
  return messages.flatMap((message) => decodeMixed(message, dialect, notes));
}

function decodeMixed(message: unknown, dialect: Dialect, notes: Notes): Message[] {
  const known = langChainMessage(message);
  if (known === undefined) return decodeMessages([message], dialect, notes);
  return attemptDecode(() => fromLangChain(known), notes) ?? [];
}
