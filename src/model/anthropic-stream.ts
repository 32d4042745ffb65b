import type { AssistantMessage, ToolDefinition } from "../message/types.js";
import { fromAnthropic, toAnthropic } from "../wire/anthropic.js";
import { isObject, type WireObject } from "../wire/value.js";
import { finishOf, usageOf } from "./anthropic-answer.js";
import { endedEarly } from "./post-stream.js";
import type { StreamEnd, StreamEvent, StreamRequest, StreamUsage } from "./streaming.js";

/** The fields of a request that asks for a stream. What does not change from one view to the next is marked for the cache. */
export function streamBody({ messages, tools = [] }: StreamRequest): WireObject {
  return {
    ...toAnthropic(messages, { cache: true }),
    ...(tools.length > 0 && { tools: tools.map(clientTool) }),
    stream: true,
  };
}

const clientTool = ({ name, description, inputSchema = NO_INPUT }: ToolDefinition): WireObject => ({
  name,
  ...(description !== undefined && { description }),
  input_schema: inputSchema,
});

const NO_INPUT = { type: "object", properties: {} };

/** The pieces of an answer, and the whole at its end. */
export async function* readStream(events: AsyncIterable<WireObject>): AsyncGenerator<StreamEvent> {
  const answer = new MessageAnswer();
  for await (const event of events) yield* answer.take(event);
  yield { type: "answer-end", ...answer.end() };
}

class MessageAnswer {
  readonly #blocks = new Map<unknown, Record<string, unknown>>();
  /** The arguments of calls as text, by the index of their blocks. */
  readonly #inputs = new Map<unknown, string>();
  #usage: WireObject = {};
  #reason: unknown;
  #over = false;

  *take(event: WireObject): Generator<StreamEvent> {
    const { type, index, message, delta, content_block: block } = event;
    if (type === "message") yield* this.#whole(event);
    if (type === "message_start" && isObject(message)) this.#count(message.usage);
    if (type === "content_block_start" && isObject(block)) yield* this.#start(index, block);
    if (type === "content_block_delta" && isObject(delta)) yield* this.#delta(index, delta);
    if (type === "message_delta" && isObject(delta)) this.#reason = delta.stop_reason ?? this.#reason;
    if (type === "message_delta") this.#count(event.usage);
    if (type === "message_stop") this.#over = true;
  }

  /** A server that does not stream gives the whole message at once. */
  *#whole({ content, stop_reason, usage }: WireObject): Generator<StreamEvent> {
    this.#count(usage);
    this.#reason = stop_reason;
    this.#over = true;
    for (const [index, block] of (Array.isArray(content) ? content : []).entries()) yield* this.#start(index, block);
  }

  #count(usage: unknown): void {
    if (!isObject(usage)) return;
    const known = Object.entries(usage).filter(([, count]) => typeof count === "number");
    this.#usage = { ...this.#usage, ...Object.fromEntries(known) };
  }

  *#start(index: unknown, block: WireObject): Generator<StreamEvent> {
    this.#blocks.set(index, { ...block });
    const { type, text, thinking, id, name } = block;
    if (type === "text" && typeof text === "string" && text !== "") yield { type: "text-delta", text };
    if (type === "thinking" && typeof thinking === "string" && thinking !== "")
      yield { type: "reasoning-delta", text: thinking };
    if (type === "tool_use") yield { type: "tool-call-start", id: String(id), name: String(name) };
  }

  *#delta(index: unknown, delta: WireObject): Generator<StreamEvent> {
    const block = this.#blocks.get(index) ?? {};
    const { type, text, thinking, signature, partial_json: json, citation } = delta;
    if (type === "text_delta" && typeof text === "string") {
      block.text = `${block.text ?? ""}${text}`;
      yield { type: "text-delta", text };
    }
    if (type === "thinking_delta" && typeof thinking === "string") {
      block.thinking = `${block.thinking ?? ""}${thinking}`;
      yield { type: "reasoning-delta", text: thinking };
    }
    if (type === "signature_delta") block.signature = `${block.signature ?? ""}${String(signature)}`;
    if (type === "citations_delta")
      block.citations = [...(Array.isArray(block.citations) ? block.citations : []), citation];
    if (type !== "input_json_delta" || typeof json !== "string" || json === "") return;
    this.#inputs.set(index, (this.#inputs.get(index) ?? "") + json);
    yield { type: "tool-call-delta", id: String(block.id), text: json };
  }

  end(): StreamEnd {
    if (!this.#over) throw endedEarly();
    const content = [...this.#blocks].map(([index, block]) => this.#complete(index, block));
    const [message] = fromAnthropic({ messages: [{ role: "assistant", content }] });
    const finish = this.#reason === "tool_use" ? "tool-calls" : finishOf(this.#reason);
    const empty: AssistantMessage = { role: "assistant", content: "" };
    return { message: (message as AssistantMessage | undefined) ?? empty, finish, usage: this.#usageSoFar() };
  }

  #complete(index: unknown, block: WireObject): WireObject {
    const text = this.#inputs.get(index);
    return text === undefined ? block : { ...block, input: parsed(text) };
  }

  #usageSoFar(): StreamUsage {
    const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = this.#usage;
    return {
      ...usageOf(this.#usage),
      ...(typeof read === "number" && { cacheReadTokens: read }),
      ...(typeof written === "number" && { cacheWriteTokens: written }),
    };
  }
}

/** The text itself where the answer was cut inside it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
