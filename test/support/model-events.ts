/** Answers as the server-sent events of both protocols, each a text with its line breaks. */
export interface Spoken {
  readonly text: string;
  readonly finish?: "stop" | "length";
  readonly reasoning?: string;
  /** Milliseconds before an answer that is not streamed. */
  readonly after?: number;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  /** Input tokens to report of a stream; 11 unless given. */
  readonly counted?: number;
  /** Output tokens to report of a stream; 7 unless given. */
  readonly said?: number;
  /** Of a stream: ends or falls silent after half of the text. */
  readonly half?: "dropped" | "silent";
}

/** Marks the piece before which half an answer ends; servers may send fields that nobody knows. */
export const LAST_PIECE = '"last_piece":true';

const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

/** The halves of a text. */
const halves = (text: string): [string, string] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
};

export function openaiEvents({
  text,
  finish = "stop",
  reasoning,
  calls = [],
  counted = 11,
  said = 7,
}: Spoken): string[] {
  const [first, second] = halves(text);
  const chunk = (delta: object, more: object = {}): string =>
    event({ id: "chatcmpl-1", object: "chat.completion.chunk", choices: [{ index: 0, delta, ...more }] });
  return [
    ": a comment\n\n",
    chunk({ role: "assistant", content: "" }),
    ...(reasoning ? [chunk({ reasoning_content: reasoning })] : []),
    chunk({ content: first }),
    chunk({ content: second }, { last_piece: true }),
    ...calls.flatMap(({ id, name, input }, index) => {
      const [start, rest] = halves(JSON.stringify(input));
      return [
        chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: start } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: rest } }] }),
      ];
    }),
    chunk({}, { finish_reason: calls.length > 0 ? "tool_calls" : finish }),
    event({
      choices: [],
      usage: { prompt_tokens: counted, completion_tokens: said, prompt_tokens_details: { cached_tokens: 2 } },
    }),
    event("[DONE]"),
  ];
}

export function anthropicEvents({
  text,
  finish = "stop",
  reasoning,
  calls = [],
  counted = 11,
  said = 7,
}: Spoken): string[] {
  const [first, second] = halves(text);
  const named = (data: { type: string } & Record<string, unknown>): string => event(data, data.type);
  const start = (index: number, content_block: object) => named({ type: "content_block_start", index, content_block });
  const delta = (index: number, change: object, more = {}) =>
    named({ type: "content_block_delta", index, delta: change, ...more });
  const usage = { input_tokens: counted - 2, cache_read_input_tokens: 2, output_tokens: 1 };
  const reason = calls.length > 0 ? "tool_use" : finish === "length" ? "max_tokens" : "end_turn";
  return [
    named({ type: "message_start", message: { id: "msg_1", role: "assistant", content: [], usage } }),
    named({ type: "ping" }),
    ...(reasoning
      ? [
          start(0, { type: "thinking", thinking: "", signature: "" }),
          delta(0, { type: "thinking_delta", thinking: reasoning }),
          delta(0, { type: "signature_delta", signature: "sig" }),
        ]
      : []),
    start(1, { type: "text", text: "" }),
    delta(1, { type: "text_delta", text: first }),
    delta(1, { type: "text_delta", text: second }, { last_piece: true }),
    named({ type: "content_block_stop", index: 1 }),
    ...calls.flatMap(({ id, name, input }, at) => {
      const [begin, rest] = halves(JSON.stringify(input));
      return [
        start(at + 2, { type: "tool_use", id, name, input: {} }),
        delta(at + 2, { type: "input_json_delta", partial_json: begin }),
        delta(at + 2, { type: "input_json_delta", partial_json: rest }),
        named({ type: "content_block_stop", index: at + 2 }),
      ];
    }),
    named({ type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: said } }),
    named({ type: "message_stop" }),
  ];
}
