/**
 * Messages as they go to a provider: a list, an object that holds one (a request, a line of fine-tuning data), or one
 * message a line. Lines of bare messages are one conversation; each list or object is one of its own.
 */
import { type About, ConversationBuilder } from "./conversation-builder.js";
import { decodeMessages } from "./decode-messages.js";
import { isObject, listField, objectField, promptText, textField, toolsField, type WireObject } from "./fields.js";
import { type Dialect, dialectOf, isMessage } from "./message-dialect.js";
import type { Notes } from "./notes.js";
import type { RecordingReader } from "./reader.js";
import type { RecordedConversation } from "./recording.js";

/** Messages of one conversation, before they are decoded. */
interface MessageList {
  readonly messages: readonly unknown[];
  /** What the object around them tells of their format. */
  readonly hint: Dialect | undefined;
  readonly about: About;
}

/** The messages in a value; undefined where it holds none. */
function messageListOf(value: unknown): MessageList | undefined {
  if (Array.isArray(value)) return value.some(isMessage) ? { messages: value, hint: undefined, about: {} } : undefined;
  if (!isObject(value)) return undefined;
  if (isObject(value.body)) return messageListOf({ id: value.custom_id, ...value.body });
  const found = listIn(value);
  return found?.messages.some(isMessage) ? { ...found, about: aboutOf(value) } : undefined;
}

function listIn(value: WireObject): Omit<MessageList, "about"> | undefined {
  if (Array.isArray(value.messages))
    return { messages: value.messages, hint: value.system === undefined ? undefined : "anthropic" };
  if (Array.isArray(value.contents)) return { messages: value.contents, hint: "gemini" };
  if (Array.isArray(value.output) || Array.isArray(value.input))
    return { messages: [...asItems(value.input), ...listField(value.output)], hint: "openai-responses" };
  return undefined;
}

const asItems = (input: unknown): readonly unknown[] =>
  typeof input === "string" ? [{ role: "user", content: input }] : listField(input);

function aboutOf(value: WireObject): About {
  return {
    id: textField(value.id),
    title: textField(value.title) ?? textField(value.name),
    model: textField(value.model),
    system: promptText(value.system ?? value.instructions ?? value.systemInstruction ?? value.system_instruction),
    tools: toolsField(value.tools),
  };
}

/** The format of the values, or undefined where none of them holds messages. */
export function listDialect(values: readonly unknown[]): Dialect | undefined {
  const lists = values.map((value) =>
    isMessage(value) ? { messages: [value], hint: undefined } : messageListOf(value),
  );
  const found = lists.filter((list) => list !== undefined);
  if (found.length === 0) return undefined;
  const hint = found.find((list) => list.hint !== undefined)?.hint;
  return dialectOf(
    found.flatMap((list) => list.messages),
    hint,
  );
}

export class MessageListReader implements RecordingReader {
  readonly #notes: Notes;
  readonly #dialect: Dialect;
  readonly #bare: unknown[] = [];
  readonly #conversations: RecordedConversation[] = [];

  constructor(dialect: Dialect, notes: Notes) {
    this.#dialect = dialect;
    this.#notes = notes;
  }

  take(value: unknown): void {
    if (isMessage(value)) {
      this.#bare.push(value);
      return;
    }
    const list = messageListOf(value);
    if (list === undefined) this.#notes.unknown(objectField(value).type ?? objectField(value).role);
    else this.#add(list.messages, list.about);
  }

  end(): RecordedConversation[] {
    if (this.#bare.length > 0) this.#add(this.#bare, {});
    return this.#conversations;
  }

  #add(messages: readonly unknown[], about: About): void {
    const builder = new ConversationBuilder(this.#notes);
    builder.add(decodeMessages(messages, this.#dialect, this.#notes));
    const conversation = builder.build(about);
    if (conversation !== undefined) this.#conversations.push(conversation);
  }
}
