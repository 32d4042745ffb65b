import type { AssistantMessage, ToolDefinition } from "../message/types.js";
import { fromOpenAI, toOpenAI } from "../wire/openai-chat.js";
import { isObject, type WireObject } from "../wire/value.js";
import { contentText, finishOf, usageOf } from "./openai-answer.js";
import { endedEarly } from "./post-stream.js";
import type { StreamEnd, StreamEvent, StreamRequest, StreamUsage } from "./streaming.js";

/** The fields of a request that asks for a stream. */
export function streamBody({ messages, tools = [] }: StreamRequest): WireObject {
  return {
    messages: toOpenAI(messages),
    ...(tools.length > 0 && { tools: tools.map(functionTool) }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

const functionTool = ({ name, description, inputSchema = NO_INPUT }: ToolDefinition): WireObject => ({
  type: "function",
  function: { name, ...(description !== undefined && { description }), parameters: inputSchema },
});

const NO_INPUT = { type: "object", properties: {} };

/** The pieces of an answer, and the whole at its end. */
export async function* readStream(chunks: AsyncIterable<WireObject>): AsyncGenerator<StreamEvent> {
  const answer = new ChatAnswer();
  for await (const chunk of chunks) yield* answer.take(chunk);
  yield { type: "answer-end", ...answer.end() };
}

/** A call as far as it has come; fields that are not known here, such as signatures, are kept. */
interface OpenCall {
  readonly index: unknown;
  readonly id: string;
  readonly name: string;
  readonly fields: WireObject;
  text: string;
}

class ChatAnswer {
  #text = "";
  #refusal = "";
  #reasoning = { field: "reasoning_content", text: "" };
  #calls: OpenCall[] = [];
  #finish: unknown;
  #usage: unknown;

  *take(chunk: WireObject): Generator<StreamEvent> {
    if (isObject(chunk.usage)) this.#usage = chunk.usage;
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!isObject(choice)) return;
    if (choice.finish_reason) this.#finish = choice.finish_reason;
    // A server that does not stream gives the whole message at once.
    const delta = choice.delta ?? choice.message;
    if (!isObject(delta)) return;
    yield* this.#reason(delta);
    yield* this.#say(delta);
    for (const call of Array.isArray(delta.tool_calls) ? delta.tool_calls : []) yield* this.#call(call);
  }

  *#reason(delta: WireObject): Generator<StreamEvent> {
    const field = typeof delta.reasoning_content === "string" ? "reasoning_content" : "reasoning";
    const text = delta[field];
    if (typeof text !== "string" || text === "") return;
    this.#reasoning = { field, text: this.#reasoning.text + text };
    yield { type: "reasoning-delta", text };
  }

  *#say({ content, refusal }: WireObject): Generator<StreamEvent> {
    const text = contentText(content);
    const refused = typeof refusal === "string" ? refusal : "";
    this.#text += text;
    this.#refusal += refused;
    if (text + refused !== "") yield { type: "text-delta", text: text + refused };
  }

  *#call(delta: unknown): Generator<StreamEvent> {
    if (!isObject(delta)) return;
    const { index, id, function: called, ...fields } = delta;
    const { name, arguments: text = "" } = isObject(called) ? called : {};
    let call = this.#openCall(index, id);
    if (call === undefined) {
      const given = typeof id === "string" && id !== "" ? id : `call_${crypto.randomUUID().slice(0, 8)}`;
      call = { index, id: given, name: String(name ?? ""), fields, text: "" };
      this.#calls.push(call);
      yield { type: "tool-call-start", id: call.id, name: call.name };
    }
    const piece = typeof text === "string" ? text : JSON.stringify(text);
    call.text += piece;
    if (piece !== "") yield { type: "tool-call-delta", id: call.id, text: piece };
  }

  /** The call that a piece goes on with. Some servers give every call the same index, others give none. */
  #openCall(index: unknown, id: unknown): OpenCall | undefined {
    const last = this.#calls.findLast((call) => index === undefined || call.index === index);
    return id && last !== undefined && last.id !== id ? this.#calls.find((call) => call.id === id) : last;
  }

  end(): StreamEnd {
    if (this.#finish === undefined) throw endedEarly();
    const reason = this.#refusal === "" ? finishOf(this.#finish) : "refused";
    const isCalling = this.#calls.length > 0 && (reason === "stop" || reason === "other");
    return { message: this.#message(), finish: isCalling ? "tool-calls" : reason, usage: streamUsage(this.#usage) };
  }

  #message(): AssistantMessage {
    const calls = this.#calls.map(({ id, name, fields, text }) => ({
      ...fields,
      id,
      type: "function",
      function: { name, arguments: text },
    }));
    const { field, text: reasoning } = this.#reasoning;
    const wire = {
      role: "assistant",
      content: this.#text === "" && (calls.length > 0 || this.#refusal !== "") ? null : this.#text,
      ...(this.#refusal !== "" && { refusal: this.#refusal }),
      ...(reasoning !== "" && { [field]: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    return fromOpenAI([wire])[0] as AssistantMessage;
  }
}

function streamUsage(usage: unknown): StreamUsage {
  if (!isObject(usage)) return {};
  const { prompt_tokens_details: details } = usage;
  const cached = isObject(details) ? details.cached_tokens : undefined;
  return { ...usageOf(usage), ...(typeof cached === "number" && { cacheReadTokens: cached }) };
}
