import type { AnyTool, Message, ToolMessage } from "../../message/types.js";
import { defined, textField } from "./fields.js";
import type { Notes } from "./notes.js";
import type { RecordedConversation, RecordedUsage } from "./recording.js";
import type { CallUsage } from "./usage.js";

/** What is known of a conversation beside its messages. */
export interface About {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly model?: string | undefined;
  readonly parent?: string | undefined;
  readonly system?: string | undefined;
  readonly tools?: readonly AnyTool[] | undefined;
}

/** Puts a conversation together message by message, with the times and usage at their places. */
export class ConversationBuilder {
  readonly #notes: Notes;
  readonly #messages: Message[] = [];
  readonly #times: (number | undefined)[] = [];
  readonly #usage: RecordedUsage[] = [];
  readonly #compactions: number[] = [];
  readonly #tools = new Map<string, string>();
  #assistant = -1;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  get length(): number {
    return this.#messages.length;
  }

  add(messages: readonly Message[], time?: number | undefined): void {
    for (const message of messages) {
      if (message.role === "assistant") this.#noteCalls(message.content);
      if (message.role === "assistant") this.#assistant = this.#messages.length;
      this.#messages.push(message.role === "tool" ? this.#named(message) : message);
      this.#times.push(time);
    }
  }

  /** Adds what `decode` gives, or says that it could not be read. */
  attempt(decode: () => readonly Message[], time?: number | undefined): void {
    const messages = attemptDecode(decode, this.#notes);
    if (messages !== undefined) this.add(messages, time);
  }

  /** The usage of the call that gave the latest assistant message; a later report for it replaces an earlier one. */
  addUsage(usage: CallUsage | undefined): void {
    if (usage === undefined || this.#assistant < 0) return;
    if (this.#usage.at(-1)?.at === this.#assistant) this.#usage.pop();
    this.#usage.push({ at: this.#assistant, ...usage });
  }

  /** The message that was added last holds the summary of a compaction. */
  markCompaction(): void {
    if (this.length > 0 && this.#compactions.at(-1) !== this.length - 1) this.#compactions.push(this.length - 1);
  }

  /** Undefined where there are no messages. */
  build(about: About): RecordedConversation | undefined {
    const leading = this.#messages.findIndex((message) => message.role !== "system");
    if (leading < 0) return undefined;
    if (this.#compactions.length > 0) this.#notes.count("compaction", compactionsSaid, this.#compactions.length);
    const { id, title, model, parent, tools } = about;
    const moved = <T extends { readonly at: number }>(item: T): T => ({ ...item, at: item.at - leading });
    return defined<RecordedConversation>({
      ...{ id, title, model, parent, tools },
      system: textField([about.system ?? [], this.#systemTexts(leading)].flat().join("\n\n")),
      messages: this.#messages.slice(leading),
      times: this.#times.some((time) => time !== undefined) ? this.#times.slice(leading) : undefined,
      usage: this.#usage.length > 0 ? this.#usage.map(moved) : undefined,
      compactions: this.#compactions.length > 0 ? this.#compactions.map((at) => at - leading) : undefined,
    });
  }

  #systemTexts(count: number): string[] {
    return this.#messages.slice(0, count).map(({ content }) => (typeof content === "string" ? content : ""));
  }

  #noteCalls(content: string | readonly { type: string }[]): void {
    if (typeof content === "string") return;
    for (const part of content) if (isCall(part)) this.#tools.set(part.toolCallId, part.toolName);
  }

  /** Formats that do not name a result's tool leave it to the call. */
  #named(message: ToolMessage): ToolMessage {
    if (message.content.every((part) => part.type !== "tool-result" || part.toolName !== "")) return message;
    const content = message.content.map((part) =>
      part.type === "tool-result" && part.toolName === ""
        ? { ...part, toolName: this.#tools.get(part.toolCallId) ?? "" }
        : part,
    );
    return { ...message, content };
  }
}

const isCall = (part: { type: string }): part is { type: "tool-call"; toolCallId: string; toolName: string } =>
  part.type === "tool-call";

const compactionsSaid = (count: number): string =>
  `${count} ${count === 1 ? "message is" : "messages are"} the summary of a compaction; what it stands for is kept too.`;

/** What `decode` gives; undefined, with a warning, where the format's rules refuse the message. */
export function attemptDecode<T>(decode: () => T, notes: Notes): T | undefined {
  try {
    return decode();
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/ message \d+ /, " message ");
    notes.count("unreadable", (count) => `${count} of these left out: ${reason}`);
    return undefined;
  }
}
