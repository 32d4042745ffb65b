import { openaiChatBreaches } from "../../fuzz/rules/openai-chat.js";
import { type Item, isItem, itemsOf, textOf } from "../../fuzz/rules/request.js";
import { type Answer, event, halves, type Piece, type Protocol, toolPiece, written } from "../protocol.js";
import type { Saying } from "../script.js";

/** OpenAI's chat completions, and the servers that speak as they do. */
export const openaiChatProtocol = (): Protocol => ({
  pieces: ({ tools, messages }) => [
    ...itemsOf(tools).map(({ function: used }) =>
      isItem(used) ? toolPiece(used, used.parameters) : toolPiece({}, {}),
    ),
    ...itemsOf(messages).map(pieceOf),
  ],
  breaches: ({ body }) => openaiChatBreaches(itemsOf(body.messages)),
  isStreamed: ({ body }) => body.stream === true,
  answer: (_, saying, step) => answerOf(saying, step),
});

function pieceOf(message: Item): Piece {
  const { content, tool_calls } = message;
  const called = itemsOf(tool_calls).map((call) => (isItem(call.function) ? call.function : {}));
  const said = typeof content === "string" ? [content] : itemsOf(content).map((part) => textOf(part.text));
  return {
    written: written(message),
    texts: [...said, ...called.flatMap(({ name, arguments: input }) => [textOf(name), textOf(input)])],
    messages: 1,
    calls: called.length,
  };
}

function answerOf({ text, calls }: Saying, step: number): Answer {
  const tool_calls = calls.map(({ id, name, input }) => ({
    id: `call_${id}`,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  const content = text === "" ? null : text;
  const message = { role: "assistant", content, refusal: null, ...(calls.length > 0 && { tool_calls }) };
  const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 };
  const base = { id: `chatcmpl-${step}`, created: 1, model: "gpt" };
  const chunk = (delta: object, end: string | null = null) =>
    event({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: end }] });
  const events = [
    chunk({ role: "assistant", content: "" }),
    ...(content === null ? [] : halves(content).map((piece) => chunk({ content: piece }))),
    ...tool_calls.flatMap(({ function: { name, arguments: input }, ...call }, index) => [
      chunk({ tool_calls: [{ index, ...call, function: { name, arguments: "" } }] }),
      ...halves(input).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    chunk({}, finish_reason),
    event({ ...base, object: "chat.completion.chunk", choices: [], usage }),
    event("[DONE]"),
  ];
  const choices = [{ index: 0, message, logprobs: null, finish_reason }];
  return { whole: { ...base, object: "chat.completion", choices, usage }, events };
}
