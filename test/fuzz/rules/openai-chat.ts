import { type Breach, Breaches, type Item, isItem, itemsOf, textOf } from "./request.js";

const ROLES: readonly unknown[] = ["system", "developer", "user", "assistant", "tool", "function"];
/** "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'", "maximum length 64". */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** What OpenAI's chat completions refuse. */
export function openaiChatBreaches(messages: readonly Item[]): Breach[] {
  const breaches = new Breaches();
  // "Invalid 'messages': array too long. Expected an array with maximum length 2048", and "minimum length 1".
  breaches.demand(messages.length >= 1, "no-messages", ["messages", messages.length]);
  breaches.demand(messages.length <= 2_048, "too-many-messages", ["messages", messages.length]);
  let open: string[] = [];
  for (const [at, message] of messages.entries()) {
    const place = `messages.${at}`;
    breaches.demand(ROLES.includes(message.role), "role", [place, message.role]);
    // "Additional properties are not allowed ('parsed', 'refusal' were unexpected)", of older models (openai-node#1161).
    breaches.demand(!("parsed" in message), "unknown-field", [place, message]);
    checkContent(message, place, breaches);
    if (message.role === "tool") {
      // "messages with role 'tool' must be a response to a preceding message with 'tool_calls'".
      const id = textOf(message.tool_call_id);
      breaches.demand(open.includes(id), "orphan-result", [place, message]);
      open = open.filter((each) => each !== id);
      continue;
    }
    // "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'".
    breaches.demand(open.length === 0, "unanswered-call", [place, open]);
    open = message.role === "assistant" ? checkCalls(message, place, breaches) : [];
  }
  breaches.demand(open.length === 0, "unanswered-call", ["end", open]);
  return breaches.found;
}

function checkCalls({ tool_calls }: Item, at: string, breaches: Breaches): string[] {
  const calls = itemsOf(tool_calls);
  // "[] is too short - 'messages.1.tool_calls'"; "array too long. Expected an array with maximum length 128"
  // (pydantic-ai#1105).
  if (tool_calls !== undefined) breaches.demand(calls.length >= 1, "no-calls", [at, tool_calls]);
  breaches.demand(calls.length <= 128, "too-many-calls", [at, calls.length]);
  for (const call of calls) {
    const used = isItem(call.function) ? call.function : call.custom;
    // "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40" (ai#5171).
    breaches.demand(textOf(call.id).length >= 1 && textOf(call.id).length <= 40, "call-id-form", [at, call]);
    breaches.demand(isItem(used) && NAME.test(textOf(used.name)), "name-form", [at, call]);
    const input = isItem(used) ? (used.arguments ?? used.input) : undefined;
    breaches.demand(typeof input === "string", "arguments-form", [at, call]);
    breaches.demand(!(isItem(used) && "parsed_arguments" in used), "unknown-field", [at, call]);
  }
  const ids = calls.map(({ id }) => textOf(id));
  breaches.demand(new Set(ids).size === ids.length, "call-id-twice", [at, ids]);
  return ids;
}

function checkContent(message: Item, at: string, breaches: Breaches): void {
  const { role, content, name } = message;
  // "Invalid 'messages[0].name': string does not match pattern '^[^\s<|\\/>]+$'".
  if (name !== undefined) breaches.demand(/^[^\s<|\\/>]{1,64}$/.test(textOf(name)), "name-form", [at, message]);
  // "Invalid 'messages[0].content': empty array. Expected an array with minimum length 1".
  if (Array.isArray(content)) breaches.demand(content.length > 0, "empty-content", [at, message]);
  const isEmpty = content === undefined || content === null || content === "";
  if (role !== "assistant") {
    // "Invalid value for 'content': expected a string, got null".
    breaches.demand(content !== undefined && content !== null, "content-missing", [at, message]);
  } else if (isEmpty) {
    const isMore = ["tool_calls", "function_call", "refusal", "audio"].some((field) => isItemOrText(message[field]));
    breaches.demand(isMore, "empty-assistant", [at, message]);
  }
  for (const part of itemsOf(content)) checkPart(part, { role, at }, breaches);
}

const isItemOrText = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/]/;

function checkPart(part: Item, { role, at }: { role: unknown; at: string }, breaches: Breaches): void {
  const allowed = role === "user" ? ["text", "image_url", "input_audio", "file"] : ["text", "refusal"];
  // API reference, Chat: only users send images, audio and files.
  breaches.demand(allowed.includes(textOf(part.type)), "part-type", [at, { role, type: part.type }]);
  if (part.type !== "image_url" || !isItem(part.image_url)) return;
  const url = textOf(part.image_url.url);
  // "unsupported image": png, jpeg, gif and webp: docs, Images and vision.
  breaches.demand(/^https?:/i.test(url) || DATA_IMAGE.test(url), "image-type", [at, url.slice(0, 60)]);
}

/** The texts that the model reads, message by message. */
export const openaiChatTexts = (messages: readonly Item[]): string[] =>
  messages.map(({ role, content, name, tool_calls, refusal }) => {
    const parts = typeof content === "string" ? [content] : itemsOf(content).map(({ text }) => textOf(text));
    const calls = itemsOf(tool_calls).flatMap(({ function: used }) =>
      isItem(used) ? [textOf(used.name), textOf(used.arguments)] : [],
    );
    return [textOf(role), textOf(name), ...parts, textOf(refusal), ...calls].join("");
  });
