import { Option } from "commander";
import { defineCommand } from "../../command.js";
import type { StoreOptions } from "../../open.js";
import { withVarve } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { formatEntries } from "../../output/tables.js";
import { countOf } from "../../terminal/format.js";
import { bytesOf } from "../../text-input.js";

interface ImportCommandOptions extends StoreOptions {
  readonly existing: "refuse" | "skip" | "replace";
}

const HINT = "Give the path of a file that `varve session export` wrote, or - for stdin.";

export const command = defineCommand<ImportCommandOptions>({
  shares: ["store"],
  define: (command) => {
    command
      .argument("<file>", "what export wrote; - for stdin")
      .addOption(
        new Option("--existing <what>", "what to do with a session that is there already")
          .choices(["refuse", "skip", "replace"])
          .default("refuse"),
      );
  },
  async run({ options, operands: [file = "-"] }) {
    const { existing } = options;
    const report = await withVarve(options, (varve) => varve.import(bytesOf(file, HINT), { existing }), {
      create: true,
    });
    const data: Output<"session import"> = {
      sessions: [...report.sessions],
      skipped: [...report.skipped],
      entries: report.entries,
    };
    const skipped = data.skipped.length === 0 ? "" : ` ${countOf(data.skipped.length, "session")} skipped.`;
    const text = ` ${countOf(data.sessions.length, "session")}, ${formatEntries(data.entries)}.${skipped}`;
    return { data, lines: () => [text] };
  },
});
