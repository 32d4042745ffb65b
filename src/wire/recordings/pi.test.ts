import { describe, expect, test } from "vitest";
import { readRecording } from "./read-recording.js";
import { kinds, lines, piEntry, piHead, SAMPLES, single } from "./samples.test-helpers.js";

const user = (content: unknown): object => ({ message: { role: "user", content } });
const assistant = (content: object[], more: object = {}): object => ({
  message: { role: "assistant", content, api: "anthropic-messages", model: "claude-sonnet-4-5", ...more },
});
const text = (value: string): object => ({ type: "text", text: value });

describe("pi sessions", () => {
  test("give messages, results and usage", () => {
    expect(single(SAMPLES.pi)).toEqual({
      id: "p1",
      model: "claude-sonnet-4-5",
      messages: [
        { role: "user", content: [{ type: "text", text: "Run ls" }] },
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "f1", toolName: "bash", input: { command: "ls" } }],
        },
        {
          role: "tool",
          content: [
            { type: "tool-result", toolCallId: "f1", toolName: "bash", output: { type: "text", value: "a.ts" } },
          ],
        },
      ],
      times: Array.from({ length: 3 }, () => 1767323045678),
      usage: [{ at: 1, input: 13, output: 4, cacheRead: 10, cacheWrite: 0 }],
    });
  });

  test("follow the branch of the last entry", () => {
    const source = lines(
      piHead,
      piEntry("1", null, user("Ask")),
      piEntry("2", "1", assistant([text("Old")])),
      piEntry("3", "1", { type: "branch_summary", fromId: "2", summary: "Tried the old way." }),
      piEntry("4", "3", assistant([text("New")])),
      piEntry("5", "4", { type: "label", targetId: "4", label: "here" }),
    );
    expect(single(source).messages.map(({ content }) => content)).toEqual(["Ask", "Tried the old way.", [text("New")]]);
    expect(readRecording(source).warnings).toMatchObject([{ kind: "branch", count: 1 }]);
  });

  test("keep what a compaction stands for", () => {
    const source = lines(
      piHead,
      piEntry("1", null, user("Ask")),
      piEntry("2", "1", assistant([text("Answer")])),
      piEntry("3", "2", { type: "compaction", summary: "So far.", firstKeptEntryId: "2", tokensBefore: 10 }),
      piEntry("4", "3", user("Go on")),
    );
    expect(single(source).messages).toHaveLength(4);
    expect(single(source).compactions).toEqual([2]);
    expect(kinds(source)).toEqual(["compaction"]);
  });

  test("keep signatures as their provider wants them back", () => {
    const thought = (api: string, block: object): unknown =>
      single(lines(piHead, piEntry("1", null, assistant([{ type: "thinking", thinking: "Hm", ...block }], { api }))))
        .messages;
    const options = (providerOptions: object) => [{ content: [{ type: "reasoning", providerOptions }] }];
    expect(thought("anthropic-messages", { thinkingSignature: "sig" })).toMatchObject(
      options({ anthropic: { signature: "sig" } }),
    );
    expect(thought("anthropic-messages", { thinkingSignature: "sig", redacted: true })).toMatchObject(
      options({ anthropic: { redactedData: "sig" } }),
    );
    expect(thought("google-generative-ai", { thinkingSignature: "sig" })).toMatchObject(
      options({ google: { thoughtSignature: "sig" } }),
    );
    const reasoning = JSON.stringify({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" });
    expect(thought("openai-responses", { thinkingSignature: reasoning })).toMatchObject(
      options({ openai: { itemId: "rs_1", reasoningEncryptedContent: "gAAA" } }),
    );
    expect(thought("openai-completions", { thinkingSignature: "reasoning_content" })).toEqual([
      { role: "assistant", content: [{ type: "reasoning", text: "Hm" }] },
    ]);
  });

  test("keep images and failures of tools", () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };
    const result = (more: object): object => ({
      message: { role: "toolResult", toolCallId: "f", toolName: "t", ...more },
    });
    const source = lines(
      piHead,
      piEntry("1", null, user([text("See"), image])),
      piEntry("2", "1", assistant([{ type: "toolCall", id: "f", name: "t", arguments: {} }])),
      piEntry("3", "2", result({ content: [text("A picture"), image], isError: false })),
      piEntry("4", "3", assistant([{ type: "toolCall", id: "f", name: "t", arguments: {} }])),
      piEntry("5", "4", result({ content: [text("No")], isError: true })),
    );
    expect(single(source).messages).toMatchObject([
      { content: [{ type: "text" }, { type: "image", image: "AAAA", mediaType: "image/png" }] },
      {},
      {
        content: [
          {
            output: {
              type: "content",
              value: [
                { type: "text", text: "A picture" },
                { type: "image-data", data: "AAAA" },
              ],
            },
          },
        ],
      },
      {},
      { content: [{ output: { type: "error-text", value: "No" } }] },
    ]);
  });

  test("show commands that the user ran, unless they were kept from the model", () => {
    const bash = (more: object): object => ({
      message: { role: "bashExecution", command: "ls", output: "a.ts", exitCode: 0, ...more },
    });
    const source = lines(piHead, piEntry("1", null, bash({})), piEntry("2", "1", bash({ excludeFromContext: true })));
    expect(single(source).messages).toEqual([{ role: "user", content: "Ran `ls`\n```\na.ts\n```" }]);
  });

  test("leave out answers that broke off before a word, and take the name and messages of extensions", () => {
    const source = lines(
      piHead,
      piEntry("1", null, { type: "custom_message", customType: "x", content: "From an extension", display: true }),
      piEntry("2", "1", assistant([], { stopReason: "error" })),
      piEntry("3", "2", { type: "session_info", name: "Mine" }),
    );
    expect(single(source)).toMatchObject({ title: "Mine", messages: [{ role: "user", content: "From an extension" }] });
    expect(single(source).messages).toHaveLength(1);
  });

  test("of the first version are plain lists", () => {
    const entry = (more: object): object => ({ type: "message", timestamp: "2024-12-03T14:00:00.000Z", ...more });
    const { version: _, ...head } = piHead;
    expect(single(lines(head, entry(user("A")), entry(assistant([text("B")])))).messages).toHaveLength(2);
  });
});
