import { describe, expect, test } from "vitest";
import { readRecording } from "./read-recording.js";
import { kinds, lines, single } from "./samples.test-helpers.js";

const session = {
  id: "ses_1",
  title: "List files",
  projectID: "x",
  directory: "/project",
  time: { created: 1, updated: 2 },
};
const info = (id: string, role: string, created: number) => ({
  ...{ id, sessionID: "ses_1", role, time: { created } },
  ...(role === "assistant" && { modelID: "claude-sonnet-4-5", providerID: "anthropic" }),
});
const part = (id: string, messageID: string, more: object) => ({ id, messageID, sessionID: "ses_1", ...more });
const tool = (callID: string, state: object): object => ({
  type: "tool",
  callID,
  tool: "bash",
  state: { input: { command: "ls" }, ...state },
});

const asked = [part("prt_1", "msg_1", { type: "text", text: "Run ls" })];
const answered = [
  part("prt_2", "msg_2", { type: "step-start" }),
  part("prt_3", "msg_2", {
    type: "reasoning",
    text: "Hm",
    metadata: { anthropic: { signature: "sig" } },
    time: { start: 1 },
  }),
  part("prt_4", "msg_2", tool("f1", { status: "completed", output: "a.ts", title: "ls", metadata: {} })),
  part("prt_5", "msg_2", { type: "step-finish", reason: "tool-calls", cost: 0, tokens: {} }),
  part("prt_6", "msg_2", { type: "step-start" }),
  part("prt_7", "msg_2", { type: "text", text: "One file." }),
];
const user = info("msg_1", "user", 10);
const assistant = {
  ...info("msg_2", "assistant", 20),
  tokens: { input: 5, output: 6, reasoning: 0, cache: { read: 100, write: 1 } },
};
const exported = (...messages: object[]): string => JSON.stringify({ info: session, messages }, null, 2);

const expected = {
  id: "ses_1",
  title: "List files",
  model: "claude-sonnet-4-5",
  messages: [
    { role: "user", content: [{ type: "text", text: "Run ls" }] },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm", providerOptions: { anthropic: { signature: "sig" } } },
        { type: "tool-call", toolCallId: "f1", toolName: "bash", input: { command: "ls" } },
      ],
    },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "f1", toolName: "bash", output: { type: "text", value: "a.ts" } }],
    },
    { role: "assistant", content: [{ type: "text", text: "One file." }] },
  ],
  times: [10, 20, 20, 20],
  usage: [{ at: 3, input: 106, output: 6, cacheRead: 100, cacheWrite: 1 }],
};

describe("opencode", () => {
  test("reads an export, each step a message", () => {
    expect(single(exported({ info: user, parts: asked }, { info: assistant, parts: answered }))).toEqual(expected);
  });

  test("reads the files of its storage, in any order", () => {
    const files = [session, assistant, ...answered, user, ...asked];
    expect(single(lines(...files))).toEqual(expected);
    expect(single(lines(...files.toReversed()))).toEqual(expected);
    expect(single(files.map((file) => JSON.stringify(file, null, 2)).join("\n"))).toEqual(expected);
  });

  test("reads the list that its server gives", () => {
    const list = [
      { info: user, parts: asked },
      { info: assistant, parts: answered },
    ];
    const { title: _, ...rest } = expected;
    expect(single(JSON.stringify(list))).toEqual(rest);
  });

  test("keeps failures, attachments, and calls that nothing answered", () => {
    const png = { type: "file", mime: "image/png", url: "data:image/png;base64,AAAA" };
    const parts = [
      tool("f1", { status: "error", error: "No" }),
      tool("f2", { status: "completed", output: "A picture", attachments: [png] }),
      tool("f3", { status: "running" }),
    ];
    const { messages } = single(exported({ info: assistant, parts }));
    expect(messages).toMatchObject([
      { content: [{ toolCallId: "f1" }, { toolCallId: "f2" }, { toolCallId: "f3" }] },
      {
        content: [
          { toolCallId: "f1", output: { type: "error-text", value: "No" } },
          {
            toolCallId: "f2",
            output: { type: "content", value: [{ type: "text" }, { type: "image-data", data: "AAAA" }] },
          },
        ],
      },
    ]);
  });

  test("leaves out what the model does not see, and keeps the user's pictures", () => {
    const parts = [
      { type: "text", text: "Hidden", ignored: true },
      { type: "file", mime: "text/plain", url: "file:///a.ts", filename: "a.ts" },
      { type: "file", mime: "image/png", url: "data:image/png;base64,AAAA", filename: "a.png" },
      { type: "text", text: "See" },
    ];
    expect(single(exported({ info: user, parts })).messages).toEqual([
      {
        role: "user",
        content: [
          { type: "image", image: "data:image/png;base64,AAAA", mediaType: "image/png" },
          { type: "text", text: "See" },
        ],
      },
    ]);
  });

  test("notes a compaction at its summary", () => {
    const source = exported(
      { info: user, parts: asked },
      { info: info("msg_2", "user", 20), parts: [{ type: "compaction", auto: true }] },
      { info: { ...info("msg_3", "assistant", 30), summary: true }, parts: [{ type: "text", text: "So far." }] },
    );
    expect(single(source).compactions).toEqual([1]);
    expect(kinds(source)).toEqual(["compaction"]);
  });

  test("names the session that a subagent's session belongs to", () => {
    const source = JSON.stringify({
      info: { ...session, parentID: "ses_0" },
      messages: [{ info: user, parts: asked }],
    });
    expect(single(source).parent).toBe("ses_0");
    expect(readRecording(source).format).toBe("opencode");
  });
});
