/**
 * Claude Code, `~/.claude/projects/<project>/<session>.jsonl`, and the lines of `claude -p --output-format stream-json`.
 * The format has no official description; these facts are what its readers agree on:
 *
 * - A line has `uuid` and `parentUuid`, so that a file is a tree: going back and writing anew starts another branch.
 * - Each block of an answer is a line of its own; they share `message.id`. Results of parallel calls stand between them.
 * - A compaction starts a new root, a `system` line `compact_boundary` that names what came before it in
 *   `logicalParentUuid`; the user line after it, `isCompactSummary`, holds the summary.
 * - Subagents are lines with `isSidechain`, in the session's file or in one of their own, told apart by `agentId`.
 * - What the user typed while the agent worked is an `attachment` line of type `queued_command`.
 */
import { branchOf, type ClaudeLine, groupLines } from "./claude-code-lines.js";
import { claudeMessages } from "./claude-code-messages.js";
import { isObject, objectField, textField, timeField, type WireObject } from "./fields.js";
import type { Notes } from "./notes.js";
import type { FormatDefinition, RecordingReader } from "./reader.js";
import type { RecordedConversation } from "./recording.js";

/** Lines that are no messages; what they tell is not needed here. */
const SILENT: ReadonlySet<unknown> = new Set([
  ...["file-history-snapshot", "queue-operation", "progress", "result", "last-prompt", "permission-mode"],
  ...["agent-name", "agent-color", "agent-setting", "mode", "worktree-state", "pr-link", "tag", "task-summary"],
  ...["attribution-snapshot", "content-replacement", "stream_event", "rate_limit_event", "bridge-session", "started"],
]);

export const claudeCode: FormatDefinition = {
  format: "claude-code",
  sign: "line with uuid, parentUuid and message",
  recognises: isClaudeLine,
  reader: (notes) => new ClaudeCodeReader(notes),
};

function isClaudeLine(value: unknown): boolean {
  if (!isObject(value) || typeof value.type !== "string") return false;
  if (typeof value.leafUuid === "string") return value.type === "summary";
  if (typeof value.uuid === "string" && "parentUuid" in value) return true;
  const spoken = (value.type === "user" || value.type === "assistant") && isObject(value.message);
  return spoken && (typeof value.sessionId === "string" || typeof value.session_id === "string");
}

class ClaudeCodeReader implements RecordingReader {
  readonly #notes: Notes;
  readonly #lines: ClaudeLine[] = [];
  /** Titles by what gave them; the user's own counts most. */
  readonly #titles: Partial<Record<"custom" | "written" | "summary", string | undefined>> = {};

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  take(value: unknown): void {
    const line = objectField(value);
    const { type, uuid } = line;
    if (this.#takeTitle(line)) return;
    if (type !== "user" && type !== "assistant" && type !== "system" && type !== "attachment") {
      if (!SILENT.has(type)) this.#notes.unknown(type);
      if (typeof uuid !== "string") return;
    }
    this.#lines.push(toLine(line, this.#notes));
  }

  end(): RecordedConversation[] {
    const conversations: RecordedConversation[] = [];
    for (const { lines, sidechain } of groupLines(this.#lines)) {
      const conversation = claudeMessages(branchOf(lines, this.#notes), this.#notes).build({
        ...this.#about(lines, sidechain),
        model: modelOf(lines),
      });
      if (conversation !== undefined) conversations.push(conversation);
    }
    return conversations;
  }

  #about(lines: readonly ClaudeLine[], sidechain: boolean) {
    const session = lines.findLast((line) => line.session !== undefined)?.session;
    if (sidechain) return { id: lines[0]?.agent ?? lines[0]?.uuid, parent: session };
    const { custom, written, summary } = this.#titles;
    return { id: session, title: custom ?? written ?? summary };
  }

  #takeTitle({ type, summary, customTitle, aiTitle }: WireObject): boolean {
    if (type === "summary") this.#titles.summary = textField(summary);
    else if (type === "custom-title") this.#titles.custom = textField(customTitle);
    else if (type === "ai-title") this.#titles.written = textField(aiTitle);
    else return false;
    return true;
  }
}

/** Only what is needed: lines also hold the results once more, and those are the largest part of a file. */
function toLine(value: WireObject, notes: Notes): ClaudeLine {
  const { uuid, agentId, parent_tool_use_id: spawner } = value;
  return {
    uuid: textField(uuid),
    parent: "parentUuid" in value ? (textField(value.parentUuid) ?? null) : undefined,
    logicalParent: textField(value.logicalParentUuid),
    session: textField(value.sessionId) ?? textField(value.session_id),
    agent: textField(agentId) ?? textField(spawner),
    sidechain: value.isSidechain === true || typeof spawner === "string",
    continues: value.subtype === "compact_boundary" || value.isCompactSummary === true,
    summary: value.isCompactSummary === true,
    message: messageOf(value, notes),
    time: timeField(value.timestamp),
  };
}

function messageOf(value: WireObject, notes: Notes): WireObject | undefined {
  if (value.type === "attachment") return queuedPrompt(objectField(value.attachment));
  if (value.type !== "user" && value.type !== "assistant") return undefined;
  const { message } = value;
  if (!isObject(message)) return undefined;
  if (value.isApiErrorMessage !== true && message.model !== "<synthetic>") return { role: value.type, ...message };
  notes.count("left-out", (count) => `${count} answers that no model wrote (errors and the like) were left out.`);
  return undefined;
}

const queuedPrompt = ({ type, prompt, commandMode }: WireObject): WireObject | undefined =>
  type === "queued_command" && (commandMode === undefined || commandMode === "prompt") && prompt !== undefined
    ? { role: "user", content: prompt }
    : undefined;

const modelOf = (lines: readonly ClaudeLine[]): string | undefined =>
  textField(lines.findLast((line) => typeof line.message?.model === "string")?.message?.model);
