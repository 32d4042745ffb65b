import { describe, expect, it } from "vitest";
import { VarveError } from "../errors.js";
import { type ContextDocument, emptyContextDocument, parseContextDocument } from "./context-document.js";

/** The document that the format's description shows. */
const EXAMPLE: ContextDocument = {
  session_id: "user:agent:timestamp",
  system_state: { last_workspace: "/home/user/project", preferences: {} },
  facts: ["User prefers verbose output", "Project uses Rust 1.75"],
  recent_history: [
    { timestamp: 1708654321, role: "user", content: "Create a new file", token_count: 5 },
    { timestamp: 1708654322, role: "assistant", content: "I'll create the file for you", token_count: 8 },
    { timestamp: 1708654323, role: "tool", content: '{"success": true}', token_count: 12 },
  ],
  long_term_summary: "User requested file creation. Successfully created test.txt.",
  active_tasks: [
    {
      id: "task_001",
      description: "Monitor system resources",
      status: "Running",
      progress: 0.5,
      created_at: 1708654000,
      updated_at: 1708654321,
    },
  ],
  tool_stats: { total_calls: 42, by_tool: { file_write: 15, file_read: 20, echo: 7 }, failures: 2 },
  last_known_environment: {
    workspace: "/home/user/project",
    last_update: 1708654321,
    system_snapshot: { memory_usage_mb: 8192, disk_usage_percent: 45.2 },
  },
  token_usage: { total_input: 15420, total_output: 8930, by_session: 24350 },
};

function refusal(value: unknown): VarveError {
  try {
    parseContextDocument(value);
  } catch (error) {
    if (VarveError.isInstance(error)) return error;
  }
  throw new Error("The document was accepted.");
}

describe("parseContextDocument", () => {
  it("reads the document of the format's description, field for field", () => {
    expect(parseContextDocument(JSON.parse(JSON.stringify(EXAMPLE)))).toEqual(EXAMPLE);
  });

  it("reads entries that nobody counted", () => {
    const entry = { timestamp: 1, role: "user", content: "Hello" };
    const document = { ...EXAMPLE, recent_history: [entry, { ...entry, token_count: null }] };
    expect(parseContextDocument(document).recent_history[1]?.token_count).toBeNull();
  });

  it("names the place that is wrong and what stands there", () => {
    const entry = { timestamp: 1, role: "robot", content: "Hello" };
    const error = refusal({ ...EXAMPLE, recent_history: [EXAMPLE.recent_history[0], entry] });
    expect(error.code).toBe("invalid-document");
    expect(error.details).toMatchObject({ path: "recent_history.1.role", value: "robot" });
    expect(error.message).toMatch(/^"recent_history\.1\.role" of the context document is "robot": /);
    expect(error.hint).toMatch(/emptyContextDocument/);
  });

  it.each([
    ["a missing field", { ...EXAMPLE, facts: undefined }, "facts"],
    ["a field that the format does not have", { ...EXAMPLE, mood: "good" }, ""],
    ["another kind of value", [], ""],
    ["a count below zero", { ...EXAMPLE, tool_stats: { ...EXAMPLE.tool_stats, failures: -1 } }, "tool_stats.failures"],
    ["a session without a name", { ...EXAMPLE, session_id: "" }, "session_id"],
  ])("refuses %s", (_, value, path) => {
    expect(refusal(value).details.path).toBe(path);
  });
});

describe("emptyContextDocument", () => {
  it("has exactly the fields of the format", () => {
    const keys = (value: object) => Object.keys(value);
    const empty = emptyContextDocument("user:agent:1");
    expect(empty.session_id).toBe("user:agent:1");
    expect(keys(empty)).toEqual(keys(EXAMPLE));
    for (const name of ["system_state", "tool_stats", "last_known_environment", "token_usage"] as const)
      expect(keys(empty[name])).toEqual(keys(EXAMPLE[name]));
    expect(parseContextDocument(empty)).toEqual(empty);
  });

  it("refuses a session without a name", () => {
    expect(() => emptyContextDocument("")).toThrow(/session_id/);
  });
});
