import { describe, expect, test } from "vitest";
import { readRecording } from "./read-recording.js";
import {
  claudeAnswer,
  claudeLine,
  claudeUser,
  kinds,
  lines,
  SAMPLES,
  single,
  toolResult,
  toolUse,
} from "./samples.test-helpers.js";

const text = (value: string): object => ({ type: "text", text: value });
const roles = (source: string): string[] => single(source).messages.map(({ role }) => role);

describe("Claude Code", () => {
  test("gives messages, times and usage", () => {
    expect(single(SAMPLES["claude-code"])).toEqual({
      id: "s1",
      model: "claude-sonnet-4-5",
      messages: [
        { role: "user", content: "Read a.ts" },
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "t1", toolName: "Read", input: { path: "a.ts" } }],
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "t1",
              toolName: "Read",
              output: { type: "text", value: "text of a.ts" },
            },
          ],
        },
        { role: "assistant", content: [{ type: "text", text: "Read." }] },
      ],
      times: Array.from({ length: 4 }, () => Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
      usage: [
        { at: 1, input: 125, output: 7, cacheRead: 100, cacheWrite: 20 },
        { at: 3, input: 125, output: 7, cacheRead: 100, cacheWrite: 20 },
      ],
    });
  });

  test("puts the blocks of an answer together, with the results of parallel calls that stand between them", () => {
    const { messages } = single(
      lines(
        claudeLine("u1", null, claudeUser("Read both")),
        claudeLine("u2", "u1", claudeAnswer("m", { type: "thinking", thinking: "Two files.", signature: "c2ln" })),
        claudeLine("u3", "u2", claudeAnswer("m", toolUse("t1"))),
        claudeLine("r1", "u3", claudeUser([toolResult("t1")])),
        claudeLine("u4", "u3", claudeAnswer("m", toolUse("t2"))),
        claudeLine("r2", "u4", claudeUser([toolResult("t2", "no such file", { is_error: true })])),
        claudeLine("u5", "r2", claudeAnswer("n", text("Done."))),
      ),
    );
    expect(messages).toMatchObject([
      { role: "user" },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Two files.", providerOptions: { anthropic: { signature: "c2ln" } } },
          { toolCallId: "t1" },
          { toolCallId: "t2" },
        ],
      },
      {
        role: "tool",
        content: [
          { toolCallId: "t1", output: { type: "text" } },
          { toolCallId: "t2", output: { type: "error-text", value: "no such file" } },
        ],
      },
      { role: "assistant", content: [{ text: "Done." }] },
    ]);
    expect(messages).toHaveLength(4);
  });

  test("follows the branch of the last message, and counts what it left", () => {
    const source = lines(
      claudeLine("u1", null, claudeUser("Ask")),
      claudeLine("u2", "u1", claudeAnswer("m", text("Old answer"))),
      claudeLine("u3", "u2", claudeUser("Old way")),
      claudeLine("u4", "u2", claudeUser("New way")),
      claudeLine("u5", "u4", claudeAnswer("n", text("New answer"))),
    );
    expect(single(source).messages.map(({ content }) => content)).toMatchObject([
      "Ask",
      [{ text: "Old answer" }],
      "New way",
      [{ text: "New answer" }],
    ]);
    expect(readRecording(source).warnings).toMatchObject([{ kind: "branch", count: 1 }]);
  });

  test.each([
    ["named", { logicalParentUuid: "u2" }],
    ["only by its place", {}],
  ])("keeps what a compaction stands for, before its summary, the parent being %s", (_, parent) => {
    const source = lines(
      claudeLine("u1", null, claudeUser("Ask")),
      claudeLine("u2", "u1", claudeAnswer("m", text("Answer"))),
      claudeLine("b", null, {
        type: "system",
        subtype: "compact_boundary",
        content: "Conversation compacted",
        ...parent,
      }),
      claudeLine("u3", "b", claudeUser("This session is being continued.", { isCompactSummary: true })),
      claudeLine("u4", "u3", claudeAnswer("n", text("Going on"))),
    );
    expect(roles(source)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(single(source).compactions).toEqual([2]);
    expect(kinds(source)).toEqual(["compaction"]);
  });

  test("gives each subagent a conversation of its own", () => {
    const side = (agentId: string) => ({ isSidechain: true, agentId });
    const { conversations } = readRecording(
      lines(
        claudeLine("u1", null, claudeUser("Ask")),
        claudeLine("u2", "u1", claudeAnswer("m", toolUse("t1", "Task"))),
        claudeLine("a1", null, { ...claudeUser("Search"), ...side("x") }),
        claudeLine("b1", null, { ...claudeUser("Look"), ...side("y") }),
        claudeLine("a2", "a1", { ...claudeAnswer("n", text("Found")), ...side("x") }),
        claudeLine("u3", "u2", claudeUser([toolResult("t1", "Found")])),
      ),
    );
    expect(conversations).toMatchObject([
      { id: "s1", messages: [{ role: "user" }, { role: "assistant" }, { role: "tool" }] },
      { id: "x", parent: "s1", messages: [{ content: "Search" }, { role: "assistant" }] },
      { id: "y", parent: "s1", messages: [{ content: "Look" }] },
    ]);
  });

  test("tells subagents without a name apart by their roots", () => {
    const side = { isSidechain: true };
    const { conversations } = readRecording(
      lines(
        claudeLine("u1", null, claudeUser("Ask")),
        claudeLine("a1", null, { ...claudeUser("Search"), ...side }),
        claudeLine("b1", null, { ...claudeUser("Look"), ...side }),
        claudeLine("a2", "a1", { ...claudeAnswer("n", text("Found")), ...side }),
      ),
    );
    expect(conversations.map(({ messages }) => messages.length)).toEqual([1, 2, 1]);
  });

  test("keeps sessions apart that one file holds, and together those that one goes on from", () => {
    const other = { sessionId: "s2" };
    const apart = lines(
      claudeLine("u1", null, claudeUser("One")),
      claudeLine("v1", null, { ...claudeUser("Two"), ...other }),
    );
    expect(readRecording(apart).conversations.map(({ id }) => id)).toEqual(["s1", "s2"]);
    const resumed = lines(
      claudeLine("u1", null, claudeUser("One")),
      claudeLine("v1", "u1", { ...claudeUser("Two"), ...other }),
    );
    expect(readRecording(resumed).conversations).toMatchObject([{ id: "s2", messages: [{}, {}] }]);
  });

  test("reads what the user typed while the agent worked", () => {
    const attachment = { type: "queued_command", prompt: "Also b.ts", commandMode: "prompt" };
    const source = lines(
      claudeLine("u1", null, claudeUser("Read a.ts")),
      claudeLine("u2", "u1", { type: "attachment", attachment }),
      claudeLine("u3", "u2", { type: "attachment", attachment: { ...attachment, commandMode: "task-notification" } }),
    );
    expect(single(source).messages.map(({ content }) => content)).toEqual(["Read a.ts", "Also b.ts"]);
  });

  test("leaves out answers that no model wrote, and keeps the chain that goes through them", () => {
    const synthetic = {
      type: "assistant",
      message: { role: "assistant", model: "<synthetic>", content: [text("API Error")] },
    };
    const source = lines(
      claudeLine("u1", null, claudeUser("One")),
      claudeLine("u2", "u1", synthetic),
      claudeLine("u3", "u2", claudeUser("Two")),
    );
    expect(single(source).messages).toHaveLength(2);
    expect(kinds(source)).toEqual(["left-out"]);
  });

  test("keeps images, and calls that nothing answered", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    const source = lines(
      claudeLine("u1", null, claudeUser([text("See"), image])),
      claudeLine("u2", "u1", claudeAnswer("m", toolUse("t1"))),
    );
    expect(single(source).messages).toMatchObject([
      { content: [{ type: "text" }, { type: "image", image: "AAAA", mediaType: "image/png" }] },
      { content: [{ type: "tool-call", toolCallId: "t1" }] },
    ]);
  });

  test("takes the user's title before one that was made", () => {
    const summary = { type: "summary", summary: "Made up", leafUuid: "u1" };
    const one = claudeLine("u1", null, claudeUser("One"));
    expect(single(lines(summary, one)).title).toBe("Made up");
    expect(single(lines(summary, one, { type: "custom-title", customTitle: "Mine", sessionId: "s1" })).title).toBe(
      "Mine",
    );
  });

  test("reads the lines of a stream, which have no parents", () => {
    const source = lines(
      { type: "system", subtype: "init", session_id: "s9", tools: ["Read"], model: "claude-sonnet-4-5" },
      { ...claudeAnswer("m", toolUse("t1")), session_id: "s9", parent_tool_use_id: null },
      { ...claudeUser([toolResult("t1")]), session_id: "s9", parent_tool_use_id: null },
      { ...claudeUser("Sub"), session_id: "s9", parent_tool_use_id: "t7" },
      { ...claudeAnswer("n", text("Done")), session_id: "s9", parent_tool_use_id: null },
      { type: "result", subtype: "success", session_id: "s9" },
    );
    expect(readRecording(source)).toMatchObject({
      format: "claude-code",
      conversations: [
        { id: "s9", messages: [{ role: "assistant" }, { role: "tool" }, { role: "assistant" }] },
        { id: "t7", parent: "s9", messages: [{ content: "Sub" }] },
      ],
      warnings: [],
    });
  });
});
