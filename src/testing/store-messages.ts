import { sealMessage } from "../message/seal-message.js";
import type { Message } from "../message/types.js";
import { fromOpenAI } from "../wire/openai-chat.js";

const TEXTS = {
  plain: "Hello",
  empty: "",
  unicode: "Grüße, 你好, مرحبا, 👩‍👩‍👧‍👦, e\u0301, \u0000 and \u2028",
  half: "half a character: \ud83d",
  quotes: `"quotes", 'others', \\ and \`; DROP TABLE entries; -- $& $' {messages} </conversation>`,
  lines: "one\r\ntwo\n\tthree",
};

const MESSAGES: readonly Message[] = [
  { role: "system", content: "You are a careful agent." },
  ...Object.values(TEXTS).map((content): Message => ({ role: "user", content })),
  {
    role: "user",
    content: [
      { type: "text", text: "a picture, a file and an address" },
      { type: "image", image: new Uint8Array([0, 1, 2, 253, 254, 255]), mediaType: "image/png" },
      { type: "file", data: { type: "url", url: new URL("https://example.com/a%20b?c=d#e") }, mediaType: "text/plain" },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "thinking", providerOptions: { anthropic: { signature: "c2lnbmVk" } } },
      { type: "tool-call", toolCallId: "call-1", toolName: "read", input: { path: "a.ts", deep: [{ $varve: "url" }] } },
      { type: "tool-call", toolCallId: "call-2", toolName: "read", input: JSON.parse('{"__proto__": {"x": 1}}') },
    ],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: "call-1", toolName: "read", output: { type: "text", value: "text" } },
      {
        type: "tool-result",
        toolCallId: "call-2",
        toolName: "read",
        output: { type: "json", value: { a: [null, 1] } },
      },
    ],
  },
  ...fromOpenAI([
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: '{"a" : 1.50}' } }],
      usage: { tokens: 1 },
    },
    { role: "tool", tool_call_id: "c", content: "done" },
  ]),
];

/** One message of each shape that a store must give back as it was; sealed, as sessions hand them to stores. */
export const shapes: readonly Message[] = MESSAGES.map(sealMessage);
