/** A small recording in each format, made up after its documentation. */

import { readRecording } from "./read-recording.js";
import type { RecordedConversation } from "./recording.js";

export const lines = (...values: object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");

/** The only conversation of a text. */
export function single(text: string): RecordedConversation {
  const { conversations } = readRecording(text);
  const [conversation] = conversations;
  if (conversation === undefined || conversations.length > 1) throw new Error(`${conversations.length} conversations`);
  return conversation;
}

export const kinds = (text: string): string[] => readRecording(text).warnings.map(({ kind }) => kind);

/** A line of Claude Code; `uuid` and `parentUuid` as given. */
export const claudeLine = (uuid: string, parentUuid: string | null, more: object): object => ({
  parentUuid,
  isSidechain: false,
  userType: "external",
  cwd: "/project",
  sessionId: "s1",
  version: "2.1.0",
  uuid,
  timestamp: "2026-01-02T03:04:05.678Z",
  ...more,
});
export const claudeUser = (content: unknown, more: object = {}): object => ({
  type: "user",
  message: { role: "user", content },
  ...more,
});
export const claudeAnswer = (id: string, ...content: object[]): object => ({
  type: "assistant",
  message: {
    id,
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content,
    usage: { input_tokens: 5, cache_creation_input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 7 },
  },
});
export const toolUse = (id: string, name = "Read", input: object = { path: "a.ts" }): object => ({
  type: "tool_use",
  id,
  name,
  input,
});
export const toolResult = (id: string, content: unknown = "text of a.ts", more: object = {}): object => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...more,
});

/** A line of Codex. */
export const rollout = (type: string, payload: object, timestamp = "2026-01-02T03:04:05.678Z"): object => ({
  timestamp,
  type,
  payload,
});
export const item = (payload: object): object => rollout("response_item", payload);
export const codexUser = (text: string): object =>
  item({ type: "message", role: "user", content: [{ type: "input_text", text }] });

/** An entry of pi. */
export const piEntry = (id: string, parentId: string | null, more: object): object => ({
  type: "message",
  id,
  parentId,
  timestamp: "2026-01-02T03:04:05.678Z",
  ...more,
});
export const piHead = { type: "session", version: 3, id: "p1", timestamp: "2026-01-02T03:04:05.678Z", cwd: "/project" };

