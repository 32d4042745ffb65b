/** A session as the document that people read: made from its log and from what was noted of it. */
import type { ActiveTask, ContextDocument, HistoryEntry } from "../compaction/context-document.js";
import { messageText } from "../message/content.js";
import type { Entry } from "../message/entry.js";
import { isObject } from "../message/plain-value.js";
import { NOTHING_OBSERVED, type Observed, observe } from "./observed.js";

/** What an application noted of a session. Times are in seconds. */
export interface Noted {
  readonly facts: readonly string[];
  readonly tasks: readonly ActiveTask[];
  readonly workspace: string | null;
  readonly preferences: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, unknown>>;
  readonly updated: number | null;
  /** Tokens that providers reported. */
  readonly input: number;
  readonly output: number;
}

const NOTHING: Noted = {
  facts: [],
  tasks: [],
  workspace: null,
  preferences: {},
  environment: {},
  updated: null,
  input: 0,
  output: 0,
};

/** Names of the documents in which a session keeps what was noted, and what was read off its messages. */
export const NOTED = "state/noted";
export const OBSERVED = "state/observed";

export const notedIn = (value: unknown): Noted => (isObject(value) ? { ...NOTHING, ...value } : NOTHING);

/** What the messages tell, from what was read off them before. */
export function observeEntries(before: unknown, entries: readonly Entry[]): Observed {
  let observed: Observed = isObject(before) ? { ...NOTHING_OBSERVED, ...before } : NOTHING_OBSERVED;
  for (let at = observed.entries; at < entries.length; at++) {
    const { message, time } = entries[at]!;
    observed = observe(observed, message, seconds(time));
  }
  return observed;
}

/** Calls are counted on all branches; tasks and workspace are those of one. */
export const observedOn = (branch: Observed, all: Observed): Observed => {
  const { tasks, workspace, workspaceTime } = branch;
  return { ...all, tasks, workspace, workspaceTime };
};

export interface ContextInput {
  readonly id: string;
  /** The entries of the present branch. */
  readonly branch: readonly Entry[];
  readonly observed: Observed;
  readonly noted: Noted;
  /** The text that stands in for what views leave out. */
  readonly summary: string;
}

/** Entries of the history in a document. */
export const HISTORY = 50;

export function contextOf({ id, branch, observed, noted, summary }: ContextInput): ContextDocument {
  const workspace = noted.workspace ?? observed.workspace;
  const updated = Math.max(noted.updated ?? 0, observed.workspaceTime ?? 0);
  const known = new Set(noted.tasks.map((task) => task.id));
  return {
    session_id: id,
    system_state: { last_workspace: workspace, preferences: { ...noted.preferences } },
    facts: [...noted.facts],
    recent_history: branch.slice(-HISTORY).map(historyEntry),
    long_term_summary: summary,
    active_tasks: [...noted.tasks, ...observed.tasks.filter((task) => !known.has(task.id))],
    tool_stats: { total_calls: observed.calls, by_tool: { ...observed.byTool }, failures: observed.failures },
    last_known_environment: {
      workspace,
      last_update: updated === 0 ? null : updated,
      system_snapshot: { ...noted.environment },
    },
    token_usage: { total_input: noted.input, total_output: noted.output, by_session: noted.input + noted.output },
  };
}

const historyEntry = ({ time, message, tokens }: Entry): HistoryEntry => ({
  timestamp: seconds(time),
  role: message.role,
  content: messageText(message),
  token_count: tokens ?? null,
});

const seconds = (milliseconds: number): number => Math.max(0, Math.floor(milliseconds / 1_000));
