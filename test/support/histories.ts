import fc from "fast-check";
import type {
  AssistantPart,
  Message,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from "../../src/message/types.js";

/**
 * Histories as real agents leave them: parallel calls, ids used again, calls unanswered or answered twice, results late
 * or out of order or without a call, blank messages, signed reasoning, pictures, unicode, huge outputs.
 */
const WORDS = [
  "error",
  "src/app.ts",
  "merge",
  "データ",
  "한국어",
  "مرحبا",
  "👩‍👩‍👧",
  "0xdeadbeef",
  "\n",
  "$&",
  "</conversation>",
  "{messages}",
  "<|endoftext|>",
];
const word = fc.constantFrom(...WORDS);
export const text = fc.oneof(
  { weight: 6, arbitrary: fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" ")) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(word, fc.integer({ min: 50, max: 600 })).map(([each, times]) => `${each} `.repeat(times)),
  },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "\n\n") },
);

const id = fc.constantFrom("call_1", "call_2", "call_3", "");
export const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const user: fc.Arbitrary<UserMessage> = fc.oneof(
  { weight: 5, arbitrary: text.map((content) => ({ role: "user" as const, content })) },
  {
    weight: 1,
    arbitrary: text.map((words) => ({
      role: "user" as const,
      content: [
        { type: "text" as const, text: words },
        { type: "image" as const, image: PICTURE, mediaType: "image/png" },
      ],
    })),
  },
);

const reasoning: fc.Arbitrary<AssistantPart[]> = fc.constantFrom(
  [],
  [{ type: "reasoning" as const, text: "thinking it over", providerOptions: { anthropic: { signature: "sig" } } }],
  [{ type: "reasoning" as const, text: "plain thought" }],
);

const call: fc.Arbitrary<ToolCallPart> = fc.record({
  type: fc.constant("tool-call" as const),
  toolCallId: id,
  toolName: fc.constantFrom("read", "bash", "edit"),
  input: fc.oneof(
    fc.record({ path: text }),
    fc.record({ content: text, list: fc.array(fc.integer(), { maxLength: 5 }) }),
    fc.constant({}),
  ),
});

const result = (toolCallId: string, value: string): ToolResultPart => ({
  type: "tool-result",
  toolCallId,
  toolName: "",
  output: { type: "text", value },
});

const batch: fc.Arbitrary<Message[]> = fc
  .record({
    thoughts: reasoning,
    says: fc.option(text, { nil: undefined }),
    calls: fc.array(call, { minLength: 1, maxLength: 8 }),
    answers: fc.array(fc.tuple(fc.nat(9), text), { maxLength: 10 }),
    order: fc.constantFrom("complete", "as-drawn"),
    together: fc.boolean(),
    interrupted: fc.option(user, { nil: undefined }),
  })
  .map(({ thoughts, says, calls, answers, order, together, interrupted }) => {
    const content = [...thoughts, ...(says === undefined ? [] : [{ type: "text" as const, text: says }]), ...calls];
    const drawn = answers.map(([at, value]) => result(calls[at]?.toolCallId ?? "stray", value));
    const parts =
      order === "complete" ? calls.map((each, at) => result(each.toolCallId, answers[at]?.[1] ?? "ok")) : drawn;
    const results: ToolMessage[] = together
      ? parts.length > 0
        ? [{ role: "tool", content: parts }]
        : []
      : parts.map((part) => ({ role: "tool", content: [part] }));
    return [{ role: "assistant" as const, content }, ...(interrupted === undefined ? [] : [interrupted]), ...results];
  });

const assistant: fc.Arbitrary<Message[]> = fc.oneof(
  text.map((content) => [{ role: "assistant" as const, content }]),
  fc
    .tuple(reasoning, text)
    .map(([thoughts, words]) => [
      { role: "assistant" as const, content: [...thoughts, { type: "text" as const, text: words }] },
    ]),
);

const stray: fc.Arbitrary<Message[]> = fc
  .tuple(id, text)
  .map(([toolCallId, value]) => [{ role: "tool" as const, content: [result(toolCallId, value)] }]);
const system: fc.Arbitrary<Message[]> = text.map((content) => [{ role: "system" as const, content }]);

/** Any history, legal or not. */
export const history: fc.Arbitrary<Message[]> = fc
  .tuple(
    fc.option(system, { nil: [] as Message[] }),
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: user.map((message): Message[] => [message]) },
        { weight: 6, arbitrary: batch },
        { weight: 3, arbitrary: assistant },
        { weight: 1, arbitrary: stray },
        { weight: 1, arbitrary: system },
      ),
      { maxLength: 24 },
    ),
  )
  .map(([opening, rest]) => [...opening, ...rest.flat()]);

type Twist = "inline" | "approved" | "denied" | "none";

/** Histories whose calls are answered in their own message, or approved or denied in the next. */
export const unusualHistory: fc.Arbitrary<Message[]> = fc
  .tuple(history, fc.array(fc.constantFrom<Twist>("inline", "approved", "denied", "none"), { minLength: 1 }))
  .map(([messages, twists]) => messages.flatMap((message, at) => twisted(message, twists[at % twists.length]!)));

function twisted(message: Message, twist: Twist): Message[] {
  if (message.role !== "assistant" || typeof message.content === "string" || twist === "none") return [message];
  const [first] = message.content.filter((part) => part.type === "tool-call");
  if (first === undefined) return [message];
  const { toolCallId } = first;
  if (twist === "inline") return [{ ...message, content: [...message.content, result(toolCallId, "inside")] }];
  const request = { type: "tool-approval-request" as const, approvalId: `approve ${toolCallId}`, toolCallId };
  const response = {
    type: "tool-approval-response" as const,
    approvalId: request.approvalId,
    approved: twist === "approved",
  };
  return [
    { ...message, content: [...message.content, request] },
    { role: "tool", content: [response] },
  ];
}
