import { describe, expect, test } from "vitest";
import { readRecording } from "./read-recording.js";
import { kinds, lines, SAMPLES, single } from "./samples.test-helpers.js";

const head = {
  sessionId: "g1",
  projectHash: "abc",
  startTime: "2026-01-02T03:04:05.678Z",
  lastUpdated: "2026-01-02T03:04:05.678Z",
};
const message = (id: string, type: string, content: unknown): object => ({
  ...{ id, type, content, timestamp: "2026-01-02T03:04:05.678Z" },
});
const call = (id: string, more: object): object => ({
  id,
  name: "ls",
  args: { path: "." },
  status: "success",
  timestamp: "",
  ...more,
});
const response = (id: string, answer: object): object[] => [{ functionResponse: { id, name: "ls", response: answer } }];
const texts = (source: string): unknown[] => single(source).messages.map(({ content }) => content);

describe("Gemini CLI", () => {
  test("reads a chat", () => {
    expect(single(SAMPLES["gemini-cli"])).toEqual({
      id: "g1",
      model: "gemini-2.5-pro",
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: "Hi." },
      ],
      times: [1767323045678, 1767323046678],
    });
  });

  test("puts thoughts before and responses after what was said, with usage", () => {
    const toolCalls = [
      call("f1", { result: response("f1", { output: "a.ts" }) }),
      call("f2", { status: "error", result: response("f2", { error: "No such folder" }) }),
      call("f3", { status: "cancelled", resultDisplay: "Cancelled by the user" }),
      call("f4", { status: "executing" }),
      call("f5", { result: "plain" }),
    ];
    const tokens = { input: 100, output: 5, cached: 40, thoughts: 3, total: 108 };
    const thoughts = [{ subject: "Looking", description: "At the folder", timestamp: "" }];
    const source = lines(head, {
      ...message("m1", "gemini", "I look."),
      ...{ toolCalls, thoughts, tokens, model: "gemini-3-pro" },
    });
    expect(single(source)).toMatchObject({
      model: "gemini-3-pro",
      messages: [
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "Looking\nAt the folder" },
            { type: "text", text: "I look." },
            ...["f1", "f2", "f3", "f4", "f5"].map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "ls" })),
          ],
        },
        {
          role: "tool",
          content: [
            { toolCallId: "f1", output: { type: "json", value: { output: "a.ts" } } },
            { toolCallId: "f2", output: { type: "error-text", value: "No such folder" } },
            { toolCallId: "f3", output: { type: "error-text", value: "Cancelled by the user" } },
            { toolCallId: "f5", output: { type: "json", value: { output: "plain" } } },
          ],
        },
      ],
      usage: [{ at: 0, input: 100, output: 8, cacheRead: 40 }],
    });
  });

  test("takes the last writing of a message that comes again, in its first place", () => {
    const source = lines(
      head,
      message("m1", "user", "Hello"),
      message("m2", "gemini", ""),
      message("m3", "info", "Shown on the screen"),
      message("m2", "gemini", "Hi."),
      { $set: { summary: "A greeting", lastUpdated: "2026-01-02T03:05:05.678Z" } },
    );
    expect(texts(source)).toEqual(["Hello", "Hi."]);
    expect(single(source).title).toBe("A greeting");
    expect(kinds(source)).toEqual([]);
  });

  test("takes back the message that is named, and all after it", () => {
    const source = lines(
      head,
      message("m1", "user", "One"),
      message("m2", "gemini", "1"),
      message("m3", "user", "Two"),
      message("m4", "gemini", "2"),
      { $rewindTo: "m3" },
      message("m5", "user", "Three"),
    );
    expect(texts(source)).toEqual(["One", "1", "Three"]);
    expect(readRecording(source).warnings).toMatchObject([{ kind: "branch", count: 2 }]);
  });

  test("keeps what a compression replaced", () => {
    const source = lines(head, message("m1", "user", "One"), message("m2", "gemini", "1"), {
      $set: { messages: [message("m3", "user", "So far.")] },
    });
    expect(texts(source)).toEqual(["One", "1", "So far."]);
    expect(kinds(source)).toEqual(["compaction"]);
  });

  test.each([
    ["of a chat", (history: object[]) => ({ history, authType: "oauth" })],
    [
      "of a tool",
      (history: object[]) => ({ history: [{ type: "user", text: "x" }], clientHistory: history, toolCall: {} }),
    ],
  ])("reads the checkpoint %s", (_, checkpoint) => {
    const history = [
      { role: "user", parts: [{ text: "Look" }] },
      { role: "model", parts: [{ functionCall: { name: "ls", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { name: "ls", response: { output: "a.ts" } } }] },
    ];
    const source = JSON.stringify(checkpoint(history), null, 2);
    expect(readRecording(source).format).toBe("gemini-cli");
    expect(single(source).messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });
});
