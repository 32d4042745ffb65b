/**
 * Codex rollouts, `~/.codex/sessions/…/rollout-*.jsonl`: lines `{ timestamp, type, payload }` whose type is
 * `session_meta`, `response_item` (an item of OpenAI's Responses API), `event_msg`, `turn_context` or `compacted`
 * (`RolloutLine` in codex-rs/protocol). Old ones have no payload: a head with `instructions`, then the bare items.
 */
import { CodexItems } from "./codex-items.js";
import {
  defined,
  isObject,
  objectField,
  promptText,
  textField,
  timeField,
  toolsField,
  type WireObject,
} from "./fields.js";
import type { Notes } from "./notes.js";
import type { FormatDefinition, RecordingReader } from "./reader.js";
import type { RecordedConversation } from "./recording.js";
import { openaiUsage } from "./usage.js";

const KINDS: ReadonlySet<unknown> = new Set([
  "session_meta",
  "response_item",
  "event_msg",
  "turn_context",
  "compacted",
]);

export const codex: FormatDefinition = {
  format: "codex",
  sign: "line with a payload and the type session_meta, response_item or event_msg",
  recognises: (value) => isObject(value) && ((KINDS.has(value.type) && isObject(value.payload)) || isOldHead(value)),
  reader: (notes) => new CodexReader(notes),
};

const isOldHead = (value: WireObject): boolean =>
  value.type === undefined && typeof value.id === "string" && "timestamp" in value && "instructions" in value;

interface Head {
  readonly id?: string;
  readonly parent?: string;
  readonly system?: string;
  readonly tools?: ReturnType<typeof toolsField>;
}

class CodexReader implements RecordingReader {
  readonly #notes: Notes;
  readonly #items: CodexItems;
  #head: Head | undefined;
  #model: string | undefined;
  #title: string | undefined;

  constructor(notes: Notes) {
    this.#notes = notes;
    this.#items = new CodexItems(notes);
  }

  take(value: unknown): void {
    const line = objectField(value);
    const payload = objectField(line.payload);
    switch (line.type) {
      case "session_meta":
        // A fork holds its origin's head too, after its own.
        this.#head ??= readHead(payload);
        return;
      case "turn_context":
        this.#model = textField(payload.model) ?? this.#model;
        return;
      case "response_item":
        this.#items.take(payload, timeField(line.timestamp));
        return;
      case "compacted":
        this.#items.compacted(textField(payload.message), timeField(line.timestamp));
        return;
      case "event_msg":
        this.#takeEvent(payload);
        return;
      default:
        this.#takeBare(line);
    }
  }

  end(): RecordedConversation[] {
    const conversation = this.#items.finish().build({ ...this.#head, model: this.#model, title: this.#title });
    return conversation === undefined ? [] : [conversation];
  }

  #takeBare(line: WireObject): void {
    if (isOldHead(line)) this.#head ??= readHead(line);
    else if (typeof line.type === "string" && line.payload === undefined) this.#items.take(line, undefined);
    else if (line.record_type === undefined) this.#notes.unknown(line.type);
  }

  /** Most events say again what the items say. */
  #takeEvent(event: WireObject): void {
    if (event.type === "token_count") this.#items.usage(openaiUsage(objectField(event.info).last_token_usage));
    else if (event.type === "thread_rolled_back") this.#items.rollBack(event.num_turns);
    else if (event.type === "thread_name_updated") this.#title = textField(event.thread_name) ?? textField(event.name);
  }
}

function readHead(meta: WireObject): Head {
  const spawn = objectField(objectField(objectField(meta.source).subagent).thread_spawn);
  return defined<Head>({
    id: textField(meta.id),
    parent: textField(spawn.parent_thread_id),
    system: promptText(objectField(meta.base_instructions).text) ?? promptText(meta.instructions),
    tools: toolsField(meta.dynamic_tools),
  });
}
