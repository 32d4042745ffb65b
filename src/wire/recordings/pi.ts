/**
 * pi sessions, `~/.pi/agent/sessions/<project>/<time>_<id>.jsonl` (docs/session-format.md of pi's coding agent): a
 * `session` head, then entries that form a tree through `id` and `parentId`. The last entry is on the branch that the
 * session is at. The first version has no ids, and is a plain list.
 */
import { ConversationBuilder } from "./conversation-builder.js";
import { isObject, objectField, textField, timeField, type WireObject } from "./fields.js";
import type { Notes } from "./notes.js";
import { piMessages } from "./pi-messages.js";
import type { FormatDefinition, RecordingReader } from "./reader.js";
import type { RecordedConversation } from "./recording.js";
import { piUsage } from "./usage.js";

const SILENT: ReadonlySet<unknown> = new Set([
  ...["thinking_level_change", "label", "custom", "model_change", "session_info", "usage", "ephemeral"],
]);

export const pi: FormatDefinition = {
  format: "pi",
  sign: "line of type session with cwd, or of type message with a message in it",
  recognises: (value) =>
    isObject(value) &&
    ((value.type === "session" && typeof value.id === "string" && typeof value.cwd === "string") ||
      (value.type === "message" && isObject(value.message) && typeof value.message.role === "string")),
  reader: (notes) => new PiReader(notes),
};

class PiReader implements RecordingReader {
  readonly #notes: Notes;
  readonly #entries: WireObject[] = [];
  #head: WireObject = {};

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  take(value: unknown): void {
    const entry = objectField(value);
    if (entry.type === "session") this.#head = entry;
    else this.#entries.push(entry);
  }

  end(): RecordedConversation[] {
    const builder = new ConversationBuilder(this.#notes);
    const branch = headBranch(this.#entries, this.#notes);
    let model = textField(this.#head.modelId);
    let title: string | undefined;
    for (const entry of branch) {
      model = textField(entry.modelId) ?? textField(objectField(entry.message).model) ?? model;
      if (entry.type === "session_info") title = textField(entry.name) ?? title;
      this.#add(entry, builder);
    }
    const parent = textField(this.#head.parentSession) ?? textField(this.#head.branchedFrom);
    const conversation = builder.build({ id: textField(this.#head.id), title, model, parent });
    return conversation === undefined ? [] : [conversation];
  }

  #add(entry: WireObject, builder: ConversationBuilder): void {
    const time = timeField(entry.timestamp);
    switch (entry.type) {
      case "message": {
        const message = objectField(entry.message);
        const before = builder.length;
        builder.attempt(() => piMessages(message, this.#notes), time);
        if (message.role === "assistant" && builder.length > before) builder.addUsage(piUsage(message.usage));
        return;
      }
      case "custom_message":
        builder.attempt(() => piMessages({ role: "custom", content: entry.content }, this.#notes), time);
        return;
      case "branch_summary":
      case "compaction":
        if (typeof entry.summary !== "string") return;
        builder.add([{ role: "user", content: entry.summary }], time);
        if (entry.type === "compaction") builder.markCompaction();
        return;
      default:
        if (!SILENT.has(entry.type)) this.#notes.unknown(entry.type);
    }
  }
}

/** The entries from the root to the last one. */
function headBranch(entries: readonly WireObject[], notes: Notes): readonly WireObject[] {
  if (!entries.some(({ id }) => typeof id === "string")) return entries;
  const places = new Map(entries.map((entry, at) => [entry.id, at] as const));
  const on = new Set<number>();
  let at: number | undefined = entries.length - 1;
  while (at !== undefined && at >= 0 && !on.has(at)) {
    on.add(at);
    const { parentId } = entries[at] as WireObject;
    at = typeof parentId === "string" ? (places.get(parentId) ?? at - 1) : undefined;
  }
  const left = entries.filter((entry, place) => entry.type === "message" && !on.has(place)).length;
  if (left > 0) notes.count("branch", (count) => `${count} messages of other branches were left out.`, left);
  return entries.filter((_, place) => on.has(place));
}
