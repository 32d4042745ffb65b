import type { OpenAIMessage, OpenAIToolCall } from "../../../wire/openai-chat-types.js";
import { SOURCES } from "./sources.js";

/** A call with what it returned; undefined where it was interrupted. */
export interface SampleCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string | undefined;
}

/** Writes a conversation down as an agent over OpenAI Chat Completions would record it. */
export class Transcript {
  readonly messages: OpenAIMessage[] = [];
  #calls = 0;

  user(content: string): this {
    this.messages.push({ role: "user", content });
    return this;
  }

  say(content: string): this {
    this.messages.push({ role: "assistant", content });
    return this;
  }

  /** The assistant calls tools, all at once, and each answers in turn. */
  act(content: string | null, ...calls: SampleCall[]): this {
    const recorded = calls.map((call) => this.#record(call));
    this.messages.push({ role: "assistant", content, tool_calls: recorded.map(({ call }) => call) });
    for (const { call, output } of recorded) if (output !== undefined) this.result(call.id, output);
    return this;
  }

  /** A result that comes on its own, however late. */
  result(id: string, content: string): this {
    this.messages.push({ role: "tool", tool_call_id: id, content });
    return this;
  }

  /** The id of the latest call. */
  get latestCall(): string {
    return `call_${String(this.#calls).padStart(3, "0")}`;
  }

  #record({ tool, input, output }: SampleCall): { call: OpenAIToolCall; output: string | undefined } {
    this.#calls++;
    const call = { name: tool, arguments: JSON.stringify(input) };
    return { call: { id: this.latestCall, type: "function", function: call }, output };
  }
}

export const run = (command: string, output: string | undefined): SampleCall => ({
  tool: "run_command",
  input: { command },
  output,
});

export const search = (pattern: string, output: string): SampleCall => ({
  tool: "search",
  input: { pattern, path: "src" },
  output,
});

/** Reads a file of the sample service, or some lines of it. */
export function read(path: string, from?: number, to?: number): SampleCall {
  const lines = (SOURCES[path] ?? "").split("\n");
  const first = from ?? 1;
  const shown = lines.slice(first - 1, to).map((line, at) => `${String(first + at).padStart(4)}  ${line}`);
  return { tool: "read_file", input: { path, ...(from && { from, to }) }, output: shown.join("\n") };
}

export const edit = (path: string, before: string, after: string): SampleCall => ({
  tool: "edit_file",
  input: { path, before, after },
  output: `Edited ${path}: ${before.split("\n").length} lines replaced by ${after.split("\n").length}.`,
});

export const write = (path: string, content: string): SampleCall => ({
  tool: "write_file",
  input: { path, content },
  output: `Wrote ${path} (${content.split("\n").length} lines).`,
});
