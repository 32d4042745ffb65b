import { describe, expect, it } from "vitest";
import { calls, result, says, system, user } from "../../test/support/build.js";
import type { Message } from "../message/types.js";
import { NOTHING_OBSERVED, observe } from "./observed.js";

const observed = (...messages: Message[]) =>
  messages.reduce((known, message, at) => observe(known, message, 100 + at), NOTHING_OBSERVED);
const plan = (input: unknown): Message => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId: "p", toolName: "update_plan", input }],
});

describe("what messages tell by themselves", () => {
  it("are calls by tool, and failures", () => {
    const failed: Message = {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "b", toolName: "read", output: { type: "error-text", value: "no" } },
      ],
    };
    const seen = observed(
      calls("a", "b"),
      result("a"),
      failed,
      calls("c"),
      result("c", "Error: no such file"),
      says("ok"),
    );
    expect(seen).toMatchObject({ entries: 6, calls: 3, byTool: { read: 3 }, failures: 2 });
  });

  it("is the workspace, from prompts and from where commands run", () => {
    expect(observed(system("<env>\nWorking directory: /home/ann/atlas\n</env>"))).toMatchObject({
      workspace: "/home/ann/atlas",
      workspaceTime: 100,
    });
    const command: Message = {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "a", toolName: "shell", input: { command: "ls", workdir: "/srv/app" } },
      ],
    };
    expect(observed(user("cwd: /tmp"), command).workspace).toBe("/srv/app");
    expect(observed(user("The workspace is large; use a working directory.")).workspace).toBeNull();
  });

  it("are tasks with their progress, from the latest list that an agent wrote", () => {
    const first = plan({
      plan: [
        { step: "read", status: "in_progress" },
        { step: "write", status: "pending" },
      ],
    });
    const second = plan({
      plan: [
        { step: "read", status: "completed" },
        { step: "write", status: "pending" },
      ],
    });
    expect(observed(first, second).tasks).toEqual([
      { id: "task_001", description: "read", status: "Completed", progress: 1, created_at: 100, updated_at: 101 },
      { id: "task_002", description: "write", status: "Pending", progress: 0, created_at: 100, updated_at: 100 },
    ]);
    expect(observed(plan({ plan: "just words" }), plan({ plan: [] }), plan("text")).tasks).toEqual([]);
  });
});
