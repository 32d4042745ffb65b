/** What messages tell of a session by themselves: calls of tools, their failures, a list of tasks, the workspace. */
import type { ActiveTask } from "../compaction/context-document.js";
import { callsOf, messageText } from "../message/content.js";
import { isObject, type UnknownFields } from "../message/plain-value.js";
import type { Message, ToolCallPart } from "../message/types.js";
import { piecesOf } from "../notes/pieces.js";

export interface Observed {
  /** How many entries, by sequence, are in it. */
  readonly entries: number;
  readonly calls: number;
  readonly byTool: Readonly<Record<string, number>>;
  readonly failures: number;
  readonly workspace: string | null;
  /** Seconds since the epoch of what told of the workspace. */
  readonly workspaceTime: number | null;
  readonly tasks: readonly ActiveTask[];
}

export const NOTHING_OBSERVED: Observed = {
  entries: 0,
  calls: 0,
  byTool: {},
  failures: 0,
  workspace: null,
  workspaceTime: null,
  tasks: [],
};

/** What is known with one more message in it, said at a time in seconds. */
export function observe(before: Observed, message: Message, time: number): Observed {
  const next = { ...before, entries: before.entries + 1 };
  if (message.role === "tool") return { ...next, failures: next.failures + failuresIn(message) };
  if (message.role !== "assistant")
    return withWorkspace(next, WORKSPACE.exec(messageText(message).slice(0, HEAD))?.[1], time);
  return callsOf(message).reduce((known, call) => withCall(known, call, time), next);
}

const HEAD = 20_000;
const WORKSPACE =
  /\b(?:working directory|workspace|cwd|pwd)\b["'>]?\s*(?:is\b|[:=>])\s*["'`]?((?:\/|[A-Za-z]:\\|~\/)[^\s"'`<>,;]+)/i;

function failuresIn(message: Message): number {
  if (typeof message.content === "string") return 0;
  return message.content.filter(
    (part) => part.type === "tool-result" && piecesOf({ role: "tool", content: [part] }).some(({ failed }) => failed),
  ).length;
}

function withCall(known: Observed, call: ToolCallPart, time: number): Observed {
  const { toolName: tool, input } = call;
  const byTool = { ...known.byTool, [tool]: (Object.hasOwn(known.byTool, tool) ? known.byTool[tool]! : 0) + 1 };
  const next = { ...known, calls: known.calls + 1, byTool };
  if (!isObject(input)) return next;
  const items = LIST_TOOL.test(tool) ? itemsIn(input) : undefined;
  const tasks = items === undefined ? known.tasks : tasksOf(items, known.tasks, time);
  return withWorkspace({ ...next, tasks }, directoryIn(input), time);
}

function withWorkspace(known: Observed, workspace: string | undefined, time: number): Observed {
  return workspace === undefined ? known : { ...known, workspace, workspaceTime: time };
}

/** Where a command is to run, by the names that shells of agents have for it. */
function directoryIn(input: UnknownFields): string | undefined {
  const named = [input.cwd, input.workdir, input.working_directory].find((value) => typeof value === "string");
  return typeof named === "string" && /^(?:\/|[A-Za-z]:\\)/.test(named) ? named : undefined;
}

const LIST_TOOL = /todo|plan|task/i;

/** The list of tasks in a call's arguments, such as `todos` or `plan`: the first list of objects that say something. */
function itemsIn(input: UnknownFields): UnknownFields[] | undefined {
  const lists = Object.values(input).filter((value): value is UnknownFields[] => Array.isArray(value));
  return lists.find((list) => list.length > 0 && list.every((item) => isObject(item) && textIn(item) !== undefined));
}

const textIn = (item: UnknownFields): string | undefined =>
  [item.content, item.step, item.description, item.title, item.task].find(
    (value): value is string => typeof value === "string" && value !== "",
  );

const STATUS: Readonly<Record<string, { status: string; progress: number }>> = {
  completed: { status: "Completed", progress: 1 },
  done: { status: "Completed", progress: 1 },
  in_progress: { status: "Running", progress: 0.5 },
  active: { status: "Running", progress: 0.5 },
  cancelled: { status: "Cancelled", progress: 0 },
};

/** A new list takes the place of the one before; tasks that stay keep the time at which they were made. */
function tasksOf(items: readonly UnknownFields[], before: readonly ActiveTask[], time: number): ActiveTask[] {
  return items.map((item, at) => {
    const description = textIn(item)!;
    const id = typeof item.id === "string" && item.id !== "" ? item.id : `task_${String(at + 1).padStart(3, "0")}`;
    const word = typeof item.status === "string" ? item.status.toLowerCase().replaceAll("-", "_") : "";
    const state = (Object.hasOwn(STATUS, word) && STATUS[word]) || { status: "Pending", progress: 0 };
    const known = before.find((task) => task.description === description);
    const isSame = known?.status === state.status;
    return {
      id,
      description,
      ...state,
      created_at: known?.created_at ?? time,
      updated_at: isSame ? known.updated_at : time,
    };
  });
}
