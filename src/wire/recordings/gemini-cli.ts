/**
 * Gemini CLI: chats (`~/.gemini/tmp/<project>/chats/session-*.json` and, line by line, `.jsonl`) and checkpoints
 * (`checkpoint-<tag>.json`, `{ history }`; those of tools, `{ clientHistory }`), after `chatRecordingTypes.ts` and
 * `logger.ts` of packages/core. In the lines a message comes again, whole, whenever it changes; `$rewindTo` takes back
 * the message it names and all after it; `$set` with `messages` replaces what the model sees, as a compression does.
 */
import { fromGemini } from "../gemini.js";
import { ConversationBuilder } from "./conversation-builder.js";
import { isObject, listField, objectField, textField, timeField, type WireObject } from "./fields.js";
import { geminiContents, withErrors } from "./gemini-cli-messages.js";
import type { Notes } from "./notes.js";
import type { FormatDefinition, RecordingReader } from "./reader.js";
import type { RecordedConversation } from "./recording.js";
import { geminiUsage } from "./usage.js";

export const geminiCLI: FormatDefinition = {
  format: "gemini-cli",
  sign: "object with sessionId and projectHash, or with the history of a checkpoint",
  recognises: (value) =>
    isObject(value) &&
    ((typeof value.sessionId === "string" && "projectHash" in value) || historyOf(value) !== undefined),
  reader: (notes) => new GeminiCLIReader(notes),
};

function historyOf({ history, clientHistory }: WireObject): readonly unknown[] | undefined {
  return [clientHistory, history].map(listField).find((list) => list.length > 0 && list.every(isContent));
}

const isContent = (value: unknown): boolean =>
  isObject(value) && typeof value.role === "string" && Array.isArray(value.parts);

class GeminiCLIReader implements RecordingReader {
  readonly #notes: Notes;
  readonly #done: RecordedConversation[] = [];
  #head: WireObject = {};
  #messages = new Map<string, WireObject>();

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  take(value: unknown): void {
    const line = objectField(value);
    const history = historyOf(line);
    if (history !== undefined) this.#takeHistory(history);
    else if (typeof line.$rewindTo === "string") this.#rewind(line.$rewindTo);
    else if (isObject(line.$set)) this.#set(line.$set);
    else if (typeof line.sessionId === "string" && "projectHash" in line) this.#start(line);
    else if (typeof line.type === "string") this.#takeMessage(line);
    else this.#notes.unknown(line.type);
  }

  end(): RecordedConversation[] {
    this.#finish();
    return this.#done;
  }

  /** The head of a chat; another session's head after it begins another conversation. */
  #start(head: WireObject): void {
    if (this.#head.sessionId !== undefined && this.#head.sessionId !== head.sessionId) this.#finish();
    this.#set(head);
  }

  #set(fields: WireObject): void {
    const { messages, ...head } = fields;
    this.#head = { ...this.#head, ...head };
    if (!Array.isArray(messages)) return;
    const kept = new Set(messages.map((message) => objectField(message).id));
    const replaced = [...this.#messages.keys()].some((id) => !kept.has(id));
    if (replaced)
      this.#notes.count(
        "compaction",
        (count) => `${count} times the model's history was replaced; what it replaced is kept.`,
      );
    for (const message of messages) this.#takeMessage(objectField(message));
  }

  #takeMessage(message: WireObject): void {
    this.#messages.set(textField(message.id) ?? `message ${this.#messages.size}`, message);
  }

  #rewind(target: string): void {
    const ids = [...this.#messages.keys()];
    const from = Math.max(0, ids.indexOf(target));
    for (const id of ids.slice(from)) this.#messages.delete(id);
    if (ids.length > from)
      this.#notes.count(
        "branch",
        (count) => `${count} messages that were taken back were left out.`,
        ids.length - from,
      );
  }

  #takeHistory(history: readonly unknown[]): void {
    const builder = new ConversationBuilder(this.#notes);
    builder.attempt(() => withErrors(fromGemini(history)));
    this.#keep(builder.build({}));
  }

  #finish(): void {
    const builder = new ConversationBuilder(this.#notes);
    let model: string | undefined;
    for (const message of this.#messages.values()) {
      model = textField(message.model) ?? model;
      const before = builder.length;
      const contents = geminiContents(message, this.#notes);
      builder.attempt(() => withErrors(fromGemini(contents)), timeField(message.timestamp));
      if (builder.length > before) builder.addUsage(geminiUsage(message.tokens));
    }
    const { sessionId, summary } = this.#head;
    this.#keep(builder.build({ id: textField(sessionId), title: textField(summary), model }));
    this.#head = {};
    this.#messages = new Map();
  }

  #keep(conversation: RecordedConversation | undefined): void {
    if (conversation !== undefined) this.#done.push(conversation);
  }
}
