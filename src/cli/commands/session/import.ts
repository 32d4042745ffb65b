import { Option } from "commander";
import { VarveError } from "../../../errors.js";
import { isObject } from "../../../message/plain-value.js";
import { defineCommand } from "../../command.js";
import type { StoreOptions } from "../../open.js";
import { withVarve } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { formatEntries } from "../../output/tables.js";
import { countOf } from "../../terminal/format.js";
import { withLines } from "../../text-input.js";

interface ImportCommandOptions extends StoreOptions {
  readonly existing: "refuse" | "skip" | "replace";
  readonly trusted?: boolean;
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
      )
      .option("--trusted", "believe the file in whose memories the sessions have; they have none unless given");
  },
  async run({ options, operands: [file = "-"] }) {
    const { existing, trusted = false } = options;
    const report = await withLines({ file, hint: HINT }, async ({ first, bytes }) => {
      if (!isHead(first)) throw noExport(file);
      return withVarve(options, (varve) => varve.import(bytes, { existing, trusted }), { create: true });
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

/** Whether a line is the first one of an export. */
function isHead(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && value.type === "varve-export";
  } catch {
    return false;
  }
}

const noExport = (file: string): VarveError =>
  new VarveError({
    code: "invalid-document",
    message: `${file === "-" ? "stdin" : file} is not what \`varve session export\` writes.`,
    hint: "`varve import` takes in recordings of other agents, in many formats.",
    details: { file },
  });
