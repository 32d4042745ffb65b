import type { ProviderOptions, ToolCallPart } from "./types.js";

/**
 * A tool call whose arguments came as text. They are parsed when `input` is first read: most calls of a long history
 * are never looked into again, and parsing all of them is the dearest part of opening one.
 */
export function toolCallFromText(
  call: { id: string; name: string; text: string },
  providerOptions?: ProviderOptions,
): ToolCallPart {
  const rawInput = call.text;
  let parsed: unknown;
  let done = false;
  return {
    type: "tool-call",
    toolCallId: call.id,
    toolName: call.name,
    get input() {
      if (!done) {
        parsed = parseArguments(rawInput);
        done = true;
      }
      return parsed;
    },
    rawInput,
    ...(providerOptions && { providerOptions }),
  };
}

/** Arguments as a value: empty text is an empty object, broken JSON stays the text it is. */
export function parseArguments(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The arguments of a call as text: the model's own bytes while they still say what `input` says, else `input` as JSON.
 */
export function argumentsText(call: ToolCallPart): string {
  const { rawInput } = call;
  if (rawInput === undefined) return stringify(call.input);
  if (isUnread(call)) return rawInput;
  return stringify(parseArguments(rawInput)) === stringify(call.input) ? rawInput : stringify(call.input);
}

/** The accessor of `toolCallFromText` cannot have been overwritten: `input` is `rawInput` by construction. */
const isUnread = (call: ToolCallPart): boolean => Object.getOwnPropertyDescriptor(call, "input")?.get !== undefined;

const stringify = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "{}"));
