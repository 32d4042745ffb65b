import type { ScopedMemory } from "../../../memory/scoped-memory.js";
import { renderMemories } from "../../../memory/trust/render.js";
import { type ChatTool, textIn } from "./tool.js";

const FEW = 8;

export const memorySearchTool = (memory: ScopedMemory): ChatTool => ({
  name: "memory_search",
  description: "Searches what is remembered from earlier sessions: facts, preferences, decisions.",
  inputSchema: {
    type: "object",
    properties: { query: { type: "string", description: "The question to be answered" } },
    required: ["query"],
  },
  about: ({ query }) => JSON.stringify(query ?? ""),
  async execute(input) {
    const found = await memory.retrieve(textIn(input, "query"), { limit: FEW });
    return found.length === 0 ? "Nothing found." : renderMemories(found);
  },
});
