import type { Message, ToolCallPart } from "../../../src/index.js";

export interface MadeCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
}

/** Writes a conversation down turn by turn. */
export class Transcript {
  readonly messages: Message[] = [];

  user(content: string): this {
    this.messages.push({ role: "user", content });
    return this;
  }

  say(content: string): this {
    this.messages.push({ role: "assistant", content });
    return this;
  }

  /** The assistant says something and calls tools at once. */
  act(words: string, ...made: readonly MadeCall[]): this {
    const at = this.messages.length;
    const calls = made.map(({ tool, input }, index): ToolCallPart => {
      return { type: "tool-call", toolCallId: `call_${at}_${index}`, toolName: tool, input };
    });
    this.messages.push({ role: "assistant", content: [{ type: "text", text: words }, ...calls] });
    const results = made.map(({ tool, output }, index) => ({
      type: "tool-result" as const,
      toolCallId: `call_${at}_${index}`,
      toolName: tool,
      output: { type: "text" as const, value: output },
    }));
    this.messages.push({ role: "tool", content: results });
    return this;
  }
}
