import fc from "fast-check";
import type { AssistantPart, Message, ToolContentPart, ToolOutput, UserPart } from "../../src/message/types.js";

/**
 * Lists of messages with all that providers refuse in it, as programs hold them that mix providers, resume, and show
 * pictures: no list is legal for every provider, and few are for any.
 */
const often = <T>(usual: T, ...odd: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });

const words = often("Look at this.", "", " ", "ends in space \n", "\u00a0", "half \ud800");
const callId = fc.constantFrom("a", "b", "c", "", "call.7", "ä", "x".repeat(41), "x".repeat(65), `${"x".repeat(64)}y`);
const toolName = fc.constantFrom(
  "read",
  "7zip",
  "fs.read",
  "fs/read",
  "",
  "läsa",
  "n".repeat(65),
  "n".repeat(130),
  "-x",
);
const itemId = fc.constantFrom("rs_1", "msg_1", "fc_1");

/** The head of a PNG of this size: what a provider looks at. */
export function png(width: number, height: number, bytes = 24): string {
  const head = Buffer.alloc(bytes);
  head.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head.toString("base64");
}
const picture = fc.constantFrom(png(10, 10), png(3000, 20), png(20, 8001), png(10, 10, 3_940_000));

const marks = fc.constantFrom(undefined, { anthropic: { cacheControl: { type: "ephemeral" } } });
const text = fc.record({ type: fc.constant("text" as const), text: words, providerOptions: marks });
const image = picture.map((data) => ({ type: "image" as const, image: data, mediaType: "image/png" }));
const link = fc.constant({ type: "image" as const, image: "https://a.example/b.png" });
const pdf = fc.constant({ type: "file" as const, data: "JVBERi0=", mediaType: "application/pdf" });
const foreign = fc.constantFrom(
  {
    type: "custom" as const,
    kind: "gemini.part" as const,
    providerOptions: { varve: { gemini: { value: { executableCode: {} } } } },
  },
  {
    type: "custom" as const,
    kind: "anthropic.text" as const,
    providerOptions: { varve: { anthropic: { value: { type: "text", text: " " } } } },
  },
);
const userPart: fc.Arbitrary<UserPart> = fc.oneof({ weight: 4, arbitrary: text }, image, link, pdf, foreign);
const user: fc.Arbitrary<Message> = fc.record({
  role: fc.constant("user" as const),
  content: fc.oneof(words, fc.array(userPart, { maxLength: 3 })),
});
const gallery: fc.Arbitrary<Message> = fc.record({
  role: fc.constant("user" as const),
  content: fc
    .oneof(
      fc.array(fc.constantFrom(png(10, 10), png(3000, 20)), { minLength: 15, maxLength: 130 }),
      fc.array(fc.constant(png(10, 10)), { minLength: 95, maxLength: 130 }),
    )
    .map((pictures) => pictures.map((data) => ({ type: "image" as const, image: data, mediaType: "image/png" }))),
});

const signature = fc.oneof(
  fc.constant({ anthropic: { signature: "s" } }),
  fc.constant({ anthropic: { redactedData: "r" } }),
  itemId.map((id) => ({ openai: { itemId: id, reasoningEncryptedContent: "e" } })),
  fc.constant({ google: { thoughtSignature: "g" } }),
  fc.constant({ varve: { anthropic: { type: "thinking" } } }),
  fc.constant(undefined),
);
const reasoning = fc.record({
  type: fc.constant("reasoning" as const),
  text: fc.constant("Hm."),
  providerOptions: signature,
});
const itemText = itemId.map((id) => ({
  type: "text" as const,
  text: "Said.",
  providerOptions: { openai: { itemId: id } },
}));
const call = fc.record({
  type: fc.constant("tool-call" as const),
  toolCallId: callId,
  toolName,
  input: fc.constantFrom({}, { path: "a" }, "broken {", null),
  providerOptions: fc.oneof(
    fc.constant(undefined),
    itemId.map((id) => ({ openai: { itemId: id } })),
  ),
});
const executed = call.map((part) => ({ ...part, providerExecuted: true }));
const said: fc.Arbitrary<AssistantPart> = fc.oneof(
  text,
  reasoning,
  reasoning,
  call,
  call,
  itemText,
  executed,
  pdf,
  foreign,
);
const assistant: fc.Arbitrary<Message> = fc.record({
  role: fc.constant("assistant" as const),
  content: fc.oneof(words, fc.array(said, { maxLength: 5 })),
});

const content: fc.Arbitrary<ToolContentPart> = fc.oneof(
  text,
  picture.map((data) => ({ type: "image-data", data, mediaType: "image/png" })),
);
const output: fc.Arbitrary<ToolOutput> = fc.oneof(
  fc.record({ type: fc.constantFrom("text" as const, "error-text" as const), value: words }),
  fc.record({ type: fc.constant("content" as const), value: fc.array(content, { maxLength: 2 }) }),
  fc.record({
    type: fc.constantFrom("json" as const, "error-json" as const),
    value: fc.constantFrom({}, [], null, ""),
  }),
);
const failedList = fc.constant({ varve: { anthropic: { is_error: true } } });
const result: fc.Arbitrary<Message> = fc
  .array(
    fc.record({
      type: fc.constant("tool-result" as const),
      toolCallId: callId,
      toolName,
      output,
      providerOptions: fc.oneof(fc.constant(undefined), failedList),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => ({ role: "tool" as const, content: parts }));

/** More calls at once than Chat Completions take, their results in any order. */
const horde: fc.Arbitrary<Message[]> = fc
  .tuple(fc.integer({ min: 127, max: 300 }), fc.boolean())
  .map(([count, reversed]): Message[] => {
    const ids = Array.from({ length: count }, (_, at) => `h${at}`);
    const calls = ids.map((toolCallId) => ({ type: "tool-call" as const, toolCallId, toolName: "read", input: {} }));
    const results = (reversed ? [...ids].reverse() : ids).map(
      (toolCallId): Message => ({
        role: "tool",
        content: [{ type: "tool-result", toolCallId, toolName: "read", output: { type: "text", value: "ok" } }],
      }),
    );
    return [{ role: "assistant", content: calls }, ...results];
  });

const system: fc.Arbitrary<Message> = words.map((content) => ({ role: "system", content }));
const one = (arbitrary: fc.Arbitrary<Message>) => arbitrary.map((message) => [message]);

export const hostileMessages: fc.Arbitrary<Message[]> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: one(user) },
      { weight: 8, arbitrary: one(assistant) },
      { weight: 8, arbitrary: one(result) },
      { weight: 1, arbitrary: one(system) },
      { weight: 1, arbitrary: one(gallery) },
      { weight: 1, arbitrary: horde },
    ),
    { maxLength: 14 },
  )
  .map((messages) => messages.flat());
