import { describe, expect, test } from "vitest";
import type { Message } from "../message/types.js";
import { fromAnthropic } from "./anthropic.js";
import { fromOpenAI } from "./openai-chat.js";
import { fromOpenAIResponses, toOpenAIResponses } from "./openai-responses.js";

const input = { path: "src/a.ts" };
const used = { name: "read", arguments: JSON.stringify(input) };

/** An answer as the provider gave it, and with what its client has read out of it. */
const ANSWERS: readonly [string, (parsed: object, parsedArguments: object) => Message[]][] = [
  [
    "OpenAI Chat",
    (parsed, parsedArguments) =>
      fromOpenAI([
        {
          role: "assistant",
          content: "fine",
          tool_calls: [{ id: "a", type: "function", function: { ...used, ...parsedArguments } }],
          ...parsed,
        },
      ]),
  ],
  [
    "OpenAI Responses",
    (parsed, parsedArguments) =>
      fromOpenAIResponses([
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "fine", ...parsed }] },
        { type: "function_call", call_id: "a", ...used, ...parsedArguments },
      ]),
  ],
  [
    "Anthropic",
    (parsed) => fromAnthropic([{ role: "assistant", content: [{ type: "text", text: "fine", ...parsed }] }]),
  ],
];

describe("what a client has read out of an answer", () => {
  test.each(ANSWERS)("is not carried, since the API refuses it: %s", (_name, answer) => {
    expect(answer({ parsed: { fine: true } }, { parsed_arguments: input })).toEqual(answer({}, {}));
    expect(answer({ parsed: null }, { parsed_arguments: null })).toEqual(answer({}, {}));
  });

  test("stays where it is an argument of a call or the output of a tool", () => {
    const text = JSON.stringify({ parsed: 1, parsed_arguments: 2 });
    const items = [
      { type: "function_call", call_id: "a", name: "read", arguments: text },
      { type: "function_call_output", call_id: "a", output: text },
    ];
    expect(toOpenAIResponses(fromOpenAIResponses(items))).toEqual(items);
  });
});
