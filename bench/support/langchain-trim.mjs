import { AIMessage, HumanMessage, SystemMessage, ToolMessage, trimMessages } from "@langchain/core/messages";

/** Messages converted to LangChain's classes; trimMessages copies them, so the id leads back to the original. */
function toLangChain(message, id) {
  const content = message.content ?? "";
  if (message.role === "system") return new SystemMessage({ id, content });
  if (message.role === "user") return new HumanMessage({ id, content });
  if (message.role === "tool") return new ToolMessage({ id, content, tool_call_id: message.tool_call_id });
  const toolCalls = (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.function.name,
    args: JSON.parse(call.function.arguments),
    type: "tool_call",
  }));
  return new AIMessage({ id, content, tool_calls: toolCalls });
}

/** A window kept by trimMessages. Conversion and counting happen once a message, as in a careful program. */
export function openLangChain({ window, count }) {
  const originals = [];
  const converted = [];
  return {
    append(messages) {
      for (const message of messages) converted.push(toLangChain(message, String(originals.push(message) - 1)));
    },
    async view() {
      const kept = await trimMessages(converted, {
        maxTokens: window,
        strategy: "last",
        includeSystem: true,
        startOn: "human",
        allowPartial: false,
        tokenCounter: (list) => list.reduce((sum, message) => sum + count(originals[message.id]), 0),
      });
      return kept.map((message) => originals[message.id]);
    },
  };
}
