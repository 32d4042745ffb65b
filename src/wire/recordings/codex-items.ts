import type { Message } from "../../message/types.js";
import { fromOpenAIResponses } from "../openai-responses.js";
import { ConversationBuilder } from "./conversation-builder.js";
import { isObject, numberField, promptText, type WireObject } from "./fields.js";
import type { Notes } from "./notes.js";
import type { CallUsage } from "./usage.js";

/** Items of the assistant up to the next input: they are one message. Every other run is a single item. */
interface Run {
  readonly items: WireObject[];
  readonly time: number | undefined;
  readonly spoken: boolean;
  usage?: CallUsage;
  summary?: boolean;
}

/** Notes of the agent to itself that no model reads. */
const SILENT: ReadonlySet<unknown> = new Set(["ghost_snapshot", "compaction", "compaction_summary", "other"]);
const KNOWN = /^(?:message|reasoning|[a-z_]+_(?:call|output))$/;
const INPUTS: ReadonlySet<unknown> = new Set(["function_call_output", "custom_tool_call_output"]);
/** User messages that the agent writes itself. */
const WRITTEN_BY_AGENT = /^\s*(?:<(?:environment_context|user_instructions|permissions|turn_aborted)|# AGENTS\.md)/;

export class CodexItems {
  readonly #notes: Notes;
  #runs: Run[] = [];

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  take(item: WireObject, time: number | undefined): void {
    if (SILENT.has(item.type)) return;
    if (typeof item.type !== "string" || !KNOWN.test(item.type)) {
      this.#notes.unknown(item.type);
      return;
    }
    const known = knownItem(item);
    const spoken = !isInput(known);
    const last = this.#runs.at(-1);
    if (spoken && last?.spoken) last.items.push(known);
    else this.#runs.push({ items: [known], time, spoken });
  }

  /** Codex puts the summary before the model as the user's words. */
  compacted(summary: string | undefined, time: number | undefined): void {
    if (summary === undefined) {
      this.#notes.count("compaction", (count) => `${count} compactions whose summary cannot be read are passed over.`);
      return;
    }
    const item = { type: "message", role: "user", content: [{ type: "input_text", text: summary }] };
    this.#runs.push({ items: [item], time, spoken: false, summary: true });
  }

  usage(usage: CallUsage | undefined): void {
    const run = this.#runs.findLast(({ spoken }) => spoken);
    if (run !== undefined && usage !== undefined) run.usage = usage;
  }

  /** Takes back the last turns, each from the user's message on. */
  rollBack(turns: unknown): void {
    let left = numberField(turns) ?? 0;
    let from = this.#runs.length;
    for (let at = from - 1; at >= 0 && left > 0; at--) {
      if (!startsTurn(this.#runs[at])) continue;
      from = at;
      left--;
    }
    if (from === this.#runs.length) return;
    this.#notes.count(
      "branch",
      (count) => `${count} messages that were taken back were left out.`,
      this.#runs.length - from,
    );
    this.#runs = this.#runs.slice(0, from);
  }

  finish(): ConversationBuilder {
    const builder = new ConversationBuilder(this.#notes);
    for (const { items, time, usage, summary } of this.#runs) {
      builder.attempt(() => withFailure(fromOpenAIResponses(items), items[0]), time);
      builder.addUsage(usage);
      if (summary) builder.markCompaction();
    }
    return builder;
  }
}

const isInput = ({ type, role }: WireObject): boolean =>
  INPUTS.has(type) || ((type === "message" || type === undefined) && role !== "assistant");

/** The shell call of old Codex is a call like others; an output of old Codex is an object with its text. */
function knownItem(item: WireObject): WireObject {
  if (item.type === "local_shell_call") {
    const { call_id: call, id, action } = item;
    return { type: "function_call", call_id: call ?? id, name: "local_shell", arguments: JSON.stringify(action ?? {}) };
  }
  if (INPUTS.has(item.type) && isObject(item.output) && item.output.content !== undefined)
    return { ...item, output: item.output.content, success: item.output.success };
  return item;
}

const startsTurn = (run: Run | undefined): boolean => {
  const [item] = run?.items ?? [];
  return item?.role === "user" && !run?.summary && !WRITTEN_BY_AGENT.test(promptText(item.content) ?? "");
};

/** The Responses API has no place for a failure; Codex says it beside the output. */
function withFailure(messages: Message[], item: WireObject | undefined): Message[] {
  if (item?.success !== false) return messages;
  return messages.map((message) => {
    if (message.role !== "tool") return message;
    return { ...message, content: message.content.map(failed) };
  });
}

function failed<Part extends { type: string }>(part: Part): Part {
  const { output } = part as { output?: { type: string; value: unknown } };
  return output?.type === "text" ? { ...part, output: { ...output, type: "error-text" } } : part;
}
