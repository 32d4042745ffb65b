import { defineCommand } from "../../command.js";
import { type MemoryChoice, scopeOptions, withMemory } from "../../memory-scope.js";
import type { Output } from "../../output/schemas.js";
import { countOf } from "../../terminal/format.js";
import { withLines } from "../../text-input.js";

interface ImportOptions extends MemoryChoice {
  readonly trusted?: boolean;
}

const HINT = "Give the path of a file that `varve memory export` wrote, or - for stdin.";

export const command = defineCommand<ImportOptions>({
  shares: ["store"],
  define: (command) => {
    scopeOptions(command, "a tag that all of them get")
      .argument("<file>", "what export wrote; - for stdin")
      .option(
        "--trusted",
        "believe the file in who said what, and whose it is within the scope; all is of the source import unless given",
      );
  },
  async run({ options, operands: [file = "-"] }) {
    const { trusted = false } = options;
    const data: Output<"memory import"> = await withLines({ file, hint: HINT }, ({ bytes }) =>
      withMemory(options, (memory) => memory.import(bytes, { trusted }), { create: true }),
    );
    return { data, lines: () => [` ${countOf(data.imported, "memory", "memories")}.`] };
  },
});
