import { defineCommand } from "../../command.js";
import { type MemoryChoice, scopeOptions, withMemory } from "../../memory-scope.js";
import type { Output } from "../../output/schemas.js";
import { textFrom } from "../../text-input.js";
import { memoryData, memoryLines } from "./memory-data.js";

export const command = defineCommand<MemoryChoice>({
  shares: ["store"],
  define: (command) => {
    scopeOptions(command).argument("<id>", "the memory").argument("<text>", "its new text; - for stdin");
  },
  async run({ options, operands: [id = "", text = "-"], screen }) {
    const content = await textFrom(text);
    const versions = await withMemory(options, async (memory) => {
      await memory.update(id, content);
      return memory.history(id);
    });
    const data: Output<"memory update"> = { id, versions: versions.map(memoryData) };
    return { data, lines: () => data.versions.flatMap((one, at) => memoryLines(one, screen, `version ${at + 1}`)) };
  },
});
