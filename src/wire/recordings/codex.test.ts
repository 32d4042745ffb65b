import { describe, expect, test } from "vitest";
import { readRecording } from "./read-recording.js";
import { codexUser, item, kinds, lines, rollout, SAMPLES, single } from "./samples.test-helpers.js";

const answer = (text: string): object =>
  item({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const head = rollout("session_meta", { id: "c1", cwd: "/project" });
const roles = (source: string): string[] => single(source).messages.map(({ role }) => role);

describe("Codex rollouts", () => {
  test("give the system prompt, the model and the messages", () => {
    expect(single(SAMPLES.codex)).toMatchObject({
      id: "c1",
      model: "gpt-5-codex",
      system: "Be brief.",
      messages: [
        { role: "user", content: [{ type: "text", text: "Run ls" }] },
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "f1", toolName: "shell", rawInput: '{"command":["ls"]}' }],
        },
        { role: "tool", content: [{ toolCallId: "f1", toolName: "shell", output: { type: "text", value: "a.ts" } }] },
        { role: "assistant", content: [{ type: "text", text: "One file." }] },
      ],
      times: [1767323045678, 1767323045678, 1767323045678, 1767323045678],
    });
  });

  test("keep reasoning with the call that it led to", () => {
    const source = lines(
      head,
      codexUser("Go"),
      item({ type: "reasoning", summary: [{ type: "summary_text", text: "Thinking" }], encrypted_content: "gAAA" }),
      item({ type: "custom_tool_call", call_id: "k", name: "apply_patch", input: "*** Begin Patch" }),
      item({ type: "custom_tool_call_output", call_id: "k", output: "ok" }),
    );
    expect(single(source).messages).toMatchObject([
      { role: "user" },
      {
        content: [
          { type: "reasoning", text: "Thinking", providerOptions: { openai: { reasoningEncryptedContent: "gAAA" } } },
          { type: "tool-call", toolName: "apply_patch", input: "*** Begin Patch" },
        ],
      },
      { role: "tool", content: [{ toolName: "apply_patch" }] },
    ]);
  });

  test("say which outputs are failures", () => {
    const source = lines(
      head,
      item({ type: "local_shell_call", call_id: "k", status: "completed", action: { type: "exec", command: ["ls"] } }),
      item({ type: "function_call_output", call_id: "k", output: { content: "denied", success: false } }),
    );
    expect(single(source).messages).toMatchObject([
      { content: [{ toolName: "local_shell" }] },
      { content: [{ toolName: "local_shell", output: { type: "error-text", value: "denied" } }] },
    ]);
  });

  test("put usage at the answer it is for, the last report counting", () => {
    const tokens = (output: number): object =>
      rollout("event_msg", {
        type: "token_count",
        info: { last_token_usage: { input_tokens: 100, cached_input_tokens: 60, output_tokens: output } },
      });
    const source = lines(
      head,
      codexUser("A"),
      answer("B"),
      tokens(1),
      tokens(2),
      codexUser("C"),
      answer("D"),
      tokens(3),
    );
    expect(single(source).usage).toEqual([
      { at: 1, input: 100, output: 2, cacheRead: 60 },
      { at: 3, input: 100, output: 3, cacheRead: 60 },
    ]);
  });

  test("keep what a compaction stands for, and its summary as the user's words", () => {
    const compacted = rollout("compacted", { message: "So far: A.", replacement_history: [] });
    const source = lines(head, codexUser("A"), answer("B"), compacted, answer("C"));
    expect(roles(source)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(single(source).compactions).toEqual([2]);
    expect(kinds(source)).toEqual(["compaction"]);
    expect(kinds(lines(head, codexUser("A"), rollout("compacted", { message: "" })))).toEqual(["compaction"]);
  });

  test("leave out turns that were taken back", () => {
    const context = codexUser("<environment_context>\n<cwd>/project</cwd>\n</environment_context>");
    const back = rollout("event_msg", { type: "thread_rolled_back", num_turns: 1 });
    const source = lines(
      head,
      context,
      codexUser("A"),
      answer("B"),
      codexUser("C"),
      context,
      answer("D"),
      back,
      codexUser("E"),
    );
    expect(roles(source)).toEqual(["user", "user", "assistant", "user"]);
    expect(readRecording(source).warnings).toMatchObject([{ kind: "branch", count: 3 }]);
  });

  test("of the old kind, without payloads, are read too", () => {
    const source = lines(
      { id: "old", timestamp: "2025-06-01T00:00:00Z", instructions: "Be brief.", git: {} },
      { record_type: "state" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "A" }] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "B" }] },
    );
    expect(readRecording(source)).toMatchObject({
      format: "codex",
      conversations: [{ id: "old", system: "Be brief.", messages: [{ role: "user" }, { role: "assistant" }] }],
      warnings: [],
    });
  });

  test("name the thread that started a subagent, and the title that was given", () => {
    const meta = { id: "c2", source: { subagent: { thread_spawn: { parent_thread_id: "c1", depth: 1 } } } };
    const named = rollout("event_msg", { type: "thread_name_updated", thread_name: "Mine" });
    expect(single(lines(rollout("session_meta", meta), codexUser("A"), named))).toMatchObject({
      parent: "c1",
      title: "Mine",
    });
  });

  test("skip and count items that are not known", () => {
    expect(readRecording(lines(head, codexUser("A"), item({ type: "dream" }))).warnings).toMatchObject([
      { kind: "unknown-kind", count: 1 },
    ]);
  });
});
