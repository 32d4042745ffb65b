import { describe, expect, it } from "vitest";
import { mapTexts, textsIn } from "./map-texts.js";
import type { Message } from "./types.js";

const SECRET = "The vault word is quokkaplum";
const bytes = new TextEncoder().encode(SECRET);
const base64 = Buffer.from(bytes).toString("base64");
const call = { type: "tool-call", toolCallId: "a", toolName: "save" } as const;
const result = { type: "tool-result", toolCallId: "a", toolName: "save" } as const;

/** The same text in every place that a message has for one. */
const MESSAGES: Record<string, Message> = {
  words: { role: "user", content: SECRET },
  "a part's words": { role: "assistant", content: [{ type: "text", text: SECRET }] },
  reasoning: { role: "assistant", content: [{ type: "reasoning", text: SECRET }] },
  "nested arguments": { role: "assistant", content: [{ ...call, input: { a: [{ type: SECRET }] } }] },
  "a name in arguments": { role: "assistant", content: [{ ...call, input: { [SECRET]: true } }] },
  "JSON in arguments": { role: "assistant", content: [{ ...call, input: { raw: JSON.stringify({ a: SECRET }) } }] },
  "a result's text": { role: "tool", content: [{ ...result, output: { type: "text", value: SECRET } }] },
  "a result's JSON": { role: "tool", content: [{ ...result, output: { type: "json", value: { kind: SECRET } } }] },
  "a result's parts": {
    role: "tool",
    content: [{ ...result, output: { type: "content", value: [{ type: "text", text: SECRET }] } }],
  },
  "a reason": {
    role: "tool",
    content: [{ type: "tool-approval-response", approvalId: "x", approved: false, reason: SECRET }],
  },
  "a file's bytes": { role: "user", content: [{ type: "file", data: bytes, mediaType: "text/plain" }] },
  "a file as base64": { role: "user", content: [{ type: "file", data: base64, mediaType: "text/plain" }] },
  "a file's name": { role: "user", content: [{ type: "file", data: "", mediaType: "text/plain", filename: SECRET }] },
  "a provider's fields": { role: "user", content: "x", providerOptions: { varve: { title: SECRET } } },
};

describe("the walk over a message's texts", () => {
  it.each(Object.entries(MESSAGES))("reaches %s", (_, message) => {
    expect(textsIn(message).join("\n")).toContain("quokkaplum");
    const changed = JSON.stringify(mapTexts(message, (text) => text.replaceAll(SECRET, "gone")));
    expect(changed).not.toContain("quokkaplum");
    expect(changed).not.toContain(base64);
  });

  it.each(Object.entries(MESSAGES))(
    "leaves alone what says what a message is, and ties its parts together: %s",
    (_, message) => {
      const changed = mapTexts(message, () => "x");
      expect(changed.role).toBe(message.role);
      if (typeof message.content === "string") return;
      const fields = (one: Message) =>
        (one.content as { type: string; toolCallId?: string }[]).map((p) => [p.type, p.toolCallId]);
      expect(fields(changed)).toEqual(fields(message));
    },
  );

  it("returns the very same message where nothing changes", () => {
    for (const message of Object.values(MESSAGES)) expect(mapTexts(message, (text) => text)).toBe(message);
  });
});
