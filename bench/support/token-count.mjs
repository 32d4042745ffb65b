import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

const PLAIN = { disallowedSpecial: new Set() };

/** Exact tokens of a text. */
export const count = (text) => (text ? countTokens(text, PLAIN) : 0);

/** Exact tokens of an OpenAI message: its content and calls, 4 for the message and 8 for each call. */
export function countMessage({ content, tool_calls = [] }) {
  const calls = tool_calls.map((call) => 8 + count(call.function.name) + count(call.function.arguments));
  return calls.reduce((sum, tokens) => sum + tokens, 4 + count(content));
}

/** The same, counting each message object once. */
export function createMemoisedCount() {
  const known = new WeakMap();
  return (message) => {
    let tokens = known.get(message);
    if (tokens === undefined) {
      tokens = countMessage(message);
      known.set(message, tokens);
    }
    return tokens;
  };
}
