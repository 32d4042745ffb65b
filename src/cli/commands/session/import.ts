import { createReadStream } from "node:fs";
import { Option } from "commander";
import { VarveError } from "../../../errors.js";
import { defineCommand } from "../../command.js";
import type { StoreOptions } from "../../open.js";
import { withVarve } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { formatEntries } from "../../output/tables.js";
import { countOf } from "../../terminal/format.js";

interface ImportCommandOptions extends StoreOptions {
  readonly existing: "refuse" | "skip" | "replace";
}

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
    const input = file === "-" ? process.stdin : createReadStream(file);
    const report = await withVarve(options, (varve) => varve.import(readable(input, file), { existing }), {
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

/** A file that cannot be read is named in the error. */
async function* readable(input: AsyncIterable<Uint8Array | string>, file: string): AsyncGenerator<Uint8Array | string> {
  try {
    yield* input;
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    throw new VarveError({
      code: missing ? "not-found" : "invalid-document",
      message: missing ? `There is no file ${file}.` : `The file ${file} cannot be read.`,
      hint: "Give the path of a file that `varve session export` wrote, or - for stdin.",
      cause,
      details: { file },
    });
  }
}
