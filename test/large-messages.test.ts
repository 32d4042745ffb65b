import { expect, test } from "vitest";
import { type Message, openVarve } from "../src/index.js";

const LONG = "a".repeat(64_000_001);
const run = { toolCallId: "c", toolName: "t" } as const;
const MESSAGES: Readonly<Record<string, unknown>> = {
  "what is said": { role: "user", content: LONG },
  "a part": { role: "user", content: [{ type: "text", text: LONG }] },
  bytes: { role: "user", content: [{ type: "image", image: new Uint8Array(49_000_000) }] },
  "an address": { role: "user", content: [{ type: "image", image: new URL(`data:image/png;base64,${LONG}`) }] },
  arguments: { role: "assistant", content: [{ type: "tool-call", ...run, rawInput: LONG, input: {} }] },
  "a result": { role: "tool", content: [{ type: "tool-result", ...run, output: { type: "text", value: LONG } }] },
};

test.each(Object.entries(MESSAGES))(
  "a message with %s over 64 million characters is refused",
  async (_what, message) => {
    const session = await (await openVarve()).session("s", { window: 8_000 });
    const appending = session.append(message as Message);
    await expect(appending).rejects.toMatchObject({ code: "too-large", hint: expect.any(String) });
    expect(session.entries()).toEqual([]);
  },
);
