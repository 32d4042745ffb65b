import type { Message } from "../../src/message/types.js";
import { fromOpenAI } from "../../src/wire/openai-chat.js";

/** A coding session of so many turns, each with a request, a call, its result and an answer; no two turns are alike. */
export function conversation(
  turns: number,
  { from = 0, lines = 12 }: { from?: number; lines?: number } = {},
): Message[] {
  return Array.from({ length: turns }, (_, at) => turn(from + at, lines)).flat();
}

function turn(number: number, lines: number): Message[] {
  const path = `src/part-${number % 17}/module-${number}.ts`;
  const source = Array.from(
    { length: lines },
    (_, line) => `export const value${number}_${line} = ${number * 31 + line};`,
  );
  return fromOpenAI([
    { role: "user", content: `Please change value${number}_1 in ${path}; the port is ${4_000 + number}.` },
    {
      role: "assistant",
      content: `I will read ${path} first.`,
      tool_calls: [
        {
          id: `call_${number}`,
          type: "function",
          function: { name: "read_file", arguments: JSON.stringify({ path }) },
        },
      ],
    },
    { role: "tool", tool_call_id: `call_${number}`, content: source.join("\n") },
    {
      role: "assistant",
      content: `Done: value${number}_1 in ${path} is ${number + 1} and port ${4_000 + number} stays.`,
    },
  ]);
}
