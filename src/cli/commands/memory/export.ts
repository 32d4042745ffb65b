import { defineCommand } from "../../command.js";
import { type MemoryChoice, scopeOptions, withMemory } from "../../memory-scope.js";
import type { Output } from "../../output/schemas.js";
import { countOf } from "../../terminal/format.js";
import { noFile, writeLines } from "../../write-lines.js";

interface ExportOptions extends MemoryChoice {
  readonly output?: string;
  readonly json?: boolean;
}

/** The lines go to stdout, or to a file; with a file, `--json` tells what was written. */
export const command = defineCommand<ExportOptions>({
  shares: ["store"],
  define: (command) => {
    scopeOptions(command).option("-o, --output <file>", "the file to write; stdout unless given");
  },
  async run({ options, say }) {
    const { output, json } = options;
    if (output === undefined && json) throw noFile();
    let lines = 0;
    await withMemory(options, (memory) => writeLines(memory.export(), { file: output, onLine: () => lines++ }), {
      uses: [],
    });
    const data: Output<"memory export"> = { file: output ?? "-", memories: lines - 1 };
    say(`${countOf(data.memories, "memory", "memories")}.`);
    return { data, lines: () => [], ...(output === undefined && { written: true }) };
  },
});