export const SAMPLES = {
  "claude-code": lines(
    { type: "file-history-snapshot", messageId: "m", snapshot: {} },
    claudeLine("u1", null, claudeUser("Read a.ts")),
    claudeLine("u2", "u1", claudeAnswer("msg_1", toolUse("t1"))),
    claudeLine("u3", "u2", claudeUser([toolResult("t1")])),
    claudeLine("u4", "u3", claudeAnswer("msg_2", { type: "text", text: "Read." })),
  ),
  codex: lines(
    rollout("session_meta", { id: "c1", cwd: "/project", base_instructions: { text: "Be brief." } }),
    rollout("turn_context", { model: "gpt-5-codex", cwd: "/project" }),
    codexUser("Run ls"),
    item({ type: "function_call", call_id: "f1", name: "shell", arguments: '{"command":["ls"]}' }),
    item({ type: "function_call_output", call_id: "f1", output: "a.ts" }),
    item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "One file." }] }),
  ),
  pi: lines(
    piHead,
    piEntry("e1", null, { message: { role: "user", content: [{ type: "text", text: "Run ls" }] } }),
    piEntry("e2", "e1", {
      message: {
        role: "assistant",
        content: [{ type: "toolCall", id: "f1", name: "bash", arguments: { command: "ls" } }],
        api: "anthropic-messages",
        model: "claude-sonnet-4-5",
        usage: { input: 3, output: 4, cacheRead: 10, cacheWrite: 0 },
      },
    }),
    piEntry("e3", "e2", {
      message: {
        role: "toolResult",
        toolCallId: "f1",
        toolName: "bash",
        content: [{ type: "text", text: "a.ts" }],
        isError: false,
      },
    }),
  ),
  opencode: JSON.stringify(
    {
      info: {
        id: "ses_1",
        title: "List files",
        projectID: "x",
        directory: "/project",
        time: { created: 1, updated: 2 },
      },
      messages: [
        {
          info: { id: "msg_1", sessionID: "ses_1", role: "user", time: { created: 10 } },
          parts: [{ id: "prt_1", messageID: "msg_1", sessionID: "ses_1", type: "text", text: "Run ls" }],
        },
      ],
    },
    null,
    2,
  ),
  "gemini-cli": JSON.stringify({
    sessionId: "g1",
    projectHash: "abc",
    startTime: "2026-01-02T03:04:05.678Z",
    lastUpdated: "2026-01-02T03:05:05.678Z",
    messages: [
      { id: "m1", timestamp: "2026-01-02T03:04:05.678Z", type: "user", content: "Hello" },
      { id: "m2", timestamp: "2026-01-02T03:04:06.678Z", type: "gemini", content: "Hi.", model: "gemini-2.5-pro" },
    ],
  }),
  specstory: [
    "<!-- Generated by SpecStory, Markdown v2.1.0 -->",
    "",
    "# 2026-01-02 03:04:05Z",
    "",
    "<!-- Claude Code Session s1 (2026-01-02 03:04:05Z) -->",
    "",
    "_**User (2026-01-02 03:04:05Z)**_",
    "",
    "Hello",
    "",
    "---",
    "",
    "_**Agent (claude-sonnet-4-5 2026-01-02 03:04:06Z)**_",
    "",
    "Hi.",
    "",
  ].join("\n"),
  langsmith: lines({
    id: "r1",
    trace_id: "t1",
    run_type: "llm",
    name: "ChatOpenAI",
    start_time: "2026-01-02T03:04:05.678",
    inputs: {
      messages: [
        [
          {
            lc: 1,
            type: "constructor",
            id: ["langchain", "schema", "messages", "HumanMessage"],
            kwargs: { content: "Hello", type: "human" },
          },
        ],
      ],
    },
    outputs: {
      generations: [
        [
          {
            text: "Hi.",
            message: {
              lc: 1,
              type: "constructor",
              id: ["langchain", "schema", "messages", "AIMessage"],
              kwargs: { content: "Hi.", type: "ai" },
            },
          },
        ],
      ],
    },
  }),
  langfuse: JSON.stringify([
    {
      id: "o1",
      traceId: "t1",
      type: "GENERATION",
      name: "chat",
      startTime: "2026-01-02T03:04:05.678Z",
      model: "gpt-5",
      input: [{ role: "user", content: "Hello" }],
      output: { role: "assistant", content: "Hi." },
    },
  ]),
  openai: JSON.stringify([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hi." },
  ]),
  "openai-responses": JSON.stringify([
    { role: "user", content: "Hello" },
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi." }] },
  ]),
  anthropic: JSON.stringify({
    model: "claude-sonnet-4-5",
    system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
    messages: [
      { role: "user", content: "Hello" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "A greeting.", signature: "c2ln" },
          { type: "text", text: "Hi." },
        ],
      },
    ],
  }),
  gemini: JSON.stringify({
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents: [
      { role: "user", parts: [{ text: "Hello" }] },
      { role: "model", parts: [{ text: "Hi." }] },
    ],
  }),
  "ai-sdk": JSON.stringify([
    { role: "user", content: "Run ls" },
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "f1", toolName: "bash", input: { command: "ls" } }],
    },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "f1", toolName: "bash", output: { type: "text", value: "a.ts" } }],
    },
  ]),
  "ai-sdk-ui": JSON.stringify([
    { id: "1", role: "user", parts: [{ type: "text", text: "Hello" }] },
    { id: "2", role: "assistant", parts: [{ type: "step-start" }, { type: "text", text: "Hi." }] },
  ]),
} as const;
