import { VarveError } from "../../../errors.js";
import { defineCommand } from "../../command.js";
import { type MemoryChoice, scopeOptions, withMemory } from "../../memory-scope.js";
import type { Output } from "../../output/schemas.js";
import { memoryData, memoryLines } from "./memory-data.js";

export const command = defineCommand<MemoryChoice>({
  shares: ["store"],
  define: (command) => {
    scopeOptions(command).argument("<id>", "the memory");
  },
  async run({ options, operands: [id = ""], screen }) {
    const versions = await withMemory(options, (memory) => memory.history(id), { uses: [] });
    if (versions.length === 0) throw noMemory(id);
    const data: Output<"memory history"> = { id, versions: versions.map(memoryData) };
    return { data, lines: () => data.versions.flatMap((one, at) => memoryLines(one, screen, `version ${at + 1}`)) };
  },
});

const noMemory = (id: string): VarveError =>
  new VarveError({
    code: "not-found",
    message: `There is no memory ${JSON.stringify(id)} in this scope.`,
    hint: "`varve memory list --superseded` shows the ids; a memory of another scope is not seen from here.",
    details: { id },
  });
