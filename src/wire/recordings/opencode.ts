/**
 * opencode: the JSON of `opencode export` (`{ info, messages: [{ info, parts }] }`), the list that its server gives,
 * and the files of its storage one after the other: `session/<project>/<id>.json`, `message/<session>/<id>.json` and
 * `part/<message>/<id>.json`, in any order (`MessageV2` in packages/opencode).
 */
import { ConversationBuilder } from "./conversation-builder.js";
import { isObject, listField, numberField, objectField, promptText, textField, type WireObject } from "./fields.js";
import type { Notes } from "./notes.js";
import { opencodeMessages } from "./opencode-parts.js";
import type { FormatDefinition, RecordingReader } from "./reader.js";
import type { RecordedConversation } from "./recording.js";
import { opencodeUsage } from "./usage.js";

export const opencode: FormatDefinition = {
  format: "opencode",
  sign: "object with info and messages, or with a sessionID and a role",
  recognises: (value) => isObject(value) && kindOf(value) !== undefined,
  reader: (notes) => new OpencodeReader(notes),
};

type Kind = "export" | "message-with-parts" | "session" | "message" | "part";

function kindOf(value: WireObject): Kind | undefined {
  if (isObject(value.info)) {
    if (Array.isArray(value.messages)) return "export";
    return Array.isArray(value.parts) && typeof value.info.sessionID === "string" ? "message-with-parts" : undefined;
  }
  if (typeof value.sessionID === "string") {
    if (typeof value.messageID === "string") return typeof value.type === "string" ? "part" : undefined;
    return typeof value.role === "string" ? "message" : undefined;
  }
  return typeof value.projectID === "string" && typeof value.directory === "string" ? "session" : undefined;
}

interface Stored {
  readonly info: WireObject;
  readonly parts: readonly unknown[] | undefined;
}

class OpencodeReader implements RecordingReader {
  readonly #notes: Notes;
  readonly #sessions = new Map<string, WireObject>();
  readonly #messages = new Map<string, Stored[]>();
  readonly #parts = new Map<unknown, WireObject[]>();

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  take(value: unknown): void {
    const stored = objectField(value);
    switch (kindOf(stored)) {
      case "export":
        this.#takeExport(stored);
        return;
      case "message-with-parts":
        this.#takeMessage(objectField(stored.info), listField(stored.parts));
        return;
      case "session":
        this.#sessions.set(textField(stored.id) ?? "", stored);
        return;
      case "message":
        this.#takeMessage(stored, undefined);
        return;
      case "part":
        this.#takePart(stored);
        return;
      default:
        this.#notes.unknown(stored.type);
    }
  }

  end(): RecordedConversation[] {
    const conversations = [...this.#messages].map(([id, messages]) => this.#conversation(id, messages));
    return conversations.filter((conversation) => conversation !== undefined);
  }

  #takeExport(stored: WireObject): void {
    const info = objectField(stored.info);
    const id = textField(info.id) ?? "";
    this.#sessions.set(id, info);
    for (const message of listField(stored.messages)) {
      const { info: about, parts } = objectField(message);
      this.#takeMessage({ ...objectField(about), sessionID: id }, listField(parts));
    }
  }

  #takeMessage(info: WireObject, parts: readonly unknown[] | undefined): void {
    const session = textField(info.sessionID) ?? "";
    const messages = this.#messages.get(session);
    if (messages === undefined) this.#messages.set(session, [{ info, parts }]);
    else messages.push({ info, parts });
  }

  #takePart(part: WireObject): void {
    const parts = this.#parts.get(part.messageID);
    if (parts === undefined) this.#parts.set(part.messageID, [part]);
    else parts.push(part);
  }

  #conversation(id: string, messages: readonly Stored[]): RecordedConversation | undefined {
    const builder = new ConversationBuilder(this.#notes);
    const about: { model?: string | undefined; system?: string | undefined } = {};
    for (const { info, parts } of messages.toSorted(byTime)) {
      about.model = textField(info.modelID) ?? about.model;
      about.system = promptText(info.system) ?? about.system;
      this.#add(info, parts ?? this.#storedParts(info.id), builder);
    }
    const session = this.#sessions.get(id);
    const { title, parentID } = session ?? {};
    return builder.build({ id: textField(id), title: textField(title), parent: textField(parentID), ...about });
  }

  #storedParts(message: unknown): readonly WireObject[] {
    return (this.#parts.get(message) ?? []).toSorted((left, right) => compare(left.id, right.id));
  }

  #add(info: WireObject, parts: readonly unknown[], builder: ConversationBuilder): void {
    const before = builder.length;
    builder.attempt(() => opencodeMessages(info, parts, this.#notes), numberField(objectField(info.time).created));
    if (builder.length === before || info.role !== "assistant") return;
    builder.addUsage(opencodeUsage(info.tokens));
    if (info.summary === true) builder.markCompaction();
  }
}

function byTime({ info: left }: Stored, { info: right }: Stored): number {
  const times = [left, right].map(({ time }) => numberField(objectField(time).created) ?? 0);
  return (times[0] ?? 0) - (times[1] ?? 0) || compare(left.id, right.id);
}

/** Ids grow with time, letter by letter. */
function compare(left: unknown, right: unknown): number {
  if (typeof left !== "string" || typeof right !== "string" || left === right) return 0;
  return left < right ? -1 : 1;
}
